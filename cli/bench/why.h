/*
 * why.h - why benches, or tests, that fail a gate changed: reasons (diff/why.h) by the profiles
 * that the runs have left, and by the part of each that is the row's.
 */
#ifndef BENCH_WHY_H
#define BENCH_WHY_H

#include "bench/bench_run.h"
#include "bench/document.h"
#include "render/text/table_text.h"

#include <stdio.h>

/* Where the profiles are. */
struct bench_runs {
    size_t n;
    const struct bench_run *items;
    const char *target, *baseline; /* cargo's folder; the name of the baseline */
    bool tests;
};

/* Keeps the profiles that the rows of a document are of beside the baseline, with their names.
 * Returns 0, or STATUS_ERROR after having said what is wrong. */
int bench_runs_keep(const json_t *document, const struct bench_runs *runs);

/* A row and its reasons. */
struct bench_why;

/* Zero-initialised has nothing. */
struct bench_whys {
    size_t n;
    struct bench_why *items; /* rows that fail a gate, greatest change first */
    size_t n_left;           /* rows that fail one, too, and have no reasons here */
    char *next;              /* the command that compares the runs of the first such row */
};

/* Finds the reasons of the rows that fail a gate and changed most. Notes why those of the first row
 * without reasons are not known. The rows must outlive them. */
void bench_whys_load(struct bench_whys *whys, const struct bench_rows *rows,
                     const struct gates *gates, const struct bench_runs *runs);
/* Writes them; as Markdown where `screen` is NULL. */
void bench_whys_write(const struct bench_whys *whys, const struct text_screen *screen, FILE *out);
/* Adds them to the rows of the document that `rows` were read from. */
void bench_whys_add(const struct bench_whys *whys, const struct bench_rows *rows, json_t *document);
void bench_whys_free(struct bench_whys *whys);

#endif
