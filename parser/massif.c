#include <config.h>

/*
 * Files of Valgrind's massif: snapshots of the heap, of which some have a tree of who allocated it.
 * The snapshot of the peak is the profile. A node of the tree is the caller of the one above it:
 *
 *     n2: 71225 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *      n0: 51225 0x1091A0: main (a.c:6)
 *      n0: 20000 in 3 places, all below massif's threshold (1.00%)
 *
 * Bytes that the allocator itself needs for blocks, and those of stacks, are functions beside that.
 */
#include "error.h"
#include "sampled.h"

#include <stdlib.h>

#define RULE "#-----------"

struct snapshot {
    uint64_t number, heap, extra, stacks; /* bytes */
    const char *tree;                     /* its first line; NULL: there is none */
    int is_peak;
};

/* A node of the tree on the path to the line at hand; its children come next. */
struct level {
    uint64_t left, bytes; /* children, and their bytes, that are still to come */
    struct valgrind_frame frame;
};

struct massif {
    struct sampled s;
    const char *end; /* of the file */
    struct snapshot best;
    struct vector levels; /* struct level */
};

int massif_is_kind(const char *at, size_t size)
{
    static const char key[] = "\ntime_unit: ";
    const char *end = at + size, *unit, *rule;

    if (!LEX_STARTS(at, end, "desc: ") || !(unit = memmem(at, size, key, sizeof key - 1)))
        return 0;
    rule = memchr(unit + 1, '\n', (size_t)(end - unit - 1));
    return rule && LEX_STARTS(rule + 1, end, RULE "\nsnapshot=");
}

static int fail_tree(struct massif *m, const char *what)
{
    return error_set(m->s.r.error, CPROF_ERROR_SYNTAX, "the tree of snapshot %llu %s",
                     (unsigned long long)m->best.number, what);
}

static int fail_cut(struct massif *m)
{
    return error_set(m->s.r.error, CPROF_ERROR_TRUNCATED,
                     "the file is cut short: in the tree of snapshot %llu",
                     (unsigned long long)m->best.number);
}

/*--- Snapshots ---*/

/* Takes a line, which ends before `*stop`. 0: there is none that is whole. */
static int take_line(const char **at, const char *end, const char **line, const char **stop)
{
    *line = *at;
    *stop = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    if (!*stop)
        return 0;
    *at = *stop + 1;
    return 1;
}

/* "KEY123": the number. 0 where the line is another. */
static int take_value(const char *line, const char *stop, const char *key, uint64_t *value)
{
    size_t size = strlen(key);

    if ((size_t)(stop - line) <= size || memcmp(line, key, size) != 0)
        return 0;
    line += size;
    return lex_decimal(&line, stop, value) == LEX_OK && line == stop;
}

static uint64_t bytes_of(const struct snapshot *s)
{
    return s->heap + s->extra + s->stacks;
}

/* The peak is the profile; where none is marked, the snapshot with a tree that has most bytes. */
static void keep(struct massif *m, const struct snapshot *s)
{
    if (s->tree && !m->best.is_peak &&
        (s->is_peak || !m->best.tree || bytes_of(s) > bytes_of(&m->best)))
        m->best = *s;
}

static int is_line(const char *line, const char *stop, const char *text)
{
    return (size_t)(stop - line) == strlen(text) && !memcmp(line, text, strlen(text));
}

static int find_snapshot(struct massif *m, const char *at)
{
    struct snapshot s = {0};
    const char *line, *stop;

    while (take_line(&at, m->end, &line, &stop)) {
        if (take_value(line, stop, "snapshot=", &s.number)) {
            s = (struct snapshot){.number = s.number};
        } else if (take_value(line, stop, "mem_heap_B=", &s.heap) ||
                   take_value(line, stop, "mem_heap_extra_B=", &s.extra) ||
                   take_value(line, stop, "mem_stacks_B=", &s.stacks)) {
            if ((s.heap | s.extra | s.stacks) >> 61)
                return error_set(m->s.r.error, CPROF_ERROR_RANGE, "a count exceeds 2^61-1");
        } else if (is_line(line, stop, "heap_tree=peak") ||
                   is_line(line, stop, "heap_tree=detailed")) {
            s.is_peak = is_line(line, stop, "heap_tree=peak");
            s.tree = at;
            keep(m, &s);
        }
    }
    if (!m->best.tree)
        return error_set(m->s.r.error, CPROF_ERROR_TRUNCATED,
                         "no snapshot has a tree of who allocated: the file is cut short, or the "
                         "program allocated nothing");
    return 0;
}

/*--- The tree ---*/

/* A function that stands for no code of one place. */
static int named_frame(struct massif *m, const char *name, struct valgrind_frame *frame)
{
    uint32_t object = builder_object(m->s.r.builder, "???", NULL);

    *frame = (struct valgrind_frame){.frame = {.file = CPROF_NONE}};
    if (object == CPROF_NONE)
        return -1;
    frame->frame.function = builder_function(m->s.r.builder, name, NULL, object, CPROF_NONE, 0);
    return frame->frame.function == CPROF_NONE ? -1 : 0;
}

/* Reads "  n3: 1024 TEXT" at this depth. 0 or -1. */
static int read_node(struct massif *m, const char *at, const char *stop, size_t depth,
                     struct level *level)
{
    size_t blanks = 0;

