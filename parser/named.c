#include <config.h>

#include "named.h"

#include "error.h"
#include "profile.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/*--- Fields ---*/

int field_letter(struct named_line *f, enum named_record letter)
{
    if (f->out)
        sink_byte(f->out, (char)letter);
    return 0;
}

int field_end(struct named_line *f)
{
    if (f->out)
        sink_end_line(f->out);
    return 0;
}

int field_number(struct named_line *f, uint64_t *number)
{
    if (!f->out)
        return framed_number(&f->w->r, &f->at, number);
    named_put_unsigned(f->out, *number);
    return 0;
}

int field_count(struct named_line *f, uint64_t *count)
{
    return f->out ? field_number(f, count) : framed_count(&f->w->r, &f->at, count);
}

int field_long(struct named_line *f, long *number)
{
    const char *start = f->at, *end;
    enum lex result;

    if (f->out) {
        named_put_signed(f->out, *number);
        return 0;
    }
    end = memchr(start, ' ', (size_t)(f->w->r.end - start));
    result = lex_long(start, end ? end : f->w->r.end, number);
    f->at = end ? end + 1 : f->w->r.end;
    return result == LEX_OK ? 0 : reader_fail_number(&f->w->r, result, start, "number");
}

int field_short(struct named_line *f, uint32_t *number)
{
    const char *start = f->at;
    uint64_t value = *number;

    if (field_number(f, &value))
        return -1;
    if (value > UINT32_MAX)
        return reader_fail_number(&f->w->r, LEX_RANGE, start, "line number");
    *number = (uint32_t)value;
    return 0;
}

int field_flag(struct named_line *f, unsigned char *flag)
{
    uint64_t value = *flag != 0;
    int failed = field_number(f, &value);

    *flag = value != 0;
    return failed;
}

int field_address(struct named_line *f, uint64_t *address)
{
    if (!f->out)
        return framed_address(&f->w->r, &f->at, address);
    named_put_address(f->out, *address);
    return 0;
}

int field_index(struct named_line *f, enum named_list list, uint32_t *index)
{
    static const char *const names[NAMED_LISTS] = {
        "object", "file", "function", "context", "section", "counted argument", "datum", "type"};

    if (!f->out)
        return framed_index(&f->w->r, &f->at, &f->w->lists[list], names[list], index);
    named_put_index(f->out, *index);
    return 0;
}

int field_maybe(struct named_line *f, enum named_list list, uint32_t *index)
{
    if (f->out || !framed_none(&f->w->r, &f->at))
        return field_index(f, list, index);
    *index = CPROF_NONE;
    return 0;
}

int field_word(struct named_line *f, const char **word)
{
    const char *end;

    if (f->out) {
        named_put_word(f->out, *word);
        return 0;
    }
    end = memchr(f->at, ' ', (size_t)(f->w->r.end - f->at));
    if (!end)
        end = f->w->r.end;
    *word = framed_text(&f->w->r, f->at, end);
    f->at = end + (end < f->w->r.end);
    return *word ? 0 : -1;
}

int field_maybe_word(struct named_line *f, const char **word)
{
    if (f->out || !framed_none(&f->w->r, &f->at))
        return field_word(f, word);
    *word = NULL;
    return 0;
}

int field_text(struct named_line *f, const char **text)
{
    if (f->out) {
        named_put_text(f->out, *text);
        return 0;
    }
    *text = framed_text(&f->w->r, f->at, f->w->r.end);
    return *text ? 0 : -1;
}

/* A number below `most`, of a kind; `what` says that it is none. */
static int field_kind(struct named_line *f, uint32_t *kind, uint32_t most, const char *what)
{
    const char *start = f->at;
    uint64_t value = *kind;

    if (field_number(f, &value))
        return -1;
    if (value >= most)
        return framed_bad(&f->w->r, start, what);
    *kind = (uint32_t)value;
    return 0;
}

