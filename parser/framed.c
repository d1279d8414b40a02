#include <config.h>

#include "framed.h"

#include "cp_format.h"
#include "cprof_internal.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>

int framed_bad(struct reader *r, const char *at, const char *text)
{
    return reader_fail(r, CPROF_ERROR_SYNTAX, at, "%s", text);
}

/* Reads the number that is the rest of a line. */
static int last_number(struct reader *r, const char *at, uint64_t *value)
{
    const char *start = at;
    enum lex result = lex_decimal(&at, r->end, value);

    if (result != LEX_OK)
        return reader_fail_number(r, result, start, "number");
    return at == r->end ? 0 : framed_bad(r, at, "more than a number");
}

int framed_whole_line(struct reader *r)
{
    return input_line_is_whole(r->in)
               ? 0
               : reader_fail(r, CPROF_ERROR_TRUNCATED, NULL,
                             "the file is cut short: its last line is not whole");
}

static int fail_version(struct reader *r, const struct framed *kind, uint64_t version)
{
    return reader_fail(r, CPROF_ERROR_VERSION, NULL, "version %llu of %s is not supported, only %u",
                       (unsigned long long)version, kind->what, kind->version);
}

int framed_first_line(struct reader *r, const struct framed *kind)
{
    size_t size = strlen(kind->magic);
    uint64_t version;

    if (framed_whole_line(r))
        return -1;
    if ((size_t)(r->end - r->line) <= size || memcmp(r->line, kind->magic, size) != 0 ||
        r->line[size] != ' ')
        return reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "first line is not '%s' and a version",
                           kind->magic);
    if (last_number(r, r->line + size + 1, &version))
        return -1;
    if (version != kind->version)
        return fail_version(r, kind, version);
    return 0;
}

int framed_last_line(struct reader *r, unsigned long before)
{
    uint64_t lines;

    if (last_number(r, r->line + sizeof CP_RAW_END, &lines))
        return -1;
    if (lines != before)
        return reader_fail(r, CPROF_ERROR_TRUNCATED, NULL,
                           "file has lost lines: %lu stand before '" CP_RAW_END
                           "', %llu were written",
                           before, (unsigned long long)lines);
    return 0;
}

int framed_lines(struct reader *r, const struct framed *kind, int (*line)(struct reader *r),
                 const int *ended)
{
    int more = reader_next(r);

    if (more > 0 && framed_first_line(r, kind))
        return -1;
    while (more > 0 && (more = reader_next(r)) > 0)
        if (framed_whole_line(r) || line(r))
            return -1;
    if (more < 0)
        return -1;
    return *ended ? 0
                  : error_set(r->error, CPROF_ERROR_TRUNCATED,
                              "the file is cut short: its '" CP_RAW_END "' line is missing");
}

/* Reads one byte of a text and undoes its escape. */
static int read_byte(struct reader *r, const char **at, const char *end, char *byte)
{
    const char *digits = *at + 2, *stop = *at + 4;
    uint64_t value;

    if (**at != CP_RAW_ESCAPE) {
        *byte = *(*at)++;
        return *byte ? 0 : framed_bad(r, *at - 1, "text holds a NUL byte");
    }
    if (end - *at < 4 || (*at)[1] != 'x' || lex_hex(&digits, stop, &value) != LEX_OK ||
        digits != stop || !value)
        return framed_bad(r, *at, "text holds an escape other than '\\xHH'");
    *byte = (char)(unsigned char)value;
    *at = stop;
    return 0;
}

const char *framed_text(struct reader *r, const char *at, const char *end)
{
    size_t size = 0;
    const char *text = NULL;
    char *bytes;

    if (!memchr(at, CP_RAW_ESCAPE, (size_t)(end - at)))
        return reader_bytes(r, at, end);
    bytes = malloc((size_t)(end - at));
    if (!bytes) {
        error_memory(r->error);
        return NULL;
    }
    while (at < end && !read_byte(r, &at, end, &bytes[size]))
        size++;
    if (at == end)
        text = builder_text(r->builder, bytes, size);
    free(bytes);
    return text;
}

/*--- Fields of lines ---*/

int framed_define(struct reader *r, struct vector *defined, uint32_t index)
{
    if (index == CPROF_NONE)
        return -1; /* the builder has reported why */
    return vector_add(defined, &index, sizeof index) ? error_memory(r->error) : 0;
}

int framed_curve_sizes(struct reader *r, const char *at, struct vector *sizes)
{
    uint64_t last = 0, *new;

    do {
        const char *start = at;

        if (!(new = vector_push(sizes, sizeof *new)))
            return error_memory(r->error);
        if (framed_count(r, &at, new))
            return -1;
        if (*new <= last)
            return framed_bad(r, start, "sizes of caches do not grow");
        last = *new;
    } while (at < r->end);
    return builder_curve_sizes(r->builder, sizes->data, sizes->count);
}

/*--- Fields of headers ---*/

#define FIELD(field, key, kind, least, ...) \
    {key, kind, least, offsetof(struct cprof_profile, field), {__VA_ARGS__}},
