/*
 * text.h - shown names, clean by clean.h, and shown numbers.
 */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include "base/clean.h"
#include "base/count.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands in place of a number of calls where code was inlined. */
#define TEXT_INLINED     "inlined"
/* A signal ended the program: behind a name, and as a line. */
#define TEXT_INTERRUPTED "(interrupted)"
#define TEXT_ENDED       "interrupted: a signal ended the program, the profile is of what ran before"

/* The columns of a clean text: wide characters take two, combining ones none. */
unsigned text_width(const char *text, bool utf8);

enum text_cut {
    TEXT_CUT_MIDDLE,
    TEXT_CUT_START,
    TEXT_CUT_END,
    TEXT_CUT_NAME, /* a function's name: text_shorten_name() */
};

/* A copy of a clean text, of at most `width` columns, with an ellipsis in place of what is cut; the
 * caller frees it. */
char *text_shorten(const char *text, unsigned width, enum text_cut cut, bool utf8);
/*
 * The same for a function's name. Contents of brackets go before the name itself: first a
 * function's parameters, then the arguments of types and functions, then the brackets; and if that
 * is not enough, the middle:
 *
 *     std::vector<int, std::allocator<int> >::push_back(int const&)
 *     std::vector<int, …r<int> >::push_back(…)
 *     std::vector<…>::push_back(…)
 *     std::vector…::push_back…
 *     std::vec…ush_back
 */
char *text_shorten_name(const char *name, unsigned width, bool utf8);

/* "117.2M": at most 7 columns; exact below 10,000. */
char *text_count_short(char buffer[TEXT_NUMBER], int64_t value);
/* "117M", "1.2G": at most 4 columns, 5 below zero; exact below 10,000. */
char *text_count_shortest(char buffer[TEXT_NUMBER], int64_t value);
/* `part` as a percentage of `whole` with `decimals` digits after the point, "28.4"; "-" where
 * `whole` is 0. */
char *text_percent(char buffer[TEXT_NUMBER], int64_t part, int64_t whole, unsigned decimals);

#endif
