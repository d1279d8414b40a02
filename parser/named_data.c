#include <config.h>

/* The lines of a named profile that say which data misses. */
#include "named.h"

/* KIND CONTEXT|- FUNCTION|- ADDRESS SIZE PATH|- BUILDID|- NAME|- */
int named_datum_record(struct named *w, const char *at)
{
    struct cprof_datum datum = {.context = CPROF_NONE, .function = CPROF_NONE};
    const char *start = at;
    uint64_t kind;

    if (named_number(w, &at, &kind))
        return -1;
    if (kind >= CPROF_DATA_KINDS)
        return framed_bad(&w->r, start, "kind of data that is not known");
    datum.kind = (enum cprof_data_kind)kind;
    if (datum.kind == CPROF_DATA_ALL && !builder_header(w->r.builder)->has_line_use)
        return framed_bad(&w->r, start, "data that are not told apart without 'line-use: yes'");
    if (named_maybe(w, &at, &w->contexts, "context", &datum.context) ||
        named_maybe(w, &at, &w->functions, "function", &datum.function) ||
        named_address(w, &at, &datum.address) || named_number(w, &at, &datum.size) ||
        named_maybe_word(w, &at, &datum.path) || named_maybe_word(w, &at, &datum.build_id) ||
        named_maybe_word(w, &at, &datum.name))
        return -1;
    if (datum.kind != CPROF_DATA_ALL)
        builder_header(w->r.builder)->has_data = 1;
    return named_add_index(w, &w->data, builder_datum(w->r.builder, &datum));
}

/* LINES USED. Misses may be a sum over profiles of which some do not know the use of lines. */
static int read_lines(struct named *w, const char **at, struct cprof_touch *touch)
{
    uint64_t misses = touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW];
    const char *start = *at;

    if (named_calls(w, at, &touch->lines) || named_calls(w, at, &touch->used))
        return -1;
    if (touch->lines / 2 + touch->lines % 2 > misses)
        return framed_bad(&w->r, start, "lines that D1 fetched are more than two for each miss");
    if (touch->used / CPROF_LINE_SIZE + (touch->used % CPROF_LINE_SIZE != 0) > touch->lines)
        return framed_bad(&w->r, start, "bytes used are more than 64 for each line");
    return 0;
}

/* DATUM CONTEXT|- FUNCTION FILE|- LINE ADDRESS LEAST STRIDE D1MR DLMR D1MW DLMW, and with
 * 'line-use:' also LINES USED */
int named_touch_record(struct named *w, const char *at)
{
    struct cprof_touch touch = {.place = {.file = CPROF_NONE}};

    if (named_index(w, &at, &w->data, "datum", &touch.datum) ||
        named_maybe(w, &at, &w->contexts, "context", &touch.context) ||
        named_index(w, &at, &w->functions, "function", &touch.place.function) ||
        named_maybe(w, &at, &w->files, "file", &touch.place.file) ||
        named_line_number(w, &at, &touch.place.line) ||
        named_address(w, &at, &touch.place.address) || named_number(w, &at, &touch.least) ||
        named_number(w, &at, &touch.stride))
        return -1;
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        if (named_calls(w, &at, &touch.misses[i]))
            return -1;
    if (builder_header(w->r.builder)->has_line_use && read_lines(w, &at, &touch))
        return -1;
    return builder_touch(w->r.builder, &touch);
}

static void put_datum(struct sink *out, const struct cprof_datum *d)
{
    sink_byte(out, NAMED_DATUM);
    named_put_unsigned(out, d->kind);
    named_put_index(out, d->context);
    named_put_index(out, d->function);
    named_put_address(out, d->address);
    named_put_unsigned(out, d->size);
    named_put_word(out, d->path);
    named_put_word(out, d->build_id);
    named_put_word(out, d->name);
    sink_end_line(out);
}

static void put_touch(struct sink *out, const struct cprof_touch *t, int has_line_use)
{
    sink_byte(out, NAMED_TOUCH);
    named_put_index(out, t->datum);
    named_put_index(out, t->context);
    named_put_index(out, t->place.function);
    named_put_index(out, t->place.file);
    named_put_unsigned(out, t->place.line);
    named_put_address(out, t->place.address);
    named_put_unsigned(out, t->least);
    named_put_unsigned(out, t->stride);
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        named_put_unsigned(out, t->misses[i]);
    if (has_line_use) {
        named_put_unsigned(out, t->lines);
        named_put_unsigned(out, t->used);
    }
    sink_end_line(out);
}

void named_put_data(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_data; i++)
        put_datum(out, &p->data[i]);
    for (uint32_t i = 0; i < p->n_touches; i++)
        put_touch(out, &p->touches[i], p->has_line_use);
}