    while (at < stop && *at == ' ' && blanks < depth)
        at++, blanks++;
    if (blanks < depth || at == stop || *at++ != 'n' ||
        lex_decimal(&at, stop, &level->left) != LEX_OK || stop - at < 2 || at[0] != ':' ||
        at[1] != ' ')
        return fail_tree(m, "has a line that is no node");
    at += 2;
    if (lex_decimal(&at, stop, &level->bytes) != LEX_OK || at == stop || *at != ' ')
        return fail_tree(m, "has a node without bytes");
    at++;
    if (!depth)
        return 0;
    return LEX_STARTS(at, stop, "0x") ? valgrind_frame_read(&m->s, at, stop, &level->frame)
                                      : named_frame(m, "[below massif's threshold]", &level->frame);
}

/* Adds bytes to the stack of the levels from 1 to `depth`, whose callers are the higher ones. */
static int put_stack(struct massif *m, size_t depth, uint64_t bytes)
{
    const struct level *levels = m->levels.data;
    uint32_t node = CPROF_NONE;

    for (size_t i = depth; i > 0; i--) {
        struct stack_frame frame = levels[i].frame.frame;

        frame.inlined =
            i < depth && valgrind_frame_is_inlined(&levels[i].frame, &levels[i + 1].frame);
        node = sampled_push(&m->s, node, &frame);
        if (node == CPROF_NONE)
            return -1;
    }
    if (!depth && (node = sampled_push_none(&m->s, node)) == CPROF_NONE)
        return -1;
    return sampled_add(&m->s, node, 0, bytes, 1);
}

/* Takes a node off the bytes of the one above it. */
static int take_child(struct massif *m, size_t depth, uint64_t bytes)
{
    struct level *above = (struct level *)m->levels.data + depth - 1;

    if (bytes > above->bytes)
        return fail_tree(m, "has nodes with more bytes than the one above them");
    above->bytes -= bytes;
    above->left--;
    return 0;
}

/* Leaves nodes that have no more children. Returns the depth of the next node; 0: there is none. */
static int leave(struct massif *m, size_t *depth)
{
    const struct level *levels = m->levels.data;

    for (; *depth > 0 && !levels[*depth - 1].left; --*depth)
        if (levels[*depth - 1].bytes)
            return fail_tree(m, "has nodes with fewer bytes than the one above them");
    return 0;
}

static int read_tree(struct massif *m)
{
    const char *at = m->best.tree, *line, *stop;
    size_t depth = 0;

    do {
        struct level *level;

        if (depth > SAMPLED_MAX_FRAMES)
            return fail_tree(m, "is too deep");
        if (!take_line(&at, m->end, &line, &stop))
            return fail_cut(m);
        while (m->levels.count <= depth)
            if (!vector_push(&m->levels, sizeof *level))
                return error_memory(m->s.r.error);
        level = (struct level *)m->levels.data + depth;
        if (read_node(m, line, stop, depth, level) ||
            (depth && take_child(m, depth, level->bytes)) ||
            (!level->left && put_stack(m, depth, level->bytes)))
            return -1;
        depth += level->left != 0;
        if (leave(m, &depth))
            return -1;
    } while (depth);
    return 0;
}

static int put_beside(struct massif *m, const char *name, uint64_t bytes)
{
    struct valgrind_frame frame;
    uint32_t node;

    if (!bytes)
        return 0;
    if (named_frame(m, name, &frame))
        return -1;
    node = sampled_push(&m->s, CPROF_NONE, &frame.frame);
    return node == CPROF_NONE ? -1 : sampled_add(&m->s, node, 0, bytes, 1);
}

/*--- The file ---*/

static int read_header(struct massif *m, const char *at)
{
    static const char key[] = "cmd: ";
    const char *line, *stop;

    while (take_line(&at, m->end, &line, &stop) && !LEX_STARTS(line, stop, "time_unit:"))
        if (LEX_STARTS(line, stop, "cmd: ")) {
            const char *text = reader_bytes(&m->s.r, line + sizeof key - 1, stop);

            if (!text)
                return -1;
            builder_header(m->s.r.builder)->command = text;
        }
    return 0;
}

static int warn(struct massif *m)
{
    if (m->end[-1] != '\n') {
        builder_header(m->s.r.builder)->may_be_cut = 1;
        return reader_warn(&m->s.r, "the file is cut short: its last line is not whole");
    }
    return m->best.is_peak
               ? 0
               : reader_warn(&m->s.r, "no snapshot is marked as the peak: of those with "
                                      "a tree, the one with most bytes is shown");
}

static int read_all(struct reader *r)
{
    struct massif *m = (struct massif *)r;
    size_t size;
    const char *bytes = input_whole(r->in, &size);

    if (!bytes || sampled_begin(&m->s, size))
        return -1;
    if (!massif_is_kind(bytes, size))
        return error_set(r->error, CPROF_ERROR_FOREIGN, "not a file of massif");
    m->end = bytes + size;
    if (sampled_column(&m->s, "PeakBytes", "", "bytes that lived when most bytes did") ==
            CPROF_NONE ||
        read_header(m, bytes) || find_snapshot(m, bytes) || read_tree(m) ||
        put_beside(m, "[heap administration]", m->best.extra) ||
        put_beside(m, "[stacks]", m->best.stacks) || warn(m))
        return -1;
    return sampled_finish(&m->s, 0);
}

struct cprof_profile *massif_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct massif *m = reader_new(sizeof *m, error);
    struct cprof_profile *profile;

    if (!m)
        return NULL;
    profile = reader_run(&m->s.r, in, flags, error, CPROF_FORMAT_MASSIF, read_all);
    free(m->levels.data);
    sampled_free(&m->s);
    return profile;
}
