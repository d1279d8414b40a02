/*
 * gate.h - gates: conditions on a comparison that let a job fail (--fail-if).
 *
 *     gates     := joined { ( ";" | "or" ) joined }    ";" within [] is part of a name
 *     joined    := gate { "and" gate }             fails where each of them does
 *     gate      := [ scope ":" ] condition
 *                | "time"                          the new build takes more time (pace.h)
 *     scope     := PATTERN                         each function that matches, its own cost
 *                | "incl(" PATTERN ")"             each function that matches, inclusive
 *                | "sum(" PATTERN ")"              the own costs of all that match, together
 *                | "section(" PATTERN ")"          each section that matches
 *                | "bench(" PATTERN ")"            each benchmark that matches
 *                | "test(" PATTERN ")"             each test
 *     condition := COLUMN ( ">" | ">=" | "<" | "<=" ) limit
 *     limit     := ( "+" | "-" ) NUMBER "%"        a change, relative to OLD
 *                | ( "+" | "-" ) NUMBER            a change, absolute
 *                | NUMBER                          the count in NEW itself
 *     NUMBER    := digits [ "." digits ] [ "k" | "M" | "G" ], "_" between digits allowed; without
 *                  "%" a whole number in the end
 *
 * A gate without a scope is about the program's total. Blanks are allowed between all parts. COLUMN
 * is a column of columns.h, in upper or lower case, but no inclusive one. PATTERN is a name,
 * where "*" stands for any characters and "?" for one (of UTF-8, not a byte). It matches whole
 * names: a row's own one or one of its aliases (diff.h), so both full and short names. The
 * number or hash behind a name that tables tell functions apart by is no part of it. The calls of a
 * section are its entries. "and" and "or" stand between blanks, behind a whole condition: all that
 * is before it may be part of a name.
 *
 * "time" is true only where the new build is slower for certain. Both builds run for it, so this is
 * asked last, and only where all that it is joined with is true.
 *
 * A gate says when it fails: "ir>+2%" fails where Ir grew by more than 2 %.
 *
 * A change within the noise threshold of diff.h is none. A function only in NEW has no OLD count
 * that a limit in % could relate to, so such limits do not apply to it: code that moves into a
 * function of its own is no regression, and "sum()" and totals see it all the same. Other limits
 * count it from 0. A function only in OLD changed to 0. Where OLD is 0 (in a total, a sum, a
 * function without that event), growth is more than any percentage.
 *
 * Where counts differ between orders of threads, a gate fails if it holds for every order of OLD
 * with every one of NEW, and passes if it holds for none; else it cannot be told. Orders that did
 * not run may lie outside of those that did: to fail, it has to hold with bands that are wider by
 * half on either side, too. But where all orders changed by one and the same number, the change
 * left them alone, and it is enough that the gate holds, or does not, for each order and the same
 * one of NEW.
 */
#ifndef DIFF_GATE_H
#define DIFF_GATE_H

#include "diff/diff.h"
#include "diff/pace.h"
#include "table/columns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gate_scope {
    GATE_TOTAL,
    GATE_EACH,
    GATE_INCLUSIVE,
    GATE_SUM,
    GATE_SECTION,
    GATE_BENCH,
    GATE_TEST,
    GATE_TIME /* "time", without a count */
};
enum gate_limit { GATE_LEVEL, GATE_CHANGE, GATE_PERCENT };
enum gate_compare { GATE_MORE, GATE_AT_LEAST, GATE_LESS, GATE_AT_MOST };

struct gate {
    char *text;    /* the user's text, of all that are joined, without blanks around it */
    char *pattern; /* NULL: the gate is about the total */
    char *column;  /* "time" of GATE_TIME */
    bool joined;   /* by "and" to the gate before it: none of them fails alone */
    enum gate_scope scope;
    enum gate_compare compare;
    enum gate_limit limit;
    int64_t number; /* number, in units of 1 / scale, with its sign */
    int64_t scale;  /* a power of ten; 1 but for GATE_PERCENT */
};

struct gates {
    size_t n, room;
    struct gate *items;
    const struct pace_source *pace; /* for GATE_TIME; NULL: it is not to be had */
};

/* The mistake in a gate: its byte, and a text ("expected a number"). */
struct gate_error {
    size_t at;
    char text[128];
};

/* An expression that is read: [at, end) is the rest of a gate, `start` the whole. Conditions of
 * another kind (scale_gate.h) are read by it, too. */
