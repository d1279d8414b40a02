#include <config.h>

/* The lines of a named profile that say which data misses, and of which type it is. */

#include "error.h"
#include "named.h"

#include <stdlib.h>

/* A word that is not empty; NULL on failure. */
static const char *read_name(struct named *w, const char **at)
{
    if (*at < w->r.end && **at != ' ')
        return named_word(w, at);
    framed_bad(&w->r, *at, "name is missing");
    return NULL;
}

/* DEPTH OFFSET SIZE TYPE|- NAME, of a type of `size` bytes and behind a member of depth `before`;
 * -1: it is the first. */
static int read_member(struct named *w, const char **at, uint64_t size, int64_t before,
                       struct cprof_member *m)
{
    const char *start = *at;

    if (named_line_number(w, at, &m->depth) || named_number(w, at, &m->offset) ||
        named_number(w, at, &m->size) || named_maybe_word(w, at, &m->type) ||
        !(m->name = read_name(w, at)))
        return -1;
    if (m->depth > before + 1)
        return framed_bad(&w->r, start, "a member that is in none");
    return m->offset > size || m->size > size - m->offset
               ? framed_bad(&w->r, start, "a member beyond the end of its type")
               : 0;
}

static int read_members(struct named *w, const char *at, const struct cprof_type *type,
                        struct vector *members)
{
    int64_t before = -1;

    while (at < w->r.end) {
        struct cprof_member *new = vector_push(members, sizeof *new);

        if (!new)
            return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        if (read_member(w, &at, type->size, before, new))
            return -1;
        before = new->depth;
    }
    return 0;
}

/* SIZE REORDERED NAME MEMBER... */
int named_type_record(struct named *w, const char *at)
{
    struct cprof_type type = {.n_members = 0};
    struct vector members = {NULL, 0, 0};
    uint64_t reordered;
    int result;

    if (named_calls(w, &at, &type.size) || named_number(w, &at, &reordered) ||
        !(type.name = read_name(w, &at)))
        return -1;
    type.reordered = reordered != 0;
    result = read_members(w, at, &type, &members);
    type.n_members = (uint32_t)members.count;
    if (!result)
        result = named_add_index(w, &w->types, builder_type(w->r.builder, &type, members.data));
    free(members.data);
    return result;
}

/* KIND CONTEXT|- FUNCTION|- ADDRESS SIZE PATH|- BUILDID|- NAME|- [TYPE] */
int named_datum_record(struct named *w, const char *at)
{
    struct cprof_datum datum = {.context = CPROF_NONE, .function = CPROF_NONE, .type = CPROF_NONE};
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
        named_maybe_word(w, &at, &datum.name) ||
        (at < w->r.end && named_index(w, &at, &w->types, "type", &datum.type)))
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

/* DATUM CONTEXT|- FUNCTION FILE|- LINE ADDRESS LEAST STRIDE SIZE D1MR DLMR D1MW DLMW, and with
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
        named_number(w, &at, &touch.stride) || named_number(w, &at, &touch.size))
        return -1;
    for (int i = 0; i < CPROF_DATA_EVENTS; i++)
        if (named_calls(w, &at, &touch.misses[i]))
            return -1;
    if (builder_header(w->r.builder)->has_line_use && read_lines(w, &at, &touch))
        return -1;
    return builder_touch(w->r.builder, &touch);
}

static void put_type(struct sink *out, const struct cprof_profile *p, const struct cprof_type *t)
{
    sink_byte(out, NAMED_TYPE);
    named_put_unsigned(out, t->size);
    named_put_unsigned(out, t->reordered);
    named_put_word(out, t->name);
    for (uint32_t i = t->first_member; i < t->first_member + t->n_members; i++) {
        const struct cprof_member *m = &p->members[i];

        named_put_unsigned(out, m->depth);
        named_put_unsigned(out, m->offset);
        named_put_unsigned(out, m->size);
        named_put_word(out, m->type);
        named_put_word(out, m->name);
    }
    sink_end_line(out);
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
    if (d->type != CPROF_NONE)
        named_put_index(out, d->type);
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
    named_put_unsigned(out, t->size);
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
    for (uint32_t i = 0; i < p->n_types; i++)
        put_type(out, p, &p->types[i]);
    for (uint32_t i = 0; i < p->n_data; i++)
        put_datum(out, &p->data[i]);
    for (uint32_t i = 0; i < p->n_touches; i++)
        put_touch(out, &p->touches[i], p->has_line_use);
}

/*--- Miss curves ---*/

