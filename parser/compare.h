/*
 * compare.h - comparison functions for qsort(), by several values.
 */
#ifndef PARSER_COMPARE_H
#define PARSER_COMPARE_H

/* Returns from a comparison function where two values differ. */
#define COMPARE(x, y)                  \
    do {                               \
        if ((x) != (y))                \
            return (x) < (y) ? -1 : 1; \
    } while (0)

#endif
