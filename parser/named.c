#include <config.h>

#include "named.h"

#include "error.h"
#include "profile.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*--- Fields ---*/

static int skip_blank(struct named *w, const char **at)
{
    if (*at < w->r.end && **at != ' ')
        return framed_bad(&w->r, *at, "a field ends at a blank");
    *at += *at < w->r.end;
    return 0;
}

int named_number(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_decimal(at, w->r.end, value);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    return skip_blank(w, at);
}

int named_long(struct named *w, const char **at, long *value)
{
    const char *start = *at, *end = memchr(start, ' ', (size_t)(w->r.end - start));
    enum lex result = lex_long(start, end ? end : w->r.end, value);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    *at = end ? end + 1 : w->r.end;
    return 0;
}

static int named_line_number(struct named *w, const char **at, uint32_t *line)
{
    const char *start = *at;
    uint64_t value;

    if (named_number(w, at, &value))
        return -1;
    if (value > UINT32_MAX)
        return reader_fail_number(&w->r, LEX_RANGE, start, "line number");
    *line = (uint32_t)value;
    return 0;
}

static int named_address(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_hex(at, w->r.end, value);

    return result != LEX_OK ? reader_fail_number(&w->r, result, start, "address")
                            : skip_blank(w, at);
}

/* A number of calls, which are signed elsewhere. */
static int named_calls(struct named *w, const char **at, uint64_t *calls)
{
    const char *start = *at;

    if (named_number(w, at, calls))
        return -1;
    return *calls > INT64_MAX ? reader_fail_number(&w->r, LEX_RANGE, start, "number") : 0;
}

/* The builder's index of something that is defined; `what` names it. */
static int named_index(struct named *w, const char **at, const struct vector *defined,
                       const char *what, uint32_t *index)
{
    const char *start = *at;
    uint64_t value;

    if (named_number(w, at, &value))
        return -1;
    if (value >= defined->count)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %llu is not defined", what,
                           (unsigned long long)value);
    *index = ((const uint32_t *)defined->data)[value];
    return 0;
}

/* named_index(), or CPROF_NONE for NAMED_NONE. */
static int named_maybe(struct named *w, const char **at, const struct vector *defined,
                       const char *what, uint32_t *index)
{
    if (*at == w->r.end || **at != NAMED_NONE)
        return named_index(w, at, defined, what, index);
    *index = CPROF_NONE;
    ++*at;
    return skip_blank(w, at);
}

const char *named_word(struct named *w, const char **at)
{
    const char *end = memchr(*at, ' ', (size_t)(w->r.end - *at)), *text;

    if (!end)
        end = w->r.end;
    text = framed_text(&w->r, *at, end);
    *at = end + (end < w->r.end);
    return text;
}

int named_maybe_word(struct named *w, const char **at, const char **word)
{
    int none = *at < w->r.end && **at == NAMED_NONE && (*at + 1 == w->r.end || (*at)[1] == ' ');

    *word = named_word(w, at);
    if (!*word)
        return -1;
    if (none)
        *word = NULL;
    return 0;
}

int named_add_index(struct named *w, struct vector *to, uint32_t index)
{
    uint32_t *new;

    if (index == CPROF_NONE)
        return -1; /* the builder has reported why */
    new = vector_push(to, sizeof *new);
    if (!new)
        return error_memory(w->r.error);
    *new = index;
    return 0;
}

/*--- Writing ---*/

void named_put_unsigned(struct sink *out, uint64_t number)
{
    sink_byte(out, ' ');
    sink_unsigned(out, number);
}

void named_put_signed(struct sink *out, int64_t number)
{
    sink_byte(out, ' ');
    sink_signed(out, number);
}

void named_put_address(struct sink *out, uint64_t address)
{
    sink_byte(out, ' ');
    sink_hex(out, address);
}

static void put_none(struct sink *out)
{
    sink_byte(out, ' ');
    sink_byte(out, NAMED_NONE);
}

void named_put_index(struct sink *out, uint32_t index)
{
    if (index == CPROF_NONE)
        put_none(out);
    else
        named_put_unsigned(out, index);
}

static void put_escape(struct sink *out, unsigned char byte)
{
    const char escape[] = {CP_RAW_ESCAPE, 'x', "0123456789abcdef"[byte >> 4],
                           "0123456789abcdef"[byte & 15]};

    sink_bytes(out, escape, sizeof escape);
}

