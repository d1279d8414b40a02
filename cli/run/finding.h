/*
 * finding.h - what a look at the installation and the machine finds: each thing with what is there,
 * or what is wrong with it and what to do. A run says the first that is wrong; `doctor` shows all.
 */
#ifndef RUN_FINDING_H
#define RUN_FINDING_H

#include <stdbool.h>
#include <stddef.h>

enum finding_state {
    FINDING_OK,
    FINDING_ERROR,    /* no run works like this */
    FINDING_OPTIONAL, /* something is missing that some runs or commands need */
    FINDING_NOTE      /* good to know */
};

struct finding {
    const char *name; /* borrowed */
    enum finding_state state;
    char *text;         /* what is there, or what is wrong */
    const char *advice; /* what to do, borrowed; NULL: nothing */
};

/* Zero-initialised is empty. */
struct findings {
    size_t n;
    struct finding *items;
};

/* Adds one; takes over `text`. */
void findings_add(struct findings *findings, const char *name, enum finding_state state, char *text,
                  const char *advice);
/* The first error, or NULL. */
const struct finding *findings_error(const struct findings *findings);
void findings_free(struct findings *findings);

#endif
