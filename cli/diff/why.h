/*
 * why.h - why the total of an event changed between two profiles: reasons, each a cause with a part
 * of the change. They add up to it.
 *
 * Let T be what a node of the call paths costs per call, s its own part of that, and r(g) its calls
 * of g per call: T = s + sum of r(g) T(g). So the change of the total is the sum, over all nodes,
 * of
 *
 *     calls in NEW * (change of s + sum over g of (change of r(g)) * (OLD's T(g), or NEW's))
 *
 * A function that is only called more often has no reason: its caller has it. Changes are
 * integers: where OLD's costs are scaled to NEW's calls, the largest remainders are rounded up, so
 * no unit is lost.
 *
 * A reason belongs to the nearest own function (ownership.h) above it, or to none. Code is called
 * equal, or another, only where that is known.
 */
#ifndef DIFF_WHY_H
#define DIFF_WHY_H

#include "diff/diff.h"
#include "diff/why_misses.h"
#include "diff/why_pair.h"
#include "names/crates.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum why_cause {
    WHY_CALLS,           /* another number of calls of `what` per call of `by` */
    WHY_RECURSION,       /* another number of calls of `what` within each call of it */
    WHY_CALLS_NEW,       /* calls of a function that OLD lacks */
    WHY_CALLS_NOW,       /* calls of one that other code had in OLD */
    WHY_CALLS_GONE,      /* no calls of a function that NEW lacks */
    WHY_CALLS_NO_LONGER, /* no calls of one that other code has in NEW */
    WHY_CODE_NOW,        /* code of `what` is inlined, and was not there */
    WHY_CODE_NO_LONGER,  /* code of `what` was inlined, and is not there */
    /* In the caller's own code, `by`; or in that of `what`, and `by` is none. */
    WHY_INLINED_NOW,       /* `what` was called and is inlined */
    WHY_INLINED_NO_LONGER, /* `what` was inlined and is called */
    WHY_WORK_SAME,         /* other work per call of `what`, by the same code */
    WHY_WORK_OTHER,        /* other work per call of `what`, by other code */
    WHY_WORK,              /* other work per call of `what`; its code may differ */
    WHY_VERSION,           /* other work per call of `what`, of another version of its crate */
    WHY_LIBRARY,           /* other work per call of `what`, in another build of its library */
    WHY_VARIANT,           /* `what` of libc in place of `by` */
    WHY_VARIANT_MAYBE,     /* maybe `what` of libc in place of `by`, in another build of libc */
    WHY_ALLOCATOR,         /* other work per call of `what`, which allocates or frees */
    WHY_SPLIT,             /* maybe `what` was split off */
    WHY_JOINED,            /* maybe `what` became a part of it */
    WHY_RENAMED            /* maybe `what` was called `by` */
};

struct why_reason {
    uint32_t group; /* the id that it is put to */
    enum why_cause cause;
    uint32_t what, by; /* ids; CPROF_NONE of `by`: there is none */
    int64_t change;
    /* Foreign code that was inlined into `what`, and has most of the change; CPROF_NONE: none. */
    uint32_t inlined;
    int64_t inlined_change;
    uint64_t calls[DIFF_SIDES], callers[DIFF_SIDES]; /* of `what`, by so many of its caller */
    /* With WHY_CALLS the function that the caller was inlined into, of whose calls `callers` are;
     * CPROF_NONE: the caller was called. */
    uint32_t per;
};

/* All reasons of one own function, or of code without one above it. */
struct why_group {
    uint32_t id; /* from `before_main` on: before_main + enum blame_outside */
    int64_t change;
    size_t n;
    const struct why_reason *reasons; /* greatest change first */
};

/* Zero-initialised has nothing. */
struct why {
    const struct column *measure;
    int64_t total[DIFF_SIDES];
    struct why_misses misses;
    int64_t repetitions[DIFF_SIDES]; /* of string instructions, which are in `total`; else 0 */
    char *builds; /* in what the builds differ, which may be why code does; NULL: in nothing */
    size_t n;
    struct why_group *groups; /* greatest change first; they add up to the change of the total */
    /* Private, but for names. */
    size_t n_reasons;
    struct why_reason *reasons;
    uint32_t n_ids; /* the groups of code without own code have ids from here on */
    char **names;   /* by ids */
    char *
        *versions; /* by ids: "serde 1.0.1 -> 1.0.2", where the crate's version changed; or NULL */
};

/* Says why two profiles cannot be asked, in a sentence that the caller frees; NULL: they can. */
char *why_problem(const struct diff *diff);
/* Finds the reasons of the change of a measure, an own cost among the columns of diff->common. The
 * diff must have its labels, and neither be filtered nor sorted. */
void why_load(struct why *why, const struct diff *diff,
              const struct crates *const crates[DIFF_SIDES], const struct column *measure);
void why_free(struct why *why);

/* The name of an id, or of a group. */
const char *why_name(const struct why *why, uint32_t id);

#endif