/* Counts that end the line, read into the row of the reader. */
static int field_counts(struct named_line *f, const int64_t *values, uint32_t n)
{
    if (!f->out)
        return reader_counts(&f->w->r, f->at);
    named_put_counts(f->out, values, n);
    return 0;
}

/*--- Names ---*/

/* BUILDID PATH */
static int object_fields(struct named_line *f, struct cprof_object *o)
{
    return field_letter(f, NAMED_OBJECT) || field_maybe_word(f, &o->build_id) ||
           field_text(f, &o->path) || field_end(f);
}

static int object_record(struct named *w, struct named_line *f)
{
    struct cprof_object o;

    return object_fields(f, &o) ? -1
                                : framed_define(&w->r, &w->lists[NAMED_OBJECTS],
                                                builder_object(w->r.builder, o.path, o.build_id));
}

static int file_fields(struct named_line *f, const char **path)
{
    return field_letter(f, NAMED_FILE) || field_text(f, path) || field_end(f);
}

static int file_record(struct named *w, struct named_line *f)
{
    const char *path;

    return file_fields(f, &path)
               ? -1
               : framed_define(&w->r, &w->lists[NAMED_FILES], builder_file(w->r.builder, path));
}

static int field_flags(struct named_line *f, struct cprof_function *function)
{
    static const char known[] = {NAMED_INLINED, NAMED_LEAST, NAMED_NONE, '\0'};
    char room[3] = {NAMED_NONE}, *end = room;
    const char *flags = room;

    if (f->out && function->inlined)
        *end++ = NAMED_INLINED;
    if (f->out && function->inclusive_least)
        *end++ = NAMED_LEAST;
    if (f->out) {
        sink_byte(f->out, ' ');
        sink_text(f->out, room);
        return 0;
    }
    if (field_word(f, &flags))
        return -1;
    if (strspn(flags, known) != strlen(flags))
        return framed_bad(&f->w->r, NULL, "a function's flags are 'i', 'l', or '-'");
    function->inlined = strchr(flags, NAMED_INLINED) != NULL;
    function->inclusive_least = strchr(flags, NAMED_LEAST) != NULL;
    return 0;
}

/* OBJECT FILE LINE ADDRESS INSTANCES FLAGS MANGLED ARGUMENTS NAME */
static int function_fields(struct named_line *f, struct cprof_function *function)
{
    return field_letter(f, NAMED_FUNCTION) || field_maybe(f, NAMED_OBJECTS, &function->object) ||
           field_maybe(f, NAMED_FILES, &function->file) || field_short(f, &function->line) ||
           field_address(f, &function->address) || field_short(f, &function->instances) ||
           field_flags(f, function) || field_maybe_word(f, &function->mangled) ||
           field_maybe_word(f, &function->arguments) || field_text(f, &function->name) ||
           field_end(f);
}

static int function_record(struct named *w, struct named_line *f)
{
    struct cprof_function new = {.line = 0};
    uint32_t function;

    if (function_fields(f, &new))
        return -1;
    function = builder_function_at(w->r.builder, new.name, new.mangled, new.object, new.file,
                                   new.line, new.address);
    return framed_define(&w->r, &w->lists[NAMED_FUNCTIONS], function)
               ? -1
               : builder_function_traits(w->r.builder, function, &new);
}

/* FUNCTION HASH */
static int code_fields(struct named_line *f, uint32_t *function, uint64_t *code)
{
    return field_letter(f, NAMED_CODE) || field_index(f, NAMED_FUNCTIONS, function) ||
           field_address(f, code) || field_end(f);
}

static int code_record(struct named *w, struct named_line *f)
{
    struct cprof_function traits = {.line = 0};
    uint32_t function;

    return code_fields(f, &function, &traits.code)
               ? -1
               : builder_function_traits(w->r.builder, function, &traits);
}

/*--- Costs ---*/

/* FILE|- LINE ADDRESS */
static int field_place(struct named_line *f, uint32_t *file, uint32_t *line, uint64_t *address)
{
    return field_maybe(f, NAMED_FILES, file) || field_short(f, line) || field_address(f, address);
}