/* Bytes that stand for themselves are most of any text: they are put piece by piece. */
static void put_bytes(struct sink *out, const char *text, int is_word)
{
    const char *start = text;

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c >= 0x20 && c != 0x7f && c != CP_RAW_ESCAPE && (c != ' ' || !is_word))
            continue;
        sink_bytes(out, start, (size_t)(text - start));
        put_escape(out, c);
        start = text + 1;
    }
    sink_bytes(out, start, (size_t)(text - start));
}

void named_put_text(struct sink *out, const char *text)
{
    sink_byte(out, ' ');
    put_bytes(out, text, 0);
}

void named_put_word(struct sink *out, const char *text)
{
    if (!text) {
        put_none(out);
        return;
    }
    sink_byte(out, ' ');
    if (text[0] == NAMED_NONE && !text[1])
        put_escape(out, NAMED_NONE);
    else
        put_bytes(out, text, 1);
}

void named_put_counts(struct sink *out, const int64_t *values, uint32_t n)
{
    while (n > 1 && !values[n - 1])
        n--;
    for (uint32_t i = 0; i < n; i++)
        named_put_signed(out, values[i]);
    sink_end_line(out);
}

/*--- Data ---*/

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
            return error_memory(w->r.error);
        if (read_member(w, &at, type->size, before, new))
            return -1;
        before = new->depth;
    }
    return 0;
}

/* SIZE REORDERED NAME MEMBER... */
static int named_type_record(struct named *w, const char *at)
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
static int named_datum_record(struct named *w, const char *at)
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
static int named_touch_record(struct named *w, const char *at)
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

/* Writes the records of data, and of their types. */
static void named_put_data(struct sink *out, const struct cprof_profile *p)
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
            return error_memory(w->r.error);
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
static int named_reuse_record(struct named *w, const char *at)
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

/* Writes the records of miss curves. */
static void named_put_curves(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_reuses; i++)
        put_reuse(out, &p->reuses[i]);
    for (uint32_t i = 0; i < p->n_data_reuses; i++)
        put_reuse(out, &p->data_reuses[i]);
}

/*--- The reader ---*/

/* BUILDID PATH */
static int object_record(struct named *w, const char *at)
{
    const char *id, *path;

    if (named_maybe_word(w, &at, &id) || !(path = framed_text(&w->r, at, w->r.end)))
        return -1;
    return named_add_index(w, &w->objects, builder_object(w->r.builder, path, id));
}

static int file_record(struct named *w, const char *at)
{
    const char *path = framed_text(&w->r, at, w->r.end);

    return path ? named_add_index(w, &w->files, builder_file(w->r.builder, path)) : -1;
}

/* Notes on the last function all that does not tell it from others. */
static int add_traits(struct named *w, const char *flags, uint32_t instances, const char *arguments)
{
    static const char known[] = {NAMED_INLINED, NAMED_LEAST, NAMED_NONE, '\0'};
    uint32_t function = ((const uint32_t *)w->functions.data)[w->functions.count - 1];

    if (strspn(flags, known) != strlen(flags))
        return framed_bad(&w->r, NULL, "a function's flags are 'i', 'l', or '-'");
    if ((strchr(flags, NAMED_INLINED) && builder_function_inlined(w->r.builder, function)) ||
        (strchr(flags, NAMED_LEAST) && builder_function_least(w->r.builder, function)) ||
        (instances && builder_function_instances(w->r.builder, function, instances)))
        return -1;
    return arguments ? builder_function_arguments(w->r.builder, function, arguments) : 0;
}

