/*
 * text.h - shown names, clean by clean.h, numbers and lines of code; labels of functions.
 */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include "base/clean.h"
#include "base/counts.h"
#include "source/source_file.h"
#include "table/rows.h"

#include <stddef.h>
#include <stdint.h>

/* Stands in place of a number of calls where code was inlined. */
#define TEXT_INLINED     "inlined"
/* A signal ended the program: behind a name, and as a line. */
#define TEXT_INTERRUPTED "(interrupted)"
#define TEXT_LOST        "(samples lost)"
#define TEXT_ENDED       "interrupted: a signal ended the program, the profile is of what ran before"

/* The columns of a clean text: wide characters take two, combining ones none. */
unsigned text_width(const char *text);

/*
 * How a text is shortened. A function's name is the fullest form of it that fits. Words are not cut
 * until the last part of its path is alone and too wide, and only there is an ellipsis. Additions
 * (tags, places) stay.
 *
 *     <nnet::net::Layer<T> as Model<M>>::train::<f64> #2
 *     <nnet::net::Layer as Model>::train::<f64> #2
 *     nnet::net::Layer::train::<f64> #2
 *     Layer::train::<f64> #2
 *     Layer::train #2
 *     tr…n #2
 *
 * One of several that would look alike keeps its arguments or parameters in the last part of the
 * path, which are cut: "train::<f64, Mat…32>>".
 *
 * All names of a chain are shortened as far as their last parts, "Type::a › b › c"; then those in
 * the middle go, "a › … › c", and then all but the first one, "a › …".
 *
 * A place keeps its first folder, which is the crate in "regex-automata/src/dfa/search.rs:88", and
 * its file: "regex-automata/…/search.rs:88"; in less room only its file.
 */
enum text_cut {
    TEXT_CUT_MIDDLE,
    TEXT_CUT_START,
    TEXT_CUT_END,
    TEXT_CUT_NAME,    /* a function's name */
    TEXT_CUT_WRITTEN, /* that in a file, which is UTF-8 in any locale */
    TEXT_CUT_ALIKE,   /* one of several that would look alike */
    TEXT_CUT_CHAIN,   /* names of functions that are inlined into each other */
    TEXT_CUT_PLACE    /* a file, with a line or without */
};

/* A copy of a clean text, of at most `width` columns, with an ellipsis in place of what is cut; the
 * caller frees it. */
char *text_shorten(const char *text, unsigned width, enum text_cut cut);

/* The bytes of a clean text that a line of `width` columns has: words that fit, and of one that is
 * longer than a line what fits, up to "::" where it has some. 0 for "" only. Blanks where the line
 * ends are not in it. */
size_t text_line_size(const char *text, unsigned width);

/* The columns below which a name loses letters of the last part of its path, and a place its crate
 * or its file. */
unsigned text_least_name(const char *name);
unsigned text_least_place(const char *place);

/* A name for where no width is a limit: of more than TEXT_NAME_MOST columns without arguments and
 * the like, but with all letters of its last part. The caller frees it. */
enum { TEXT_NAME_MOST = 100 };
char *text_long_name(const char *name);

/* The text between names of a chain: functions that are inlined into each other, "a › b › c". */
const char *text_chain_arrow(void);
/* The columns below which the first name of a chain loses letters. */
unsigned text_least_chain(const char *chain);

/* "3.21 s", "658 ms", "12.0 us" of nanoseconds. */
char *text_duration(char buffer[TEXT_NUMBER], int64_t nanoseconds);
/* A column's value, as a duration where it is one, else as a count. */
struct column;
const char *text_value(char buffer[TEXT_NUMBER], const struct column *column, int64_t value);
/* "117.2M": at most 7 columns; exact below 10,000. */
char *text_count_short(char buffer[TEXT_NUMBER], int64_t value);
/* "117M", "1.2G": at most 4 columns, 5 below zero; exact below 10,000. */
char *text_count_shortest(char buffer[TEXT_NUMBER], int64_t value);
/* `part` as a percentage of `whole` with `decimals` digits after the point, "28.4"; "-" where
 * `whole` is 0. */
char *text_percent(char buffer[TEXT_NUMBER], int64_t part, int64_t whole, unsigned decimals);

/*--- Lines of code ---*/

/*
 * A line of code (any bytes, without its end) that can be shown: clean as `rule` makes a text,
 * text_clean() or text_shown(), tabs expanded to every 8th column, blanks at its end left out, and
 * no longer than anybody reads. The caller frees it.
 */
char *code_text(const char *line, size_t size, char *(*rule)(const char *text));
/* code_text() of a line of a file; NULL where that is not known. */
char *code_line(const struct source *source, uint32_t line, char *(*rule)(const char *text));

/* A line of code for JSON: valid UTF-8, with tabs and all, cut where it is absurdly long. */
char *code_json(const char *line, size_t size);

/*--- Labels ---*/

/*
 * The label of each function of a profile: the name of its row, with what tells it from others of
 * that name.
 */

struct labels {
    uint32_t n;
    char **items; /* by the function's index in the profile */
};

/* Makes the labels of all functions of the rows' profile; `rule` makes a text of a
 * name, as text_shown() does. labels_free() ends them. */
void labels_load(struct labels *labels, const struct rows *rows, char *(*rule)(const char *text));
void labels_free(struct labels *labels);

#endif
