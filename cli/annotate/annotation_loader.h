/*
 * annotation_loader.h - an annotation while it is made, for the files of this folder that make it.
 */
#ifndef ANNOTATE_ANNOTATION_LOADER_H
#define ANNOTATE_ANNOTATION_LOADER_H

#include "annotate/annotation.h"
#include "cprof_internal.h"

/* A cost record that counts, or a call, with its place. */
struct cost_entry {
    uint32_t call; /* the inlined call that it belongs to; CPROF_NONE: the subject itself */
    uint32_t file, line;
    const int64_t *counts; /* NULL: the line has a call only */
};

/* The call site of an inlined call. */
struct inline_site {
    uint32_t call, file, line, function;
};

/* A context's relation to the subject. */
enum context_kind { OUTSIDE, ITSELF, INLINED };

struct loader {
    struct annotation *a;
    const struct cprof_profile *profile;
    struct paths paths; /* without call paths, what was inlined */
    const struct annotation_subject *subject;
    const struct column *measure;
    size_t n, room;
    struct cost_entry *entries; /* sorted and each place once, when the lines are made */
    struct inline_site *sites;  /* the site of each call */
    /* Calls by their site: open addressing, at most half full; CPROF_NONE: free. */
    uint32_t mask, *slots;
    unsigned char *kinds; /* of each context: enum context_kind; NULL: not asked for */
    uint32_t *calls;      /* of each context: the inlined call that it belongs to, or CPROF_NONE */
};

/* Adds an entry. Without a file there is no line. */
void loader_entry(struct loader *l, uint32_t call, uint32_t file, uint32_t line,
                  const int64_t *counts);
/* The line of a place, or CPROF_NONE. The lines are made. */
uint32_t loader_line(const struct loader *l, uint32_t call, uint32_t file, uint32_t line);

/* Finds out what is known of callees, and adds an entry for each line that calls. */
void callees_find(struct loader *l);
/* Adds up costs with callees, as far as they are known, of lines, of `n_blocks` blocks, of inlined
 * calls and of the subject, and charges the lines. Blocks are not sorted yet. */
void callees_add(struct loader *l, uint32_t n_blocks);

#endif