/* FUNCTION FILE LINE ADDRESS N... */
static int cost_fields(struct named_line *f, struct cprof_cost *c, const int64_t *values,
                       uint32_t n)
{
    return field_letter(f, NAMED_COST) || field_index(f, NAMED_FUNCTIONS, &c->function) ||
           field_place(f, &c->file, &c->line, &c->address) || field_counts(f, values, n);
}

static int cost_record(struct named *w, struct named_line *f)
{
    struct cprof_cost cost = {0};

    if (cost_fields(f, &cost, NULL, 0))
        return -1;
    w->have_costs = 1;
    return w->context == CPROF_NONE
               ? builder_cost(w->r.builder, &cost, w->r.row)
               : builder_context_cost(w->r.builder, w->context, &cost, w->r.row);
}

/* PARENT FUNCTION SITEFILE SITELINE SITE CALLS INLINED */
static int context_fields(struct named_line *f, struct cprof_context *c)
{
    return field_letter(f, NAMED_CONTEXT) || field_maybe(f, NAMED_CONTEXTS, &c->parent) ||
           field_index(f, NAMED_FUNCTIONS, &c->function) ||
           field_place(f, &c->site_file, &c->site_line, &c->site) || field_count(f, &c->calls) ||
           field_flag(f, &c->inlined) || field_end(f);
}

static int context_record(struct named *w, struct named_line *f)
{
    struct cprof_context context = {0};

    if (w->context == CPROF_NONE && w->have_costs)
        return framed_bad(&w->r, NULL, "a context after costs that stand under none");
    if (context_fields(f, &context))
        return -1;
    w->context = builder_context(w->r.builder, &context);
    return framed_define(&w->r, &w->lists[NAMED_CONTEXTS], w->context);
}

/* CALLER CALLEE FILE LINE ADDRESS CALLS INLINED N... */
static int call_fields(struct named_line *f, struct cprof_call *c, const int64_t *values,
                       uint32_t n)
{
    return field_letter(f, NAMED_CALL) || field_index(f, NAMED_FUNCTIONS, &c->caller) ||
           field_index(f, NAMED_FUNCTIONS, &c->callee) ||
           field_place(f, &c->file, &c->line, &c->address) || field_count(f, &c->count) ||
           field_flag(f, &c->inlined) || field_counts(f, values, n);
}

static int call_record(struct named *w, struct named_line *f)
{
    struct cprof_call call = {0};

    return call_fields(f, &call, NULL, 0) ? -1 : builder_call(w->r.builder, &call, w->r.row);
}

/* FUNCTION N..., or SECTION N... */
static int sum_fields(struct named_line *f, enum named_record letter, enum named_list list,
                      uint32_t *index, const int64_t *values, uint32_t n)
{
    return field_letter(f, letter) || field_index(f, list, index) || field_counts(f, values, n);
}

static int inclusive_record(struct named *w, struct named_line *f)
{
    uint32_t function;

    return sum_fields(f, NAMED_INCLUSIVE, NAMED_FUNCTIONS, &function, NULL, 0)
               ? -1
               : builder_inclusive(w->r.builder, function, w->r.row);
}

/*--- Sections and arguments ---*/

/* BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME */
static int section_fields(struct named_line *f, struct cprof_section *s)
{
    return field_letter(f, NAMED_SECTION) || field_count(f, &s->began) ||
           field_count(f, &s->ended) || field_count(f, &s->lost) || field_count(f, &s->stray) ||
           field_count(f, &s->foreign) || field_count(f, &s->crossed) || field_text(f, &s->name) ||
           field_end(f);
}

static int section_record(struct named *w, struct named_line *f)
{
    struct cprof_section s = {0};
    uint32_t section;

    if (section_fields(f, &s))
        return -1;
    section = builder_section(w->r.builder, s.name);
    return framed_define(&w->r, &w->lists[NAMED_SECTIONS], section)
               ? -1
               : builder_section_entries(w->r.builder, section, &s);
}

