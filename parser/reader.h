/*
 * reader.h - the common part of all readers: the line at hand, event columns and rows of counts.
 */
#ifndef PARSER_READER_H
#define PARSER_READER_H

#include "builder.h"
#include "input.h"
#include "lex.h"

/* A file with more events is damaged. */
#define READER_MAX_EVENTS 1024

/*
 * `columns` has the event of each number of a cost line, as the last events line gives them. `row`
 * and `sums` have one number for each event of the file; `sums` is the self cost of the part so
 * far.
 */
struct reader {
    struct input *in;
    struct builder *builder;
    struct cprof_error *error;
    unsigned flags;
    const char *line, *end; /* the line at hand, without its line ending */
    int have_events;
    int has_other_sums; /* reader_check_sums() has found a difference */
    int has_negative;   /* a count below zero was read; sticky */
    int has_wrapped;    /* one of them had wrapped; sticky */
    int may_wrap;       /* counts from 2^63 on are negative ones that wrapped */
    uint32_t n_columns;
    uint32_t n_events;
    uint32_t columns[READER_MAX_EVENTS];
    int64_t row[READER_MAX_EVENTS];
    int64_t sums[READER_MAX_EVENTS];
};

/*
 * A kind of file that is read. `is_kind` tells by the first bytes of a file, of which the last line
 * may be cut; `read` makes one profile of all of `in`, or returns NULL with `error` filled. Formats
 * that differ within JSON only have one reader.
 */
struct input_format {
    enum cprof_format format;
    const char *word;  /* in profiles with names */
    const char *title; /* in messages; NULL: another row has it */
    int (*is_kind)(const char *at, size_t size);
    struct cprof_profile *(*read)(struct input *in, unsigned flags, struct cprof_error *error);
};

/* The `n` formats of the table, in the order in which they are tried. */
const struct input_format *input_formats(size_t *n);

/* A flag of raw_read(), beside those of cprof_load(): where it can be, contexts get no cost
 * records: profile_blocks(). */
#define READER_BLOCKS 0x80000000u

struct cprof_profile *callgrind_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *cachegrind_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *massif_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *named_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *folded_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *gperf_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *json_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *perf_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *pprof_read(struct input *in, unsigned flags, struct cprof_error *error);
struct cprof_profile *raw_read(struct input *in, unsigned flags, struct cprof_error *error);

int folded_is_kind(const char *at, size_t size);
int gperf_is_kind(const char *at, size_t size);
int json_is_kind(const char *at, size_t size);
int massif_is_kind(const char *at, size_t size);
int perf_is_kind(const char *at, size_t size);
int pprof_is_kind(const char *at, size_t size);

/* The number of the first line without a count, from 1, where others are stacks with one; else 0.
 */
unsigned folded_wrong_line(const char *at, size_t size);

/* `size` zero bytes for a struct that begins with a reader, for free(). NULL with the error filled.
 */
void *reader_new(size_t size, struct cprof_error *error);
/* Makes a profile: `read_all` (0 or -1) adds all to the reader's builder. NULL with the error
 * filled. */
struct cprof_profile *reader_run(struct reader *r, struct input *in, unsigned flags,
                                 struct cprof_error *error, enum cprof_format format,
                                 int (*read_all)(struct reader *r));
/* Fails where no events line was seen. 0 or -1. */
int reader_need_events(struct reader *r);

/* Fails with `code` at the place `at` of the line at hand (NULL: the line as a whole). Always -1.
 */
int reader_fail(struct reader *r, enum cprof_code code, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Fails because a number cannot be read: lex returned `result`, `what` names it ("count"). */
int reader_fail_number(struct reader *r, enum lex result, const char *at, const char *what);
/* Warns of the line at hand; with CPROF_STRICT it is a failure. 0 or -1. */
int reader_warn(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The rest of the line from `at`, without blanks before it, as an interned text. NULL with the
 * error filled. */
const char *reader_text(struct reader *r, const char *at);
/* The rest of the line with all blanks: names are bytes. */
const char *reader_name(struct reader *r, const char *at);
/* The bytes from `at` up to `end`, as an interned text. */
const char *reader_bytes(struct reader *r, const char *at, const char *end);
/* Reads a header field that is one number. */
int reader_long(struct reader *r, const char *at, long *value);
/* Reads the list of an "events:" line and makes the columns of it. */
int reader_events(struct reader *r, const char *at);
/* Reads the counts of a "summary:" or "totals:" line into `row`. 1; 0 with a warning where they
 * make no sense; -1. */
int reader_sums(struct reader *r, const char *at, int64_t *row);
/* Warns where the file's own sums, those of its `key` line, differ from the sums of its costs. 0
 * or -1. */
int reader_check_sums(struct reader *r, const char *key, const int64_t *row);
/* Keeps the text of a "desc:" line, and reads a cache's geometry from it where it has one. */
int reader_description(struct reader *r, const char *at);
/* Fails because a line has more counts than events. */
int reader_fail_surplus(struct reader *r, const char *at);

/* Takes the next line. 1; 0 at the end of the file; -1. */
static inline int reader_next(struct reader *r)
{
    size_t size;
    int result = input_line(r->in, &r->line, &size);

    if (result > 0) {
        size -= size && r->line[size - 1] == '\r';
        r->end = r->line + size;
    }
    return result;
}

/* Reads counts up to the end of the line into `row`; missing ones are 0. */
static inline int reader_counts(struct reader *r, const char *at)
{
    memset(r->row, 0, r->n_events * sizeof *r->row);
    for (uint32_t i = 0;; i++) {
        enum lex result;
        at = lex_skip_blanks(at, r->end);
        if (at == r->end)
            return 0;
        if (i == r->n_columns)
            return reader_fail_surplus(r, at);
        result = lex_count(&at, r->end, &r->row[r->columns[i]]);
        if (result == LEX_RANGE && r->may_wrap) {
            result = lex_wrapped_count(&at, r->end, &r->row[r->columns[i]]);
            r->has_wrapped |= result == LEX_OK;
        }
        if (result != LEX_OK || (at < r->end && !lex_is_blank(*at)))
            return reader_fail_number(r, result, at, "count");
        r->has_negative |= r->row[r->columns[i]] < 0;
    }
}

/* Adds the row to the part's sums. Where one would exceed 2^63-1 all stay as they are: -1, without
 * an error. */
static inline int reader_try_row(struct reader *r)
{
    for (uint32_t i = 0; i < r->n_events; i++) {
        int64_t sum;
        if (__builtin_add_overflow(r->sums[i], r->row[i], &sum)) {
            while (i-- > 0)
                r->sums[i] -= r->row[i];
            return -1;
        }
        r->sums[i] = sum;
    }
    return 0;
}

/* reader_try_row() with the error filled. */
static inline int reader_add_row(struct reader *r)
{
    return reader_try_row(r)
               ? reader_fail(r, CPROF_ERROR_RANGE, NULL, "the sum of all costs exceeds 2^63-1")
               : 0;
}

#endif
