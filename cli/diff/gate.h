/*
 * gate.h - conditions on a comparison that let a job fail: --fail-if.
 *
 *     gates     := gate { ";" gate }               ";" within [] is part of a name
 *     gate      := [ scope ":" ] condition
 *     scope     := PATTERN                         each function that matches, its own cost
 *                | "incl(" PATTERN ")"             each function that matches, inclusive
 *                | "sum(" PATTERN ")"              the own costs of all that match, together
 *     condition := COLUMN ( ">" | ">=" | "<" | "<=" ) limit
 *     limit     := ( "+" | "-" ) NUMBER "%"        a change, relative to OLD
 *                | ( "+" | "-" ) NUMBER            a change, absolute
 *                | NUMBER                          the count in NEW itself
 *     NUMBER    := digits [ "." digits ] [ "k" | "M" | "G" ], "_" between digits allowed; without
 *                  "%" a whole number in the end
 *
 * Without a scope a gate is about the program's total. Blanks are allowed between all parts.
 * COLUMN is a column of columns.h, in any case, but for inclusive ones. PATTERN is a name as diffs
 * show it, in which "*" stands for any characters and "?" for one (of UTF-8, not a byte); it
 * matches names as a whole.
 *
 * What a gate says is what it fails on: "ir>+2%" fails where Ir grew by more than 2 %.
 *
 * A change that is within the noise threshold of diff.h (what is known to vary from run to run) is
 * none. A function that is new has no OLD to be relative to: a limit in % does not apply to it
 * (what was moved into a function of its own is no regression; "sum()" and totals see it all the
 * same), any other counts from 0. One that is gone changed to 0. Where OLD is 0 and there (a total,
 * a sum, a function that had none of this event), growth is more than any percentage.
 */
#ifndef DIFF_GATE_H
#define DIFF_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "table/columns.h"
#include "diff/diff.h"

enum gate_scope { GATE_TOTAL, GATE_EACH, GATE_INCLUSIVE, GATE_SUM };
enum gate_limit { GATE_LEVEL, GATE_CHANGE, GATE_PERCENT };
enum gate_compare { GATE_MORE, GATE_AT_LEAST, GATE_LESS, GATE_AT_MOST };

struct gate {
    char *text;    /* as it was given, without blanks around it */
    char *pattern; /* NULL: of the total */
    char *column;
    enum gate_scope scope;
    enum gate_compare compare;
    enum gate_limit limit;
    int64_t number; /* in units of 1 / scale; with its sign */
    int64_t scale;  /* a power of ten; 1 but for GATE_PERCENT */
};

struct gates {
    size_t n, room;
    struct gate *items;
};

/* Why a text is no gate: at which byte, and what was wrong there ("expected a number"). */
struct gate_error {
    size_t at;
    char text[128];
};

/* Adds the gates of an expression to `gates`, which zeros make empty. 0, or -1 with `error`
 * filled and nothing added. Any text may be given. */
int gate_parse(struct gates *gates, const char *text, struct gate_error *error);
void gates_free(struct gates *gates);

/* What fails a gate. */
struct gate_offender {
    const struct gate *gate;
    char *name; /* of the function, as the diff has it; the pattern of a sum; NULL: the total */
    const struct column *column;
    int64_t old_value, new_value;
};

struct gate_result {
    size_t n, room;
    struct gate_offender *offenders; /* in the order of the gates, then of the diff */
    size_t n_new;                    /* functions that limits in % did not apply to */
    const struct gate *broken;       /* the first gate that could not be held; see `problem` */
    enum { GATE_OK, GATE_NO_COLUMN, GATE_NO_CALLS, GATE_NO_FUNCTION } problem;
};

/*
 * Holds a diff against gates. The diff must not be filtered. `columns` are of its common events.
 * Each gate must have a column and, if it has a pattern, match a function, else nothing would ever
 * fail it: the first that does not is `broken`. gate_result_free() afterwards.
 */
void gates_check(struct gate_result *result, const struct gates *gates, const struct diff *diff,
                 const struct columns *columns);
void gate_result_free(struct gate_result *result);

/* Whether `name` matches a pattern as a whole; in time of the product of their lengths at most. */
bool gate_matches(const char *pattern, const char *name);

#endif