static int section_cost_record(struct named *w, struct named_line *f)
{
    uint32_t section;

    return sum_fields(f, NAMED_SECTION_COST, NAMED_SECTIONS, &section, NULL, 0)
               ? -1
               : builder_section_cost(w->r.builder, section, w->r.row);
}

/* SECTION IR ENTRIES, or SECTION LEAST GREATEST */
static int pair_fields(struct named_line *f, enum named_record letter, uint32_t *section,
                       uint64_t *a, uint64_t *b)
{
    return field_letter(f, letter) || field_index(f, NAMED_SECTIONS, section) ||
           field_count(f, a) || field_count(f, b) || field_end(f);
}

static int spread_record(struct named *w, struct named_line *f)
{
    uint32_t section;
    uint64_t cost, entries;

    return pair_fields(f, NAMED_SPREAD, &section, &cost, &entries)
               ? -1
               : builder_section_spread(w->r.builder, section, cost, entries);
}

static int extremes_record(struct named *w, struct named_line *f)
{
    uint32_t section;
    uint64_t least, greatest;

    return pair_fields(f, NAMED_EXTREMES, &section, &least, &greatest)
               ? -1
               : builder_section_extremes(w->r.builder, section, least, greatest);
}

/* ARG CONTEXT OTHER VALUE CALLS */
static int argument_fields(struct named_line *f, struct cprof_arg_count *a)
{
    return field_letter(f, NAMED_ARGUMENT) || field_index(f, NAMED_COUNTED_ARGS, &a->arg) ||
           field_index(f, NAMED_CONTEXTS, &a->context) || field_flag(f, &a->other) ||
           field_number(f, &a->value) || field_count(f, &a->calls) || field_end(f);
}

static int argument_record(struct named *w, struct named_line *f)
{
    struct cprof_arg_count count = {.arg = 0};

    if (argument_fields(f, &count))
        return -1;
    if (count.other)
        count.value = 0;
    return builder_arg_count(w->r.builder, &count);
}

/*--- Data ---*/

/* A word that is not empty. */
static int field_name(struct named_line *f, const char **name)
{
    if (!f->out && (f->at == f->w->r.end || *f->at == ' '))
        return framed_bad(&f->w->r, f->at, "name is missing");
    return field_word(f, name);
}

/* DEPTH OFFSET SIZE TYPE|- NAME */
static int member_fields(struct named_line *f, struct cprof_member *m)
{
    return field_short(f, &m->depth) || field_number(f, &m->offset) || field_number(f, &m->size) ||
           field_maybe_word(f, &m->type) || field_name(f, &m->name);
}

/* SIZE REORDERED NAME, before the members */
static int type_fields(struct named_line *f, struct cprof_type *t)
{
    return field_letter(f, NAMED_TYPE) || field_count(f, &t->size) ||
           field_flag(f, &t->reordered) || field_name(f, &t->name);
}

/* Reads a member of a type of `size` bytes, behind a member of depth `before`; -1: it is the first.
 */
static int read_member(struct named_line *f, uint64_t size, int64_t before, struct cprof_member *m)
{
    const char *start = f->at;

    if (member_fields(f, m))
        return -1;
    if (m->depth > before + 1)
        return framed_bad(&f->w->r, start, "a member that is in none");
    return m->offset > size || m->size > size - m->offset
               ? framed_bad(&f->w->r, start, "a member beyond the end of its type")
               : 0;
}

static int read_members(struct named_line *f, const struct cprof_type *type, struct vector *members)
{
    int64_t before = -1;

    while (f->at < f->w->r.end) {
        struct cprof_member *new = vector_push(members, sizeof *new);

        if (!new)
            return error_memory(f->w->r.error);
        if (read_member(f, type->size, before, new))
            return -1;
        before = new->depth;
    }
    return 0;
}

