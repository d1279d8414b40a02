#include <config.h>

/* The lines of a named profile that have miss curves; their sizes are a key of the header. */
#include "error.h"
#include "named.h"

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