static const struct header_field fields[] = {HEADER_FIELDS(FIELD)};
#undef FIELD
enum { N_FIELDS = sizeof fields / sizeof *fields };

_Static_assert(sizeof(enum cprof_random) == sizeof(int) &&
                   sizeof(enum cprof_subject) == sizeof(int) &&
                   sizeof(enum cprof_schedule) == sizeof(int) &&
                   sizeof(enum cprof_clock) == sizeof(int),
               "words are read and written as int");

static void *place(const struct header_field *f, struct cprof_profile *p)
{
    return (char *)p + f->at;
}

static const void *value(const struct header_field *f, const struct cprof_profile *p)
{
    return (const char *)p + f->at;
}

const struct header_field *header_field(const char *key)
{
    size_t i = 0;

    while (strcmp(fields[i].key, key) != 0)
        i++;
    return &fields[i];
}

static int fail_word(struct reader *r, const struct header_field *f, const char *at)
{
    char words[64];
    int size = 0;

    for (size_t i = 0; f->words[i]; i++)
        size += snprintf(words + size, sizeof words - (size_t)size, "%s'%s'",
                         !i                ? ""
                         : f->words[i + 1] ? ", "
                                           : " or ",
                         f->words[i]);
    return reader_fail(r, CPROF_ERROR_SYNTAX, at, "'%s:' is not %s", f->key, words);
}

/* Reads one of the words: the greatest of several holds. */
static int read_word(struct reader *r, const struct header_field *f, const char *at)
{
    int *to = place(f, builder_header(r->builder));

    for (int i = 0; f->words[i]; i++)
        if (strlen(f->words[i]) == (size_t)(r->end - at) &&
            !memcmp(at, f->words[i], strlen(f->words[i]))) {
            *to = i + 1 > *to ? i + 1 : *to;
            return 0;
        }
    return fail_word(r, f, at);
}

static int read_number(struct reader *r, const struct header_field *f, const char *at)
{
    long *to = place(f, builder_header(r->builder)), number;

    if (reader_long(r, at, &number))
        return -1;
    if (number < f->least)
        return reader_fail(r, CPROF_ERROR_RANGE, at, "'%s:' is less than %ld", f->key, f->least);
    *to = number > *to ? number : *to;
    return 0;
}

int header_read(struct reader *r, const struct header_field *f, const char *at)
{
    const char *text;

    switch (f->kind) {
    case HEADER_TEXT:
        text = framed_text(r, at, r->end);
        *(const char **)place(f, builder_header(r->builder)) = text;
        return text ? 0 : -1;
    case HEADER_LIST:
        text = framed_text(r, at, r->end);
        return text ? builder_add_text(r->builder, (enum builder_list)f->least, text) : -1;
    case HEADER_NUMBER:
        return read_number(r, f, at);
    default:
        return read_word(r, f, at);
    }
}

/* Text `i` of a list; NULL behind the last. */
static const char *list_text(const struct header_field *f, const struct cprof_profile *p,
                             uint32_t i)
{
    const uint32_t n[] = {[BUILDER_ARGUMENTS] = p->n_arguments,
                          [BUILDER_SETUP] = p->n_setup,
                          [BUILDER_DESCRIPTIONS] = p->n_descriptions};

    return i < n[f->least] ? (*(const char *const *const *)value(f, p))[i] : NULL;
}

const char *header_text(const struct header_field *f, const struct cprof_profile *p, uint32_t i,
                        char room[24])
{
    const void *from = value(f, p);
    int word;

    if (f->kind == HEADER_LIST)
        return list_text(f, p, i);
    if (i)
        return NULL;
    switch (f->kind) {
    case HEADER_TEXT:
        return *(const char *const *)from;
    case HEADER_NUMBER:
        snprintf(room, 24, "%ld", *(const long *)from);
        return *(const long *)from < f->least ? NULL : room;
    default:
        word = *(const int *)from;
        return word ? f->words[word - 1] : NULL;
    }
}

const char *profile_header_text(const struct cprof_profile *p, const char *key)
{
    return header_text(header_field(key), p, 0, NULL);
}

void builder_copy_header(struct builder *b, const struct cprof_profile *p)
{
    struct cprof_profile *h = builder_header(b);

    for (size_t i = 0; i < N_FIELDS; i++) {
        const void *from = value(&fields[i], p);
        void *to = place(&fields[i], h);
        const char *text;

        if (fields[i].kind == HEADER_LIST) {
            for (uint32_t k = 0; (text = list_text(&fields[i], p, k)); k++)
                builder_add_text(b, (enum builder_list)fields[i].least, text);
        } else if (fields[i].kind == HEADER_NUMBER) {
            memcpy(to, from, sizeof(long));
        } else if (fields[i].kind == HEADER_WORD) {
            memcpy(to, from, sizeof(int));
        } else {
            text = *(const char *const *)from;
            *(const char **)to = text ? builder_text(b, text, strlen(text)) : NULL;
        }
    }
}
