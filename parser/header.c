#include <config.h>

#include "header.h"

#include "cprof_internal.h"
#include "framed.h"

#include <stdio.h>

#define FIELD(field, key, kind, least, ...) \
    {key, kind, least, offsetof(struct cprof_profile, field), {__VA_ARGS__}},
static const struct header_field fields[] = {HEADER_FIELDS(FIELD)};
#undef FIELD
enum { N_FIELDS = sizeof fields / sizeof *fields };

_Static_assert(sizeof(enum cprof_random) == sizeof(int) &&
                   sizeof(enum cprof_subject) == sizeof(int),
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
    const char **text;

    switch (f->kind) {
    case HEADER_TEXT:
        text = place(f, builder_header(r->builder));
        *text = framed_text(r, at, r->end);
        return *text ? 0 : -1;
    case HEADER_NUMBER:
        return read_number(r, f, at);
    default:
        return read_word(r, f, at);
    }
}

const char *header_text(const struct header_field *f, const struct cprof_profile *p, char room[24])
{
    const void *from = value(f, p);
    int word;

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
    return header_text(header_field(key), p, NULL);
}

void builder_copy_header(struct builder *b, const struct cprof_profile *p)
{
    struct cprof_profile *h = builder_header(b);

    for (size_t i = 0; i < N_FIELDS; i++) {
        const void *from = value(&fields[i], p);
        void *to = place(&fields[i], h);
        const char *text;

        if (fields[i].kind == HEADER_NUMBER) {
            memcpy(to, from, sizeof(long));
        } else if (fields[i].kind == HEADER_WORD) {
            memcpy(to, from, sizeof(int));
        } else {
            text = *(const char *const *)from;
            *(const char **)to = text ? builder_text(b, text, strlen(text)) : NULL;
        }
    }
}