struct gate_scan {
    const char *start, *at, *end;
    struct gate_error *error;
};
/* Fills the error with a mistake at `at`. Returns -1. */
int gate_fail(struct gate_scan *s, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gate_skip_blanks(struct gate_scan *s);
/* The end of a text without the blanks behind it. */
const char *gate_trim_end(const char *at, const char *end);
/* Takes a word like "incl(" off the beginning of [*at, *end), and the ")" off its end. Returns
 * false, with nothing taken, where one of them is missing. */
bool gate_take_word(const char *word, const char **at, const char **end);

/* Adds the gates of an expression to `gates`, which zeros make empty. Returns 0, or -1 with `error`
 * filled and nothing added. Any text may be given. */
int gate_parse(struct gates *gates, const char *text, struct gate_error *error);
void gates_free(struct gates *gates);
/* The first gate on time, or NULL. */
const struct gate *gates_find_time(const struct gates *gates);
/* Returns true for a gate on time, and for one on a count called "time", which other programs may
 * have, but no run of ours: there it is a mistake for a gate on time. */
bool gate_names_time(const struct gate *gate);
/* The ";" that ends the gate at `at`, or the end of the text. */
const char *gate_end(const char *at);

/* A count of one side, in the order of threads that is shown; and over all that ran. */
struct gate_count {
    int64_t value, least, most;
};

/* A count on both sides, in each order of threads, first in that which is shown; none where the
 * count is not known. A change within the noise threshold is none, where no order differs. */
struct gate_orders {
    size_t n;
    int64_t *items;
};
struct gate_counted {
    struct gate_orders side[DIFF_SIDES];
    int64_t noise_threshold;
};
void gate_counted_free(struct gate_counted *count);

/* A count that fails a gate, or may. */
struct gate_offender {
    const struct gate *gate;
    char *name; /* the function's name in the diff, or the section's; the pattern of a sum; NULL:
                   the total */
    const struct column *column;         /* called "time" of GATE_TIME, and none of the diff's */
    struct gate_count count[DIFF_SIDES]; /* of GATE_TIME microseconds */
};

/* In the order of the gates, then of the diff. */
struct gate_offenders {
    size_t n, room;
    struct gate_offender *items;
};

struct gate_result {
    struct gate_offenders failed;
    struct gate_offenders undecided; /* orders of threads hold it and do not */
    struct pace pace;                /* as far as a gate asked for it */
    size_t n_new;                    /* the number of functions that limits in % do not apply to */
    const struct gate
        *broken; /* the first gate that could not be checked, for the reason `problem` */
    enum {
        GATE_OK,
        GATE_NO_COLUMN,
        GATE_NO_CALLS,
        GATE_NO_FUNCTION,
        GATE_NO_SECTION,
        GATE_NO_OWN,
        GATE_TOO_NOISY,   /* repeated runs differ too much among themselves */
        GATE_OTHER_ORDERS /* one side's band is of more orders than the other's */
    } problem;
};

/*
 * Checks a diff, which must have its aliases and must not be filtered, against gates. `columns` are
 * those of its common events. Each gate must have a column and, if it has a pattern, match a
 * function or section, and some function of those that a gate on own counts of the heap matches
 * must allocate itself; else nothing would ever fail it. The first gate that does not is `broken`.
 * Gates on time need the gates' `pace`.
 * gate_result_free() frees the result.
 */
void gates_check(struct gate_result *result, const struct gates *gates, const struct diff *diff,
                 const struct columns *columns);
void gate_result_free(struct gate_result *result);

/* Returns true where a gate can be about the column: an event, a sum of events, or calls. */
static inline bool gate_takes(const struct column *column)
{
    return column_adds_up(column) || column_is_calls(column);
}

enum gate_verdict { GATE_PASSES, GATE_FAILS, GATE_CANNOT_TELL };

/* Holds a count against a gate, which passes where it is not known on one side. */
enum gate_verdict gate_verdict(const struct gate *gate, const struct gate_counted *count);

/* `orders` are at least one. */
struct gate_count gate_count_of(const struct gate_orders *orders);

/* Returns true where the orders of a count differ on either side. */
bool gate_has_band(const struct gate_count *old_count, const struct gate_count *new_count);

/* Returns true where `name` as a whole matches a pattern. It takes time of at most the product of
 * their lengths. */
bool gate_matches(const char *pattern, const char *name);

#endif
