/*
 * named.h - inside of the reader of profiles that keep their names, doc/named.md: named.c goes
 * through the lines and has the records of the body, named_header.c the "key: value" lines,
 * named_fields.c what all are made of. cli/render/export/named.c writes them.
 */
#ifndef PARSER_NAMED_H
#define PARSER_NAMED_H

#include "framed.h"

/* Indices of the file, and what they are in the builder. */
struct indices {
    uint32_t *items;
    size_t n, room;
};

struct named {
    struct reader r; /* first: framed_lines() knows no other */
    struct indices objects, files, functions, contexts;
    uint32_t context; /* that costs belong to; CPROF_NONE: to none */
    int have_end, in_body, have_costs;
};

/* Fields: each ends at a blank, which is skipped, or at the end of the line. 0 or -1. */
int named_number(struct named *w, const char **at, uint64_t *value);
int named_line_number(struct named *w, const char **at, uint32_t *line);
int named_address(struct named *w, const char **at, uint64_t *value);
int named_calls(struct named *w, const char **at, uint64_t *calls);
/* The builder's index of something that is defined; `what` names it. */
int named_index(struct named *w, const char **at, const struct indices *of, const char *what,
                uint32_t *index);
/* The same, or "-" for none. */
int named_maybe(struct named *w, const char **at, const struct indices *of, const char *what,
                uint32_t *index);
/* A text that is one field. NULL on failure. */
const char *named_word(struct named *w, const char **at);
/* A word, or "-" for none: NULL. 0 or -1. */
int named_maybe_word(struct named *w, const char **at, const char **word);
/* Notes the builder's index (CPROF_NONE: it failed) of the next definition. 0 or -1. */
int named_add_index(struct named *w, struct indices *to, uint32_t index);

/* A line of the header. */
int named_header_line(struct named *w);

#endif
