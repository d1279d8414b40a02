/*
 * export.h - profiles in the formats of other tools. Counts are exact; data that a format cannot
 * hold (addresses in cachegrind.out) is left out. Own costs add up to the profile's totals in every
 * format but dot. Names are clean. doc/exports.md describes each format.
 *
 * All return 0, or -1 with errno where writing failed.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "cprof.h"
#include "names/crates.h"
#include "paths/tree.h"
#include "table/columns.h"
#include "table/rows.h"
#include "table/table.h"

#include <stdio.h>

/* The profile, as the formats need it. */
struct export
{
    const struct rows *rows;      /* all functions, sorted */
    const struct tree *tree;      /* all paths, sorted; tree_load_flat()'s where none are known */
    const struct column *measure; /* for formats with one cost; an own cost */
    const struct crates *crates;  /* of the profile; NULL: the format does without */
    double threshold;             /* percent of the program: dot leaves out smaller costs */
    bool safe;                    /* CSV: no text is taken for a formula */
    int64_t time;                 /* the time of the run, in seconds since 1970; 0: not known */
};

/* The command line as one text, "???" where it is not known. The caller frees it. */
char *export_command(const struct cprof_profile *profile);

/* callgrind.out, one part, by the "Callgrind Format Specification" of callgrind's manual. */
int export_callgrind(const struct cprof_profile *profile, FILE *out);
/* cachegrind.out as cg_annotate reads it. */
int export_cachegrind(const struct cprof_profile *profile, FILE *out);

/* Comma-separated values with a head, quoted by RFC 4180, one line for each function. */
int export_csv(const struct export *export, FILE *out);
/* Comma-separated values of a table that is filled: its heads and rows. */
int export_table(const struct table *table, FILE *out);
/* A table in Markdown, one row for each function. */
int export_markdown(const struct export *export, FILE *out);
/* "main;train;dot 1234": a line for each path with an own cost, for flame graphs. */
int export_folded(const struct export *export, FILE *out);
/* speedscope's own format: https://www.speedscope.app/file-format-schema.json */
int export_speedscope(const struct export *export, FILE *out);
/* The processed format of Firefox Profiler, version 70: docs-developer/CHANGELOG-formats.md in
 * github.com/firefox-devtools/profiler. Crates have to be known. */
int export_firefox(const struct export *export, FILE *out);
/* Slices of the trace event format, for Perfetto and chrome://tracing: the cost of the measure as
 * time. */
int export_chrome_trace(const struct export *export, FILE *out);
/* The format of pprof, compressed: message Profile of profile.proto in github.com/google/pprof. */
int export_pprof(const struct export *export, FILE *out);
/* Functions with their own ("flat") and inclusive ("cum") cost of the measure, in the columns of
 * pprof's own text report: printText() in internal/report of github.com/google/pprof. */
int export_pprof_text(const struct export *export, FILE *out);
/* Allocations of each path, for DHAT's viewer: dhatFileVersion 2; the profile has counts of the
 * heap. */
int export_dhat(const struct export *export, FILE *out);
/* A call graph for graphviz; the profile has to have calls. */
int export_dot(const struct export *export, FILE *out);

#endif
