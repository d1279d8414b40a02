/*
 * scale_gate.h - gates on growth (--fail-if).
 *
 *     gates := gate { ";" gate }              ";" within [] is part of a name
 *     gate  := "slope" [ "(" scope ")" ] ( ">" | ">=" | "<" | "<=" ) NUMBER
 *     scope := PATTERN                        each own function that matches, by its charge; where
 *                                             none does, each function, by its own cost
 *            | "incl(" PATTERN ")"            each function that matches, inclusive
 *
 * Without a scope a gate is about the program. PATTERN is that of diff/gate.h, NUMBER has digits
 * and perhaps a point. The slope is that of struct growth, of the count that tables are sorted by.
 */
#ifndef SCALE_SCALE_GATE_H
#define SCALE_SCALE_GATE_H

#include "diff/gate.h"
#include "scale/series.h"

/* A function, or the program, that a gate holds for. */
struct slope_offender {
    const char *name; /* the series's; NULL: the program */
    struct growth fit;
};

struct slope_gate {
    char *text;    /* the user's, without blanks around it */
    char *pattern; /* NULL: it is about the program */
    bool inclusive;
    enum gate_compare compare;
    double limit;
    size_t n_matching; /* functions that match, once it was checked */
    size_t n, room;
    struct slope_offender *offenders;
};

struct slope_gates {
    size_t n, room;
    struct slope_gate *items;
};

/* Adds the gates of expressions. Returns 0, or STATUS_USAGE after having said where one is wrong;
 * slope_gates_free() in either case. */
int slope_gates_read(struct slope_gates *gates, const struct string_list *texts);
void slope_gates_free(struct slope_gates *gates);

/* Finds what the gates hold for; the series have to outlive that. */
void slope_gates_check(struct slope_gates *gates, const struct series *own,
                       const struct series *functions);
/* Says which gates hold, at these sizes. Returns 0, STATUS_GATE, or STATUS_ERROR where one matches
 * nothing. */
int slope_gates_say(const struct slope_gates *gates, const struct sizes *sizes);

#endif