static int type_record(struct named *w, struct named_line *f)
{
    struct cprof_type type = {.n_members = 0};
    struct vector members = {NULL, 0, 0};
    int failed = type_fields(f, &type) || read_members(f, &type, &members);

    type.n_members = (uint32_t)members.count;
    failed = failed || framed_define(&w->r, &w->lists[NAMED_TYPES],
                                     builder_type(w->r.builder, &type, members.data));
    free(members.data);
    return failed ? -1 : 0;
}

/* KIND CONTEXT|- FUNCTION|- ADDRESS SIZE PATH|- BUILDID|- NAME|- [TYPE] */
static int datum_fields(struct named_line *f, struct cprof_datum *d)
{
    uint32_t kind = d->kind;
    int failed = field_letter(f, NAMED_DATUM) ||
                 field_kind(f, &kind, CPROF_DATA_KINDS, "kind of data that is not known") ||
                 field_maybe(f, NAMED_CONTEXTS, &d->context) ||
                 field_maybe(f, NAMED_FUNCTIONS, &d->function) || field_address(f, &d->address) ||
                 field_number(f, &d->size) || field_maybe_word(f, &d->path) ||
                 field_maybe_word(f, &d->build_id) || field_maybe_word(f, &d->name) ||
                 ((f->out ? d->type != CPROF_NONE : f->at < f->w->r.end) &&
                  field_index(f, NAMED_TYPES, &d->type)) ||
                 field_end(f);

    d->kind = (enum cprof_data_kind)kind;
    return failed;
}

static int datum_record(struct named *w, struct named_line *f)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    struct cprof_datum datum = {.type = CPROF_NONE};
    const char *start = f->at;

    if (datum_fields(f, &datum))
        return -1;
    if (datum.kind == CPROF_DATA_ALL && !header->has_line_use)
        return framed_bad(&w->r, start, "data that are not told apart without 'line-use: yes'");
    header->has_data |= datum.kind != CPROF_DATA_ALL;
    return framed_define(&w->r, &w->lists[NAMED_DATA], builder_datum(w->r.builder, &datum));
}

/* DATUM CONTEXT|- FUNCTION FILE|- LINE ADDRESS LEAST STRIDE SIZE D1MR DLMR D1MW DLMW */
static int touch_fields(struct named_line *f, struct cprof_touch *t)
{
    return field_letter(f, NAMED_TOUCH) || field_index(f, NAMED_DATA, &t->datum) ||
           field_maybe(f, NAMED_CONTEXTS, &t->context) ||
           field_index(f, NAMED_FUNCTIONS, &t->place.function) ||
           field_place(f, &t->place.file, &t->place.line, &t->place.address) ||
           field_number(f, &t->least) || field_number(f, &t->stride) || field_number(f, &t->size) ||
           field_count(f, &t->misses[CPROF_D1MR]) || field_count(f, &t->misses[CPROF_DLMR]) ||
           field_count(f, &t->misses[CPROF_D1MW]) || field_count(f, &t->misses[CPROF_DLMW]);
}

/* LINES USED, behind the other fields. */
static int lines_fields(struct named_line *f, struct cprof_touch *t)
{
    return field_count(f, &t->lines) || field_count(f, &t->used);
}

/* Misses may be a sum over profiles of which some do not know the use of lines. */
static int read_lines(struct named *w, struct named_line *f, struct cprof_touch *t)
{
    uint64_t misses = t->misses[CPROF_D1MR] + t->misses[CPROF_D1MW];
    const char *start = f->at;

    if (lines_fields(f, t))
        return -1;
    if (t->lines / 2 + t->lines % 2 > misses)
        return framed_bad(&w->r, start, "lines that D1 fetched are more than two for each miss");
    return t->used / CPROF_LINE_SIZE + (t->used % CPROF_LINE_SIZE != 0) > t->lines
               ? framed_bad(&w->r, start, "bytes used are more than 64 for each line")
               : 0;
}

