/*
 * json.h - JSON documents, each described by a schema: doc/profile.schema.json is that of
 * "cprof-profile/1".
 *
 * Unknown values are null. Numbers are exact integers up to 2^63-1; a reader that keeps them in
 * doubles loses digits beyond 2^53. JSON is Unicode: each byte of a name that is not UTF-8 becomes
 * U+FFFD. Paths are as the profile has them.
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include "diff/environment.h"
#include "diff/gate.h"
#include "diff/time_rows.h"
#include "paths/tree.h"
#include "render/text/annotation.h"
#include "render/text/diff.h"
#include "table/callers.h"
#include "table/groups.h"
#include "table/own.h"
#include "table/table.h"
#include "table/view_kinds.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The rows of a document, and the columns of its objects of counts. */
struct json_table {
    const struct rows *rows;       /* in their order */
    size_t n_shown;                /* the first N are written */
    struct column_list columns;    /* own costs among them are written */
    const bool *own_code;          /* by function: one's own code */
    const struct callers *callers; /* where the profile has data, use of lines or miss curves */
    const struct own *heap;        /* who allocates; NULL: not known, or not of functions */
    const uint32_t *layout;        /* a type that is shown by its members; NULL: none */
    const struct table *tables;    /* by enum view_id, of views without json_has_member(); without
                                      columns: none. NULL: there are no such views */
    const char
        *title; /* the name of one document of several: a process, a part, a thread; or NULL */
};

/* True where a view has a member of "cprof-profile/1" with more than its table. */
bool json_has_member(enum view_id view);

/* An array of the facts that differ, each with both values. */
json_t *json_environment(const struct environment_diff *environment);

/* An object of why one total changed, with all reasons. */
json_t *json_why(const struct why *why);

/*
 * Each function writes one document, and returns 0, or -1 with errno where writing failed.
 */

/* "cprof-profile/1": functions; with own code and the call paths of `tree` where these are not
 * NULL. */
int json_write(const struct json_table *functions, const struct tree *tree, const struct own *own,
               const char *program, FILE *out);
/* "cprof-table/1": the table of a view that `table` is filled with; of `document` events, totals
 * and title. */
int json_write_table(const struct json_table *document, enum view_id view,
                     const struct table *table, FILE *out);
/* "cprof-groups/1": rows as groups.h makes them. */
int json_write_groups(const struct json_table *groups, enum group_by by, FILE *out);
/* "cprof-blame/1": rows as own.h makes them. */
int json_write_blame(const struct json_table *lines, const struct blame *blame, FILE *out);
/* "cprof-calls/1": the function `of`, and its calls as `direction` ("callers" or "callees").
 * `calls` are as call_rows.h makes them from `functions`. */
int json_write_calls(const struct json_table *calls, const struct rows *functions,
                     const struct row *function_row, const char *direction, FILE *out);
/* "cprof-tree/1": call paths only. */
int json_write_tree(const struct tree *tree, const struct column_list *columns, FILE *out);
/* "cprof-diff/1": the first n_shown rows, and the functions that fail the gates. */
int json_write_diff(const struct diff_view *view, const struct gate_result *gates, FILE *out);
/* "cprof-time/1": own code and all functions, either of which may be NULL, with the first `limit`
 * rows of each (0: all). */
int json_write_time(const struct time_table *own, const struct time_table *functions, bool by_line,
                    size_t limit, FILE *out);
/* "cprof-annotate/1" of a `kind`: "function", "file" or "program" (without a name). All lines with
 * costs are there, whatever --threshold and -n say. Without --asm, `disassembly` is NULL. */
int json_write_annotation(const struct annotation_listing *listing, const char *kind,
                          const struct disassembly *disassembly, FILE *out);

#endif