/* The lines of a named profile that have miss curves; their sizes are a key of the header. */

int named_curve_sizes(struct named *w, const char *at)
{
    uint64_t last = 0;

    if (w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a second 'curve-sizes:'");
    do {
        const char *start = at;
        uint64_t size, *new;

        if (named_calls(w, &at, &size))
            return -1;
        if (size <= last)
            return framed_bad(&w->r, start, "sizes of caches do not grow");
        last = size;
        if (!(new = vector_push(&w->curve_sizes, sizeof *new)))
            return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        *new = size;
    } while (at < w->r.end);
    return builder_curve_sizes(w->r.builder, w->curve_sizes.data, w->curve_sizes.count);
}

static int is_size(const struct named *w, uint64_t size)
{
    const uint64_t *sizes = w->curve_sizes.data;

    for (size_t i = 0; i < w->curve_sizes.count; i++)
        if (sizes[i] == size)
            return 1;
    return !size && w->curve_sizes.count;
}

/* DATUM|- CONTEXT|- FUNCTION|- FILE|- LINE ADDRESS KIND SIZE MISSES */
int named_reuse_record(struct named *w, const char *at)
{
    struct cprof_reuse reuse = {.kind = 0};
    const char *start = at;
    uint64_t kind;

    if (named_maybe(w, &at, &w->data, "datum", &reuse.datum) ||
        named_maybe(w, &at, &w->contexts, "context", &reuse.context) ||
        named_maybe(w, &at, &w->functions, "function", &reuse.place.function) ||
        named_maybe(w, &at, &w->files, "file", &reuse.place.file) ||
        named_line_number(w, &at, &reuse.place.line) || named_address(w, &at, &reuse.place.address))
        return -1;
    if ((reuse.datum == CPROF_NONE) == (reuse.place.function == CPROF_NONE))
        return framed_bad(&w->r, start, "a miss curve is of a datum, or of a function");
    start = at;
    if (named_number(w, &at, &kind))
        return -1;
    if (kind >= CPROF_REUSE_KINDS)
        return framed_bad(&w->r, start, "kind of access that is not known");
    reuse.kind = (uint32_t)kind;
    start = at;
    if (named_number(w, &at, &reuse.size))
        return -1;
    if (!is_size(w, reuse.size))
        return framed_bad(&w->r, start, "size that is not in 'curve-sizes:'");
    return named_calls(w, &at, &reuse.misses) ? -1 : builder_reuse(w->r.builder, &reuse);
}

void named_write_curve_sizes(struct sink *out, const char *key, const struct cprof_profile *p)
{
    if (!p->n_curve_sizes)
        return;
    sink_text(out, key);
    sink_byte(out, ':');
    for (uint32_t i = 0; i < p->n_curve_sizes; i++)
        named_put_unsigned(out, p->curve_sizes[i]);
    sink_end_line(out);
}

static void put_reuse(struct sink *out, const struct cprof_reuse *r)
{
    sink_byte(out, NAMED_REUSE);
    named_put_index(out, r->datum);
    named_put_index(out, r->context);
    named_put_index(out, r->place.function);
    named_put_index(out, r->place.file);
    named_put_unsigned(out, r->place.line);
    named_put_address(out, r->place.address);
    named_put_unsigned(out, r->kind);
    named_put_unsigned(out, r->size);
    named_put_unsigned(out, r->misses);
    sink_end_line(out);
}

void named_put_curves(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_reuses; i++)
        put_reuse(out, &p->reuses[i]);
    for (uint32_t i = 0; i < p->n_data_reuses; i++)
        put_reuse(out, &p->data_reuses[i]);
}