static int touch_record(struct named *w, struct named_line *f)
{
    struct cprof_touch touch = {.datum = 0};

    return touch_fields(f, &touch) ||
                   (builder_header(w->r.builder)->has_line_use && read_lines(w, f, &touch))
               ? -1
               : builder_touch(w->r.builder, &touch);
}

/*--- Miss curves ---*/

static int is_size(const struct named *w, uint64_t size)
{
    const uint64_t *sizes = w->curve_sizes.data;

    for (size_t i = 0; i < w->curve_sizes.count; i++)
        if (sizes[i] == size)
            return 1;
    return !size && w->curve_sizes.count;
}

/* A size of 'curve-sizes:', or 0. */
static int field_size(struct named_line *f, uint64_t *size)
{
    const char *start = f->at;

    if (field_number(f, size))
        return -1;
    return f->out || is_size(f->w, *size)
               ? 0
               : framed_bad(&f->w->r, start, "size that is not in 'curve-sizes:'");
}

/* DATUM|- CONTEXT|- FUNCTION|- FILE|- LINE ADDRESS KIND SIZE MISSES */
static int reuse_fields(struct named_line *f, struct cprof_reuse *r)
{
    return field_letter(f, NAMED_REUSE) || field_maybe(f, NAMED_DATA, &r->datum) ||
           field_maybe(f, NAMED_CONTEXTS, &r->context) ||
           field_maybe(f, NAMED_FUNCTIONS, &r->place.function) ||
           field_place(f, &r->place.file, &r->place.line, &r->place.address) ||
           field_kind(f, &r->kind, CPROF_REUSE_KINDS, "kind of access that is not known") ||
           field_size(f, &r->size) || field_count(f, &r->misses) || field_end(f);
}

static int reuse_record(struct named *w, struct named_line *f)
{
    struct cprof_reuse reuse = {.kind = 0};
    const char *start = f->at;

    if (reuse_fields(f, &reuse))
        return -1;
    return (reuse.datum == CPROF_NONE) == (reuse.place.function == CPROF_NONE)
               ? framed_bad(&w->r, start, "a miss curve is of a datum, or of a function")
               : builder_reuse(w->r.builder, &reuse);
}

/*--- The reader ---*/

static int (*const records[UCHAR_MAX + 1])(struct named *w, struct named_line *f) = {
    [NAMED_OBJECT] = object_record,
    [NAMED_FILE] = file_record,
    [NAMED_FUNCTION] = function_record,
    [NAMED_COST] = cost_record,
    [NAMED_CONTEXT] = context_record,
    [NAMED_CALL] = call_record,
    [NAMED_INCLUSIVE] = inclusive_record,
    [NAMED_SECTION] = section_record,
    [NAMED_SECTION_COST] = section_cost_record,
    [NAMED_SPREAD] = spread_record,
    [NAMED_EXTREMES] = extremes_record,
    [NAMED_ARGUMENT] = argument_record,
    [NAMED_TYPE] = type_record,
    [NAMED_DATUM] = datum_record,
    [NAMED_TOUCH] = touch_record,
    [NAMED_REUSE] = reuse_record,
    [NAMED_CODE] = code_record,
};

static int end_record(struct named *w)
{
    w->have_end = 1;
    return framed_last_line(&w->r, input_line_number(w->r.in) - 1);
}

static int record(struct named *w)
{
    struct named_line f = {.w = w, .at = w->r.line + 2};
    const unsigned char letter = (unsigned char)*w->r.line;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "records before 'events:'");
    w->in_body = 1;
    return records[letter] ? records[letter](w, &f) : framed_bad(&w->r, NULL, "unknown record");
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
    for (size_t i = 0; i < NAMED_LISTS; i++)
        free(w->lists[i].data);
    free(w->curve_sizes.data);
    free(w);
    return profile;
}

/*--- The writer ---*/

