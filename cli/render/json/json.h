/*
 * json.h - JSON documents. doc/profile.schema.json describes the main one, "cprof-profile/1".
 *
 *     {
 *       "schema": "cprof-profile/1",
 *       "program": "/home/me/nnet/target/release/nnet",
 *       "events": ["Ir", ...],
 *       "totals": {"Ir": 412913042, ...},
 *       "command": ["target/release/nnet", "3"],
 *       "exit": 0,
 *       "caches": [{"name": "I1", "size": 32768, "ways": 8, "line_size": 64}, ...],
 *       "functions": [
 *         {
 *           "name": ..., "mangled": ..., "file": ..., "line": ..., "object": ...,
 *           "self": {"Ir": 117237366, ...},
 *           "inclusive": {"Ir": 234000000, ...},
 *           "calls": 1200,
 *           "crate": "nnet", "version": "0.1.0", "source": "own"
 *         },
 *         ...
 *       ],
 *       "own": {
 *         "paths": true,
 *         "functions": [
 *           {
 *             "name": ..., "mangled": ..., "object": ...,
 *             "crate": ..., "version": ..., "source": "own",
 *             "charged": {...}, "self": {...}, "inclusive": {...}, "certain": true,
 *             "costliest": {"file": ..., "line": ..., "charged": {...}},
 *             "by": [{"name": ..., "object": ..., "cost": {...}, "crate": ...}, ...]
 *           },
 *           ...
 *         ],
 *         "charged": {...}, "before_main": {...}, "not_charged": {...}
 *       },
 *       "tree":
 *       {"name": "[program]", "calls": 0, "self": {...}, "inclusive": {...}, "children": [...]}
 *     }
 *
 * "command" is one text where the file has the line only; "exit" is null where a signal ended the
 * program. Unknown values are null, but "tree" is there only where it was asked for, and "title"
 * only where processes, parts or threads are apart. Numbers are exact integers up to
 * 2^63-1; a reader that keeps them in doubles loses digits beyond 2^53. JSON is Unicode: each byte
 * of a name that is not UTF-8 becomes U+FFFD. Paths are as the profile has them.
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include "cprof.h"
#include "paths/tree.h"
#include "table/blame.h"
#include "table/callers.h"
#include "table/columns.h"
#include "table/groups.h"
#include "table/own.h"
#include "table/rows.h"

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
    const char
        *title; /* the name of one document of several: a process, a part, a thread; or NULL */
};

/*
 * Each function writes one document, and returns 0, or -1 with errno where writing failed.
 */

/* "cprof-profile/1": functions; with own code and the call paths of `tree` where these are not
 * NULL. */
int json_write(const struct json_table *functions, const struct tree *tree, const struct own *own,
               const char *program, FILE *out);
/*
 * "cprof-groups/1": rows as groups.h makes them, under "by" and "groups", each {name, file, line,
 * object, self, inclusive, bound, calls, crate, version, source}; "bound" is "exact" or "least".
 */
int json_write_groups(const struct json_table *groups, enum group_by by, FILE *out);
/*
 * "cprof-blame/1": rows as blame.h makes them, under "blame", each {function, mangled, file, line,
 * crate, version, source, total, self, foreign, certain, by}; "by" lists the functions that cost so
 * much, each {name, object, crate, version, source, cost}. "function" is null where no own code is
 * above.
 */
int json_write_blame(const struct json_table *lines, const struct blame *blame, FILE *out);
/* "cprof-calls/1": the function `of`, and its calls as `direction` ("callers" or "callees"), each
 * {function, site, calls, inclusive}. `calls` are as call_rows.h makes them from `functions`. */
int json_write_calls(const struct json_table *calls, const struct rows *functions,
                     const struct row *of, const char *direction, FILE *out);
/* "cprof-tree/1": call paths only. */
int json_write_tree(const struct tree *tree, const struct column_list *columns, FILE *out);

#endif
