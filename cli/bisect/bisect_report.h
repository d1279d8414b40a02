/*
 * bisect_report.h - what a bisect has found, as text, Markdown and JSON.
 */
#ifndef BISECT_BISECT_REPORT_H
#define BISECT_BISECT_REPORT_H

#include "bisect/repository.h"
#include "render/text/table_text.h"

#include <stdint.h>
#include <stdio.h>

enum verdict { VERDICT_GOOD, VERDICT_BAD, VERDICT_SKIPPED };

/* A commit that was looked at. The texts are its own. */
struct bisect_step {
    char *commit;
    struct commit_name name;
    enum verdict verdict;
    int64_t count; /* unless it was skipped */
    char *note;    /* what the condition holds for, or why it was skipped; NULL: the program */
};

struct bisect_report {
    const char *command_line;
    const struct string_list *conditions; /* of --fail-if */
    char *measure;                        /* the count that the first one is about */
    size_t n_range;                       /* commits between the two ends, the bad one included */
    size_t n, room;
    struct bisect_step *steps; /* the good end first, then the bad one, then in their order */
    struct string_list left;   /* commits that may be the first bad one: one is; borrowed */
    char *before;              /* the commit that the comparison begins at; NULL: there is none */
};

/* "Ir 1,234,567 (+1.25 %)", beside the good end, for the caller to free; NULL: not known. */
char *bisect_step_text(const struct bisect_report *report, const struct bisect_step *step);
void bisect_report_free(struct bisect_report *report);

/* Writes what was found, and all steps; as Markdown where `screen` is NULL. */
void bisect_report_write(const struct bisect_report *report, const struct text_screen *screen,
                         FILE *out);
/* "cprof-bisect/1", with `comparison`, a document of cprof-diff/1, as a member; NULL: there is
 * none. Returns 0, or -1 with errno. */
int bisect_json_write(const struct bisect_report *report, const char *comparison, FILE *out);

#endif