static void put_names(struct named_line *f, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_objects; i++)
        object_fields(f, &(struct cprof_object){p->objects[i].path, p->objects[i].build_id});
    for (uint32_t i = 0; i < p->n_files; i++)
        file_fields(f, &(const char *){p->files[i]});
    for (uint32_t i = 0; i < p->n_functions; i++) {
        struct cprof_function function = p->functions[i];

        function_fields(f, &function);
        if (function.code)
            code_fields(f, &i, &function.code);
    }
}

static void put_cost(struct named_line *f, struct cprof_cost cost, const int64_t *values,
                     uint32_t n)
{
    cost_fields(f, &cost, values, n);
}

/* Contexts, each with its costs; where there are none, costs alone. */
static void put_costs(struct named_line *f, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        struct cprof_context c = p->contexts[i];

        context_fields(f, &c);
        for (uint32_t k = c.first_cost; k < c.first_cost + c.n_costs; k++)
            put_cost(f, p->context_costs[k], cprof_context_values(p, k), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++)
        put_cost(f, p->costs[i], cprof_cost_values(p, i), p->n_events);
    for (uint32_t i = 0; i < p->n_calls; i++) {
        struct cprof_call call = p->calls[i];

        call_fields(f, &call, cprof_call_values(p, i), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++)
        sum_fields(f, NAMED_INCLUSIVE, NAMED_FUNCTIONS, &(uint32_t){i},
                   cprof_inclusive_values(p, i), p->n_events);
}

static void put_section(struct named_line *f, const struct cprof_profile *p, uint32_t i)
{
    struct cprof_section s = p->sections[i];

    section_fields(f, &s);
    sum_fields(f, NAMED_SECTION_COST, NAMED_SECTIONS, &i, cprof_section_values(p, i), p->n_events);
    for (uint32_t k = s.first_spread; k < s.first_spread + s.n_spreads; k++)
        pair_fields(f, NAMED_SPREAD, &i, &(uint64_t){p->spreads[k].cost},
                    &(uint64_t){p->spreads[k].entries});
    if (s.rounded)
        pair_fields(f, NAMED_EXTREMES, &i, &s.least, &s.greatest);
}

static void put_type(struct named_line *f, const struct cprof_profile *p, struct cprof_type type)
{
    type_fields(f, &type);
    for (uint32_t i = type.first_member; i < type.first_member + type.n_members; i++) {
        struct cprof_member member = p->members[i];

        member_fields(f, &member);
    }
    field_end(f);
}

static void put_reuse(struct named_line *f, struct cprof_reuse reuse)
{
    reuse_fields(f, &reuse);
}

/* Writes the records of data, of their types, and of miss curves. */
static void put_data(struct named_line *f, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_types; i++)
        put_type(f, p, p->types[i]);
    for (uint32_t i = 0; i < p->n_data; i++) {
        struct cprof_datum datum = p->data[i];

        datum_fields(f, &datum);
    }
    for (uint32_t i = 0; i < p->n_touches; i++) {
        struct cprof_touch touch = p->touches[i];

        touch_fields(f, &touch);
        if (p->has_line_use)
            lines_fields(f, &touch);
        field_end(f);
    }
    for (uint32_t i = 0; i < p->n_reuses; i++)
        put_reuse(f, p->reuses[i]);
    for (uint32_t i = 0; i < p->n_data_reuses; i++)
        put_reuse(f, p->data_reuses[i]);
}

static void put_profile(struct sink *out, const struct cprof_profile *p)
{
    struct named_line f = {.out = out};

    sink_text(out, NAMED_MAGIC);
    named_put_unsigned(out, NAMED_VERSION);
    sink_end_line(out);
    named_write_keys(out, p);
    put_names(&f, p);
    put_costs(&f, p);
    for (uint32_t i = 0; i < p->n_sections; i++)
        put_section(&f, p, i);
    for (uint32_t i = 0; i < p->n_arg_counts; i++) {
        struct cprof_arg_count count = p->arg_counts[i];

        argument_fields(&f, &count);
    }
    put_data(&f, p);
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
