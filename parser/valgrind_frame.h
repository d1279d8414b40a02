/*
 * valgrind_frame.h - frames of stacks as Valgrind's tools write them into their files:
 * "0x10F2: name (file.c:12)", "0x10F2: name (in /lib/libx.so)".
 */
#ifndef PARSER_VALGRIND_FRAME_H
#define PARSER_VALGRIND_FRAME_H

#include "sampled.h"

struct valgrind_frame {
    struct stack_frame frame; /* without its address: that is none of an object */
    uint64_t address;         /* as it was in memory; 0: not given */
};

/* Reads the text [at, end). 0 or -1. */
int valgrind_frame_read(struct sampled *s, const char *at, const char *end,
                        struct valgrind_frame *frame);
/* Tells whether `inner`, which `outer` calls, is inlined there: both have one address, but for a
 * function that calls itself. */
int valgrind_frame_is_inlined(const struct valgrind_frame *inner,
                              const struct valgrind_frame *outer);

#endif
