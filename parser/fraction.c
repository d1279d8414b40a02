#include <config.h>

#include "fraction.h"

#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* A number that is this near to so many decimals has them: sums of doubles are not exact. */
#define NEAR 1e-2

static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

static void drop_zeros(struct fraction *f)
{
    while (f->decimals && f->digits % 10 == 0) {
        f->digits /= 10;
        f->decimals--;
    }
}

int fraction_of_number(double number, struct fraction *f)
{
    double scaled = number * (double)powers[FRACTION_DECIMALS];

    *f = (struct fraction){.decimals = FRACTION_DECIMALS};
    if (!(number >= 0) || !(number < 9.2e18))
        return -1;
    if (scaled >= 9e15) { /* such a double is a whole number, or nearly */
        scaled = number;
        f->decimals = 0;
    }
    f->digits = (uint64_t)(scaled + 0.5);
    f->is_rounded = fabs(scaled - (double)f->digits) > NEAR;
    drop_zeros(f);
    return 0;
}

int fraction_of_text(const char *at, const char *end, struct fraction *f)
{
    unsigned next = 0;

    *f = (struct fraction){0};
    if (lex_decimal(&at, end, &f->digits) != LEX_OK)
        return -1;
    if (at < end && *at++ != '.')
        return -1;
    for (; at < end && lex_is_digit(*at) && f->decimals < FRACTION_DECIMALS; at++, f->decimals++)
        if (__builtin_mul_overflow(f->digits, 10, &f->digits) ||
            __builtin_add_overflow(f->digits, (unsigned)(*at - '0'), &f->digits))
            return -1;
    if (at < end && lex_is_digit(*at))
        next = (unsigned)(*at - '0');
    for (; at < end && lex_is_digit(*at); at++)
        f->is_rounded |= *at != '0';
    f->digits += next >= 5;
    drop_zeros(f);
    return at == end ? 0 : -1;
}

int fraction_add(struct stacks *s, uint32_t node, uint32_t column, struct fraction_scale *scale,
                 const struct fraction *f)
{
    uint64_t digits = f->digits;

    scale->is_rounded |= f->is_rounded;
    if (f->decimals > scale->decimals) {
        if (stacks_multiply(s, column, powers[f->decimals - scale->decimals]))
            return -1;
        scale->decimals = f->decimals;
    }
    if (__builtin_mul_overflow(digits, powers[scale->decimals - f->decimals], &digits))
        digits = UINT64_MAX; /* which no sum has room for */
    return stacks_add(s, node, column, digits);
}

const char *fraction_event(struct reader *r, const struct stacks *s, uint32_t column,
                           const struct fraction_scale *scale, const char *name)
{
    uint64_t power = powers[scale->decimals], total = (uint64_t)s->totals[column];
    char event[160];

    if (!scale->decimals && !scale->is_rounded)
        return name;
    if (!scale->decimals)
        return reader_warn(r, "counts of '%.100s' are rounded: they have fractions", name) ? NULL
                                                                                           : name;
    if (reader_warn(r,
                    "counts have fractions, and are multiplied: '%.100s/%" PRIu64 "' has %" PRIu64
                    " for %" PRIu64 ".%0*" PRIu64 "%s",
                    name, power, total, total / power, (int)scale->decimals, total % power,
                    scale->is_rounded ? "; decimals beyond the sixth are rounded" : ""))
        return NULL;
    snprintf(event, sizeof event, "%.100s/%" PRIu64, name, power);
    return builder_text(r->builder, event, strlen(event));
}