/* OBJECT FILE LINE ADDRESS INSTANCES FLAGS MANGLED ARGUMENTS NAME */
static int function_record(struct named *w, const char *at)
{
    uint32_t object, file, line = 0, instances = 0;
    uint64_t address;
    const char *flags, *mangled, *arguments, *name;

    if (named_maybe(w, &at, &w->objects, "object", &object) ||
        named_maybe(w, &at, &w->files, "file", &file) || named_line_number(w, &at, &line) ||
        named_address(w, &at, &address) || named_line_number(w, &at, &instances) ||
        !(flags = named_word(w, &at)) || named_maybe_word(w, &at, &mangled) ||
        named_maybe_word(w, &at, &arguments) || !(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    if (named_add_index(
            w, &w->functions,
            builder_function_at(w->r.builder, name, mangled, object, file, line, address)))
        return -1;
    return add_traits(w, flags, instances, arguments);
}

/* FUNCTION FILE LINE ADDRESS N... */
static int cost_record(struct named *w, const char *at)
{
    struct cprof_cost cost;

    if (named_index(w, &at, &w->functions, "function", &cost.function) ||
        named_maybe(w, &at, &w->files, "file", &cost.file) ||
        named_line_number(w, &at, &cost.line) || named_address(w, &at, &cost.address) ||
        reader_counts(&w->r, at))
        return -1;
    w->have_costs = 1;
    return w->context == CPROF_NONE
               ? builder_cost(w->r.builder, &cost, w->r.row)
               : builder_context_cost(w->r.builder, w->context, &cost, w->r.row);
}

/* PARENT FUNCTION SITEFILE SITELINE SITE CALLS INLINED */
static int context_record(struct named *w, const char *at)
{
    struct cprof_context context = {0};
    uint64_t inlined;

    if (w->context == CPROF_NONE && w->have_costs)
        return framed_bad(&w->r, NULL, "a context after costs that stand under none");
    if (named_maybe(w, &at, &w->contexts, "context", &context.parent) ||
        named_index(w, &at, &w->functions, "function", &context.function) ||
        named_maybe(w, &at, &w->files, "file", &context.site_file) ||
        named_line_number(w, &at, &context.site_line) || named_address(w, &at, &context.site) ||
        named_calls(w, &at, &context.calls) || named_number(w, &at, &inlined))
        return -1;
    context.inlined = inlined != 0;
    w->context = builder_context(w->r.builder, &context);
    return named_add_index(w, &w->contexts, w->context);
}

/* CALLER CALLEE FILE LINE ADDRESS CALLS INLINED N... */
static int call_record(struct named *w, const char *at)
{
    struct cprof_call call = {0};
    uint64_t inlined;

    if (named_index(w, &at, &w->functions, "function", &call.caller) ||
        named_index(w, &at, &w->functions, "function", &call.callee) ||
        named_maybe(w, &at, &w->files, "file", &call.file) ||
        named_line_number(w, &at, &call.line) || named_address(w, &at, &call.address) ||
        named_calls(w, &at, &call.count) || named_number(w, &at, &inlined) ||
        reader_counts(&w->r, at))
        return -1;
    call.inlined = inlined != 0;
    return builder_call(w->r.builder, &call, w->r.row);
}

/* FUNCTION N... */
static int inclusive_record(struct named *w, const char *at)
{
    uint32_t function;

    if (named_index(w, &at, &w->functions, "function", &function) || reader_counts(&w->r, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

/* BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME */
static int section_record(struct named *w, const char *at)
{
    struct cprof_section s = {0};
    const char *name;
    uint32_t section;

    if (named_calls(w, &at, &s.began) || named_calls(w, &at, &s.ended) ||
        named_calls(w, &at, &s.lost) || named_calls(w, &at, &s.stray) ||
        named_calls(w, &at, &s.foreign) || named_calls(w, &at, &s.crossed) ||
        !(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    section = builder_section(w->r.builder, name);
    if (named_add_index(w, &w->sections, section))
        return -1;
    return builder_section_entries(w->r.builder, section, &s);
}

/* SECTION N... */
static int section_cost_record(struct named *w, const char *at)
{
    uint32_t section;

    if (named_index(w, &at, &w->sections, "section", &section) || reader_counts(&w->r, at))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}

/* SECTION IR ENTRIES */
static int spread_record(struct named *w, const char *at)
{
    uint32_t section;
    uint64_t cost, entries;

    if (named_index(w, &at, &w->sections, "section", &section) || named_calls(w, &at, &cost) ||
        named_calls(w, &at, &entries))
        return -1;
    return builder_section_spread(w->r.builder, section, cost, entries);
}

/* SECTION LEAST GREATEST */
static int extremes_record(struct named *w, const char *at)
{
    uint32_t section;
    uint64_t least, greatest;

    if (named_index(w, &at, &w->sections, "section", &section) || named_calls(w, &at, &least) ||
        named_calls(w, &at, &greatest))
        return -1;
    return builder_section_extremes(w->r.builder, section, least, greatest);
}

/* ARG CONTEXT OTHER VALUE CALLS */
static int argument_record(struct named *w, const char *at)
{
    struct cprof_arg_count count = {.arg = 0};
    uint64_t other;

    if (named_index(w, &at, &w->counted_args, "counted argument", &count.arg) ||
        named_index(w, &at, &w->contexts, "context", &count.context) ||
        named_number(w, &at, &other) || named_number(w, &at, &count.value) ||
        named_calls(w, &at, &count.calls))
        return -1;
    count.other = other != 0;
    if (count.other)
        count.value = 0;
    return builder_arg_count(w->r.builder, &count);
}

static int end_record(struct named *w)
{
    w->have_end = 1;
    return framed_last_line(&w->r, input_line_number(w->r.in) - 1);
}

static int record(struct named *w)
{
    const char *at = w->r.line + 2;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "records before 'events:'");
    w->in_body = 1;
    switch (*w->r.line) {
    case NAMED_OBJECT:
        return object_record(w, at);
    case NAMED_FILE:
        return file_record(w, at);
    case NAMED_FUNCTION:
        return function_record(w, at);
    case NAMED_COST:
        return cost_record(w, at);
    case NAMED_CONTEXT:
        return context_record(w, at);
    case NAMED_CALL:
        return call_record(w, at);
    case NAMED_INCLUSIVE:
        return inclusive_record(w, at);
    case NAMED_SECTION:
        return section_record(w, at);
    case NAMED_SECTION_COST:
        return section_cost_record(w, at);
    case NAMED_SPREAD:
        return spread_record(w, at);
    case NAMED_EXTREMES:
        return extremes_record(w, at);
    case NAMED_ARGUMENT:
        return argument_record(w, at);
    case NAMED_TYPE:
        return named_type_record(w, at);
    case NAMED_DATUM:
        return named_datum_record(w, at);
    case NAMED_TOUCH:
        return named_touch_record(w, at);
    case NAMED_REUSE:
        return named_reuse_record(w, at);
    default:
        return framed_bad(&w->r, NULL, "unknown record");
    }
}

static int any_line(struct reader *r)
{
    struct named *w = (struct named *)r;

    if (w->have_end)
        return framed_bad(&w->r, NULL, "lines after 'end'");
    if (LEX_STARTS(w->r.line, w->r.end, CP_RAW_END " "))
        return end_record(w);
    if (w->r.end - w->r.line >= 2 && w->r.line[1] == ' ')
        return record(w);
    return w->in_body ? framed_bad(&w->r, NULL, "unknown record") : named_read_key(w);
}

static int read_all(struct reader *r)
{
    static const struct framed kind = {NAMED_MAGIC, NAMED_VERSION, "profiles with names"};

    if (framed_lines(r, &kind, any_line, &((struct named *)r)->have_end))
        return -1;
    return reader_need_events(r);
}

struct cprof_profile *named_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct named *w = reader_new(sizeof *w, error);
    struct cprof_profile *profile;

    if (!w)
        return NULL;
    w->context = CPROF_NONE;
    profile = reader_run(&w->r, in, flags, error, CPROF_FORMAT_NAMED, read_all);
    free(w->objects.data);
    free(w->files.data);
    free(w->functions.data);
    free(w->contexts.data);
    free(w->sections.data);
    free(w->counted_args.data);
    free(w->data.data);
    free(w->types.data);
    free(w->curve_sizes.data);
    free(w);
    return profile;
}

/*--- The writer ---*/

static void put_names(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_objects; i++) {
        sink_byte(out, NAMED_OBJECT);
        named_put_word(out, p->objects[i].build_id);
        named_put_text(out, p->objects[i].path);
        sink_end_line(out);
    }
    for (uint32_t i = 0; i < p->n_files; i++) {
        sink_byte(out, NAMED_FILE);
        named_put_text(out, p->files[i]);
        sink_end_line(out);
    }
}

static void put_flags(struct sink *out, const struct cprof_function *f)
{
    sink_byte(out, ' ');
    if (f->inlined)
        sink_byte(out, NAMED_INLINED);
    if (f->inclusive_least)
        sink_byte(out, NAMED_LEAST);
    if (!f->inlined && !f->inclusive_least)
        sink_byte(out, NAMED_NONE);
}

static void put_function(struct sink *out, const struct cprof_function *f)
{
    sink_byte(out, NAMED_FUNCTION);
    named_put_index(out, f->object);
    named_put_index(out, f->file);
    named_put_unsigned(out, f->line);
    named_put_address(out, f->address);
    named_put_unsigned(out, f->instances);
    put_flags(out, f);
    named_put_word(out, f->mangled);
    named_put_word(out, f->arguments);
    named_put_text(out, f->name);
    sink_end_line(out);
}

static void put_cost(struct sink *out, const struct cprof_cost *cost, const int64_t *values,
                     uint32_t n_events)
{
    sink_byte(out, NAMED_COST);
    named_put_index(out, cost->function);
    named_put_index(out, cost->file);
    named_put_unsigned(out, cost->line);
    named_put_address(out, cost->address);
    named_put_counts(out, values, n_events);
}

static void put_context(struct sink *out, const struct cprof_context *c)
{
    sink_byte(out, NAMED_CONTEXT);
    named_put_index(out, c->parent);
    named_put_index(out, c->function);
    named_put_index(out, c->site_file);
    named_put_unsigned(out, c->site_line);
    named_put_address(out, c->site);
    named_put_unsigned(out, c->calls);
    named_put_unsigned(out, c->inlined != 0);
    sink_end_line(out);
}

/* Contexts, each with its costs; where there are none, costs alone. */
static void put_costs(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        put_context(out, c);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            put_cost(out, &p->context_costs[k], cprof_context_values(p, k), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++)
        put_cost(out, &p->costs[i], cprof_cost_values(p, i), p->n_events);
}

static void put_call(struct sink *out, const struct cprof_call *c, const int64_t *values,
                     uint32_t n_events)
{
    sink_byte(out, NAMED_CALL);
    named_put_index(out, c->caller);
    named_put_index(out, c->callee);
    named_put_index(out, c->file);
    named_put_unsigned(out, c->line);
    named_put_address(out, c->address);
    named_put_unsigned(out, c->count);
    named_put_unsigned(out, c->inlined != 0);
    named_put_counts(out, values, n_events);
}

static void put_section(struct sink *out, const struct cprof_profile *p, uint32_t i)
{
    const struct cprof_section *s = &p->sections[i];
    const uint64_t counts[] = {s->began, s->ended, s->lost, s->stray, s->foreign, s->crossed};

    sink_byte(out, NAMED_SECTION);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        named_put_unsigned(out, counts[k]);
    named_put_text(out, s->name);
    sink_end_line(out);
    sink_byte(out, NAMED_SECTION_COST);
    named_put_index(out, i);
    named_put_counts(out, cprof_section_values(p, i), p->n_events);
    for (uint32_t k = s->first_spread; k < s->first_spread + s->n_spreads; k++) {
        sink_byte(out, NAMED_SPREAD);
        named_put_index(out, i);
        named_put_unsigned(out, p->spreads[k].cost);
        named_put_unsigned(out, p->spreads[k].entries);
        sink_end_line(out);
    }
    if (!s->rounded)
        return;
    sink_byte(out, NAMED_EXTREMES);
    named_put_index(out, i);
    named_put_unsigned(out, s->least);
    named_put_unsigned(out, s->greatest);
    sink_end_line(out);
}

static void put_argument(struct sink *out, const struct cprof_arg_count *a)
{
    sink_byte(out, NAMED_ARGUMENT);
    named_put_index(out, a->arg);
    named_put_index(out, a->context);
    named_put_unsigned(out, a->other);
    named_put_unsigned(out, a->value);
    named_put_unsigned(out, a->calls);
    sink_end_line(out);
}

static void put_profile(struct sink *out, const struct cprof_profile *p)
{
    sink_text(out, NAMED_MAGIC);
    named_put_unsigned(out, NAMED_VERSION);
    sink_end_line(out);
    named_write_keys(out, p);
    put_names(out, p);
    for (uint32_t i = 0; i < p->n_functions; i++)
        put_function(out, &p->functions[i]);
    put_costs(out, p);
    for (uint32_t i = 0; i < p->n_calls; i++)
        put_call(out, &p->calls[i], cprof_call_values(p, i), p->n_events);
    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++) {
        sink_byte(out, NAMED_INCLUSIVE);
        named_put_index(out, i);
        named_put_counts(out, cprof_inclusive_values(p, i), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_sections; i++)
        put_section(out, p, i);
    for (uint32_t i = 0; i < p->n_arg_counts; i++)
        put_argument(out, &p->arg_counts[i]);
    named_put_data(out, p);
    named_put_curves(out, p);
    sink_text(out, CP_RAW_END);
    named_put_unsigned(out, out->lines);
    sink_end_line(out);
}

int cprof_write(const struct cprof_profile *profile, cprof_writer *write, void *to,
                struct cprof_error *error)
{
    struct sink out;
    struct cprof_error unwanted;

    assert(!profile_blocks(profile));
    if (!error)
        error = &unwanted;
    error_init(error, profile->source ? profile->source : "");
    out.write = write;
    out.to = to;
    out.failed = 0;
    out.lines = 0;
    out.n = 0;
    put_profile(&out, profile);
    if (!sink_finish(&out))
        return 0;
    error_set(error, CPROF_ERROR_SYSTEM, "cannot write: %s", strerror(out.failed));
    errno = out.failed;
    return -1;
}
