#include <config.h>

/* The lines of a raw profile that have miss curves. */
#include "cp_format.h"
#include "raw.h"

int raw_curve_sizes_key(struct raw *w, const char *at)
{
    uint64_t last = 0;

    do {
        const char *start = at;
        uint64_t *new;
        int64_t size;

        if (raw_number(w, &at, &size) || !(new = raw_push(w, &w->curve_sizes, sizeof *new)))
            return -1;
        *new = (uint64_t)size;
        if (*new <= last)
            return framed_bad(&w->r, start, "sizes of caches do not grow");
        last = *new;
    } while (at < w->r.end);
    return builder_curve_sizes(w->r.builder, w->curve_sizes.data, w->curve_sizes.count);
}

/* i|r|w, and the blank behind it. */
static int read_kind(struct raw *w, const char **at, uint32_t *kind)
{
    static const char letters[CPROF_REUSE_KINDS] = {CP_SPEC_IR, CP_SPEC_DR, CP_SPEC_DW};
    const char *found = *at < w->r.end ? memchr(letters, **at, sizeof letters) : NULL;

    if (!found || w->r.end - *at < 2 || (*at)[1] != ' ')
        return framed_bad(&w->r, *at, "a kind of access is 'i', 'r' or 'w'");
    *kind = (uint32_t)(found - letters);
    *at += 2;
    return 0;
}

/* {STEP N}..., of which there is one at least. */
static int read_steps(struct raw *w, const char *at, struct cprof_reuse *reuse)
{
    const uint64_t *sizes = w->curve_sizes.data;
    uint64_t *sum = &w->reuse_sums[reuse->datum != CPROF_NONE][reuse->kind];

    do {
        uint32_t step;
        const char *start;
        int64_t n;

        if (raw_id(w, &at, w->curve_sizes.count + 1, "size", &step))
            return -1;
        start = at;
        if (raw_number(w, &at, &n))
            return -1;
        if ((*sum += (uint64_t)n) > INT64_MAX)
            return reader_fail(&w->r, CPROF_ERROR_RANGE, start,
                               "the sum of such numbers exceeds 2^63-1");
        reuse->size = step ? sizes[step - 1] : 0;
        reuse->misses = (uint64_t)n;
        if (builder_reuse(w->r.builder, reuse))
            return -1;
    } while (at < w->r.end);
    return 0;
}

/* CONTEXT|- OBJECT ADDRESS KIND {STEP N}... */
int raw_curve_record(struct raw *w, const char *at)
{
    struct cprof_reuse reuse = {.datum = CPROF_NONE, .place = {.file = CPROF_NONE}};
    uint32_t object;

    if (!w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a miss curve without 'curve-sizes:'");
    if (raw_id_or_none(w, &at, w->contexts.count, "context", &reuse.context) ||
        raw_id(w, &at, w->objects.count, "object", &object) ||
        raw_address(w, &at, &reuse.place.address) || read_kind(w, &at, &reuse.kind))
        return -1;
    if (reuse.context != CPROF_NONE)
        reuse.context = ((const uint32_t *)w->contexts.data)[reuse.context];
    reuse.place.function = raw_place_function(w, object, reuse.place.address);
    return reuse.place.function == CPROF_NONE ? -1 : read_steps(w, at, &reuse);
}

/* DATUM KIND {STEP N}... */
int raw_data_curve_record(struct raw *w, const char *at)
{
    struct cprof_reuse reuse = {.context = CPROF_NONE,
                                .place = {.function = CPROF_NONE, .file = CPROF_NONE}};

    if (!w->curve_sizes.count)
        return framed_bad(&w->r, NULL, "a miss curve without 'curve-sizes:'");
    if (raw_id(w, &at, w->data.count, "datum", &reuse.datum) || read_kind(w, &at, &reuse.kind))
        return -1;
    reuse.datum = ((const uint32_t *)w->data.data)[reuse.datum];
    return read_steps(w, at, &reuse);
}

/* The program's misses of the first level of one kind. */
static uint64_t misses_of(const struct raw *w, int kind)
{
    static const char *const names[CPROF_REUSE_KINDS] = {"I1mr", "D1mr", "D1mw"};
    const int64_t *rows = w->miss_rows.data;
    uint32_t event = builder_find_event(w->r.builder, names[kind]);
    uint64_t sum = 0;

    for (size_t k = 0; k < w->misses.count && event != CPROF_NONE; k++)
        sum += (uint64_t)rows[k * w->r.n_events + event];
    return sum;
}

int raw_check_curves(struct raw *w)
{
    for (int kind = 0; kind < CPROF_REUSE_KINDS && w->curve_sizes.count; kind++) {
        if (w->reuse_sums[0][kind] != misses_of(w, kind))
            return framed_bad(&w->r, NULL, "the misses of all curves are not those of the program");
        if (w->has_data && kind != CPROF_REUSE_FETCH &&
            w->reuse_sums[1][kind] != w->reuse_sums[0][kind])
            return framed_bad(&w->r, NULL,
                              "the misses of all data's curves are not those of the program");
    }
    return 0;
}
