#include <config.h>

/* The reader of folded stacks. */
#include "error.h"
#include "sampled.h"

#include <stdlib.h>

/* The name of a frame, and whether it was inlined into the frame before it. */
struct folded_name {
    const char *text; /* the builder's */
    size_t size;
    unsigned char inlined; /* 0 or 1 */
    uint32_t frame;
};

/* How stackcollapse-perf.pl --inline and others mark what was inlined. */
#define INLINED "_[i]"

/* A frame of the last line: the stack up to it, and where its name ends. */
struct folded_level {
    uint32_t node;
    size_t end;
};

/*
 * The format, as stackcollapse-perf.pl and others write it: a line has a stack, names from the
 * outermost frame on with ';' between them, a blank, and how many samples had it. "_[i]" ends the
 * names of what was inlined. Lines are often sorted, so the stack that a line has in common with
 * the one before is kept.
 */
struct folded {
    struct sampled s;
    struct set names;           /* struct folded_name */
    struct vector levels, last; /* of the last line: struct folded_level, and its bytes */
    uint32_t object;            /* of all functions */
    uint64_t n_lines, n_pairs;  /* with a count, and with two */
};

/* The names of a line, and the digits of its count, which may be a fraction. Returns 0 where it has
 * not both. */
static int split(const char *line, const char *end, const char **names_end, const char **count)
{
    const char *at = end;

    while (at > line && lex_is_blank(at[-1]))
        at--;
    while (at > line && (lex_is_digit(at[-1]) || at[-1] == '.'))
        at--;
    *count = at;
    if (at == line || at == end || !lex_is_digit(*at) || !lex_is_blank(at[-1]))
        return 0;
    while (at > line && lex_is_blank(at[-1]))
        at--;
    *names_end = at;
    return at > line;
}

/* The first whole lines of a file. */
struct folded_lines {
    unsigned with_count, others;
    unsigned first_other; /* the number of the first line without a count, from 1; 0: none */
    int deep;             /* a line with a count has a stack of several frames */
};

static struct folded_lines look_at_lines(const char *at, size_t size)
{
    const char *end = at + size, *newline, *names_end, *count;
    struct folded_lines lines = {0};

    for (unsigned n = 1; n <= 100 && at < end; n++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && n > 1)
            break;
        newline = newline ? newline : end;
        if (at == newline || *at == '#')
            continue;
        if (split(at, newline - (newline[-1] == '\r'), &names_end, &count)) {
            lines.with_count++;
            lines.deep |= memchr(at, ';', (size_t)(names_end - at)) != NULL;
        } else if (!lines.others++) {
            lines.first_other = n;
        }
    }
    return lines;
}

/* Most of the whole lines at hand have counts, and one of them has a stack of several frames; or
 * all have counts. */
int folded_is_kind(const char *at, size_t size)
{
    struct folded_lines lines = look_at_lines(at, size);

    return lines.with_count > lines.others && (lines.deep || !lines.others);
}

unsigned folded_wrong_line(const char *at, size_t size)
{
    struct folded_lines lines = look_at_lines(at, size);

    return lines.deep ? lines.first_other : 0;
}

static int equal_name(const void *owner, uint32_t index, const void *key)
{
    const struct folded_name *a = (const struct folded_name *)owner + index, *b = key;

    return a->size == b->size && a->inlined == b->inlined && !memcmp(a->text, b->text, b->size);
}

/* Makes the frame of a new name, whose text is a line's. 0 or -1. */
static int make_frame(struct folded *f, struct folded_name *name)
{
    struct stack_frame frame = {.file = CPROF_NONE, .inlined = name->inlined};

    name->text = name->size ? reader_bytes(&f->s.r, name->text, name->text + name->size) : "???";
    if (!name->text)
        return -1;
    frame.function = builder_function(f->s.r.builder, name->text, NULL, f->object, CPROF_NONE, 0);
    if (frame.function != CPROF_NONE)
        name->frame = stacks_frame(&f->s.stacks, &frame);
    return name->frame == CPROF_NONE ? -1 : 0;
}

/* The frame of this text, on top of the stack `below`. */
static uint32_t frame_called(struct folded *f, uint32_t below, const char *text, size_t size)
{
    const size_t mark = sizeof INLINED - 1;
    struct folded_name key = {.text = text, .size = size, .frame = CPROF_NONE}, *name;
    uint32_t found;

    if (size > mark && !memcmp(text + size - mark, INLINED, mark)) {
        key.size -= mark;
        key.inlined = below != CPROF_NONE;
    }
    found = set_put(&f->names, map_hash_bytes(text, key.size, (uintptr_t)f), equal_name, &key,
                    sizeof key);
    if (found == MAP_NONE)
        return CPROF_NONE;
    name = (struct folded_name *)f->names.items.data + found;
    return name->frame == CPROF_NONE && make_frame(f, name) ? CPROF_NONE : name->frame;
}

