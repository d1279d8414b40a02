#include <config.h>

/* Addresses of gperftools' files, and the objects that they are in. */
#include "error.h"
#include "gperf.h"

#include <stdlib.h>

struct gperf_mapping {
    uint64_t start, limit, offset;
    uint32_t object;
    const char *path; /* the builder's, or a constant */
    int is_of_signals;
};

/* An address that was sampled, as a frame. */
struct gperf_place {
    uint64_t at;
    struct stack_frame frame;
};

static int out_of_memory(struct gperf *g)
{
    return error_set(g->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
}

/* "00400000-00452000 r-xp 00001000 08:02 173521 /usr/bin/a", or shorter "00400000-00452000:
 * /usr/bin/a". Returns 0 where it is no such line. */
static int split_line(const char *at, const char *end, struct gperf_mapping *m, const char **path)
{
    size_t size;

    at = lex_skip_blanks(at, end);
    if (lex_hex(&at, end, &m->start) != LEX_OK || at == end || *at++ != '-' ||
        lex_hex(&at, end, &m->limit) != LEX_OK || m->limit <= m->start)
        return 0;
    m->offset = 0;
    if (at < end && *at == ':') {
        *path = lex_skip_blanks(at + 1, end);
        return 1;
    }
    if (!lex_word(&at, end, &size))
        return 0;
    at = lex_skip_blanks(at, end);
    if (lex_hex(&at, end, &m->offset) != LEX_OK)
        return 0;
    lex_word(&at, end, &size);
    lex_word(&at, end, &size);
    *path = lex_skip_blanks(at, end);
    return 1;
}

/* The C library, where it is libpthread, or the kernel's page. */
static int is_of_signals(const char *path)
{
    static const char *const names[] = {"libc.so", "libc-", "libpthread", "[vdso]"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return 1;
    return 0;
}

static int add_line(struct gperf *g, const char *at, const char *end)
{
    struct gperf_mapping m, *new;
    const char *path, *text = "[anonymous]";

    if (!split_line(at, end, &m, &path))
        return 0;
    if (path < end && memchr(path, '\0', (size_t)(end - path)))
        return error_set(g->s.r.error, CPROF_ERROR_SYNTAX,
                         "the list of mapped files has a NUL byte");
    if (path < end && !(text = builder_text(g->s.r.builder, path, (size_t)(end - path))))
        return -1;
    m.path = text;
    m.is_of_signals = is_of_signals(text);
    m.object = builder_object(g->s.r.builder, text, NULL);
    if (m.object == CPROF_NONE)
        return -1;
    if (!g->mappings.count && *text == '/')
        builder_header(g->s.r.builder)->program = text;
    if (!(new = vector_push(&g->mappings, sizeof *new)))
        return out_of_memory(g);
    *new = m;
    return 0;
}

static int by_start(const void *a, const void *b)
{
    uint64_t x = ((const struct gperf_mapping *)a)->start,
             y = ((const struct gperf_mapping *)b)->start;

    return x < y ? -1 : x > y;
}

int gperf_read_maps(struct gperf *g, const char *at, const char *end)
{
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        if (add_line(g, at, stop))
            return -1;
        at = newline ? newline + 1 : end;
    }
    if (g->mappings.count)
        qsort(g->mappings.data, g->mappings.count, sizeof(struct gperf_mapping), by_start);
    return 0;
}

/* The mapping that an address is in, or NULL. */
static const struct gperf_mapping *find_mapping(const struct gperf *g, uint64_t address)
{
    const struct gperf_mapping *m = g->mappings.data;
    size_t low = 0, high = g->mappings.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < m[low - 1].limit ? &m[low - 1] : NULL;
}

int gperf_is_of_signals(const struct gperf *g, uint64_t address)
{
    const struct gperf_mapping *m = find_mapping(g, address);

    return m && m->is_of_signals;
}

int gperf_is_in(const struct gperf *g, uint64_t address, const char *name)
{
    const struct gperf_mapping *m = find_mapping(g, address);
    const char *slash = m ? strrchr(m->path, '/') : NULL;

    return slash && !strncmp(slash + 1, name, strlen(name));
}

static int equal_place(const void *owner, uint32_t index, const void *key)
{
    return ((const struct gperf_place *)owner)[index].at == *(const uint64_t *)key;
}

/* The frame of code at this address, in the file that is mapped there. NULL with the error filled.
 */
static const struct stack_frame *frame_at(struct gperf *g, uint64_t at)
{
    uint32_t hash = map_hash(at), object;
    uint32_t found = map_find(&g->place_map, hash, equal_place, g->places.data, &at);
    const struct gperf_mapping *m;
    struct gperf_place *new;
    uint64_t address;

    if (found != MAP_NONE)
        return &((const struct gperf_place *)g->places.data)[found].frame;
    m = find_mapping(g, at);
    address = m ? at - m->start + m->offset : at;
    object = m ? m->object : builder_object(g->s.r.builder, "???", NULL);
    if (object == CPROF_NONE)
        return NULL;
    if (g->places.count >= MAP_NONE - 1 || !(new = vector_push(&g->places, sizeof *new)) ||
        map_add(&g->place_map, hash, (uint32_t)g->places.count - 1)) {
        out_of_memory(g);
        return NULL;
    }
    *new = (struct gperf_place){at, {.file = CPROF_NONE, .address = address}};
    new->frame.function = sampled_unnamed(&g->s, object, address);
    return new->frame.function == CPROF_NONE ? NULL : &new->frame;
}

int gperf_add_address(struct gperf *g, uint64_t address)
{
    uint64_t *new = vector_push(&g->stack, sizeof *new);

    if (!new)
        return out_of_memory(g);
    *new = address;
    return 0;
}

uint32_t gperf_push_stack(struct gperf *g, size_t exact)
{
    const uint64_t *stack = g->stack.data;
    uint32_t node = CPROF_NONE;

    if (!g->stack.count)
        return sampled_push_none(&g->s, node);
    for (size_t i = g->stack.count; i-- > 0;) {
        /* A call is before the place that it returns to, which may be in another function. */
        const struct stack_frame *frame = frame_at(g, stack[i] - (i >= exact));

        node = frame ? sampled_push(&g->s, node, frame) : CPROF_NONE;
        if (node == CPROF_NONE)
            return node;
    }
    return node;
}
