/*
 * probe_spec.h - a probe as the user writes it: "malloc", "libc:memcpy %dx", "kernel:do_exit".
 */
#ifndef RUN_PROBE_SPEC_H
#define RUN_PROBE_SPEC_H

#include <stdbool.h>

struct probe_spec {
    char *object;   /* a library, by its name or path; NULL: the program, or else its libraries */
    char *function; /* a name, or a part behind "::" */
    bool is_kernel; /* of the kernel */
    bool at_return; /* where the function returns */
    char *fetch;    /* the kernel's words for a value that is added up, with its type; or NULL */
    char *event;    /* the name of the event in the profile: one word */
    char *sum;      /* the same of the sum of values; NULL: there is none */
};

/* Takes a text apart. NULL; else what is wrong with it, for the caller to free. */
char *probe_spec_parse(const char *text, struct probe_spec *spec);
void probe_spec_free(struct probe_spec *spec);

#endif