/* How many bytes two texts have in common at their beginning. */
static size_t common_size(const char *a, const char *b, size_t most)
{
    size_t n = 0;

    for (uint64_t x, y; n + sizeof x <= most; n += sizeof x) {
        memcpy(&x, a + n, sizeof x);
        memcpy(&y, b + n, sizeof y);
        if (x != y)
            return n + (size_t)__builtin_ctzll(le64toh(x ^ y)) / 8;
    }
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* Keeps the frames of the last line that this one begins with. Returns where the others begin. */
static const char *keep_common(struct folded *f, const char *names, size_t size)
{
    const struct folded_level *levels = f->levels.data;
    size_t most = size < f->last.count ? size : f->last.count;
    size_t common = most ? common_size(names, f->last.data, most) : 0;

    while (f->levels.count) {
        size_t end = levels[f->levels.count - 1].end;

        if (end < common || (end == common && end == size))
            return names + end;
        if (end == common && names[end] == ';')
            return names + end;
        f->levels.count--;
    }
    return names;
}

/* Keeps the bytes of the line at hand for the next one. */
static int keep_line(struct folded *f, const char *names, size_t size)
{
    f->last.count = 0;
    if (vector_reserve(&f->last, size, 1))
        return error_memory(f->s.r.error);
    memcpy(f->last.data, names, size);
    f->last.count = size;
    return 0;
}

/* The node of the stack in [names, end), which is not empty. */
static uint32_t find_stack(struct folded *f, const char *names, const char *end)
{
    const char *at = keep_common(f, names, (size_t)(end - names));
    const struct folded_level *levels = f->levels.data;
    uint32_t node = f->levels.count ? levels[f->levels.count - 1].node : CPROF_NONE;

    if (f->levels.count ? at < end : 1)
        for (at += f->levels.count > 0;; at++) {
            const char *stop = memchr(at, ';', (size_t)(end - at));
            struct folded_level *new;
            uint32_t frame;

            stop = stop ? stop : end;
            frame = frame_called(f, node, at, (size_t)(stop - at));
            node = frame == CPROF_NONE ? frame : stacks_push(&f->s.stacks, node, frame);
            if (node == CPROF_NONE || !(new = vector_push(&f->levels, sizeof *new))) {
                error_memory(f->s.r.error);
                return CPROF_NONE;
            }
            *new = (struct folded_level){node, (size_t)(stop - names)};
            if (stop == end)
                break;
            at = stop;
        }
    return keep_line(f, names, (size_t)(end - names)) ? CPROF_NONE : node;
}

/* Notes if the names end with a count, too, as those of a comparison do. */
static void note_pair(struct folded *f, const char *names, const char *end)
{
    const char *names_end, *count;

    f->n_lines++;
    f->n_pairs += split(names, end, &names_end, &count);
}

static int any_line(struct folded *f)
{
    struct reader *r = &f->s.r;
    const char *names_end, *count, *end;
    struct fraction samples;
    uint32_t node;

    if (LEX_STARTS(r->line, r->end, "# "))
        return 0;
    if (!split(r->line, r->end, &names_end, &count)) {
        if (lex_skip_blanks(r->line, r->end) == r->end || *r->line == '#')
            return 0;
        return reader_warn(r, "a line that does not end with a count is left out");
    }
    note_pair(f, r->line, names_end);
    for (end = count; end < r->end && !lex_is_blank(*end); end++)
        ;
    if (fraction_of_text(count, end, &samples) || samples.digits > INT64_MAX)
        return reader_fail_number(r, LEX_RANGE, count, "count");
    node = find_stack(f, r->line, names_end);
    return node == CPROF_NONE ? -1 : sampled_add_fraction(&f->s, node, 0, &samples);
}

static int warn_of_end(struct folded *f)
{
    if (input_line_is_whole(f->s.r.in))
        return 0;
    builder_header(f->s.r.builder)->may_be_cut = 1;
    return reader_warn(&f->s.r,
                       "the last line does not end: the file may be cut short, and its last "
                       "count with it");
}

static int read_all(struct reader *r)
{
    struct folded *f = (struct folded *)r;
    int more;

    f->object = builder_object(r->builder, "???", NULL);
    if (f->object == CPROF_NONE || sampled_begin(&f->s, 0) ||
        sampled_column(&f->s, "Samples", "", NULL) == CPROF_NONE)
        return -1;
    while ((more = reader_next(r)) > 0)
        if (any_line(f))
            return -1;
    if (more || warn_of_end(f))
        return -1;
    if (f->n_lines && f->n_pairs == f->n_lines)
        return error_set(r->error, CPROF_ERROR_FOREIGN,
                         "folded stacks of a comparison, with two counts in each line: compare "
                         "the two files themselves");
    return sampled_finish(&f->s, 0);
}

struct cprof_profile *folded_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct folded *f = reader_new(sizeof *f, error);
    struct cprof_profile *profile;

    if (!f)
        return NULL;
    profile = reader_run(&f->s.r, in, flags, error, CPROF_FORMAT_FOLDED, read_all);
    set_release(&f->names);
    free(f->levels.data);
    free(f->last.data);
    sampled_free(&f->s);
    return profile;
}
