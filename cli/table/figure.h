/*
 * figure.h - the numbers in the rows of tables of memory: counts, percentages and sizes.
 */
#ifndef TABLE_FIGURE_H
#define TABLE_FIGURE_H

#include <stdint.h>

enum figure_kind {
    FIGURE_COUNT,
    FIGURE_PERCENT,
    FIGURE_SIZE /* of a cache, in bytes; 0: there is none */
};

struct figure {
    enum figure_kind kind;
    int64_t value, whole; /* of a percentage: a part, and what it is a part of; 0: not known */
    unsigned decimals;    /* of a percentage */
};

static inline struct figure figure_count(int64_t value)
{
    return (struct figure){.kind = FIGURE_COUNT, .value = value};
}

static inline struct figure figure_percent(int64_t part, int64_t whole, unsigned decimals)
{
    return (struct figure){
        .kind = FIGURE_PERCENT, .value = part, .whole = whole, .decimals = decimals};
}

/* A number that nobody counted. */
static inline struct figure figure_unknown(void)
{
    return figure_percent(0, 0, 0);
}

/* The number that rows are sorted by. What is not known is less than all that is. */
static inline long double figure_order(const struct figure *f)
{
    if (f->kind != FIGURE_PERCENT)
        return (long double)f->value;
    return f->whole ? (long double)f->value / (long double)f->whole : (long double)INT64_MIN;
}

#endif
