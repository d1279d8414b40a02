/*
 * cp_descriptor.h - who may write to a descriptor of the program, for a fixed schedule.
 */
#ifndef CP_DESCRIPTOR_H
#define CP_DESCRIPTOR_H

#include "cp_filter.h"

typedef enum {
    FILE_READY,  /* reading and writing never wait for others */
    FILE_INSIDE, /* threads of this process alone */
    FILE_OUTSIDE /* others, too */
} FileKind;

FileKind cp_descriptor_kind(Int fd);

/* Call it at the start: what is open comes from outside. */
void cp_descriptor_init(void);

/* Call it after each call, with its result. */
void cp_descriptor_after(const Call *call, Word result);

/* The process has forked, in the parent and in the child. */
void cp_descriptor_fork(void);

#endif
