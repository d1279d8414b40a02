#include <config.h>

/* Data that misses were put to, and miss curves, with names. */
#include "base/array.h"
#include "resolve/resolver.h"

#include <stdlib.h>

/* The raw cost record of a place; CPROF_NONE: there is none. */
static uint32_t cost_at(const struct cprof_profile *raw, const struct cprof_cost *place)
{
    uint32_t i = profile_find_cost(raw, place->function, place->address);

    return i < raw->n_costs && raw->costs[i].function == place->function &&
                   raw->costs[i].address == place->address
               ? i
               : CPROF_NONE;
}

/* The new context of code at a place: that of what was inlined there. */
static uint32_t context_of(const struct resolver *r, uint32_t context, uint32_t chain)
{
    uint32_t base = r->contexts[context], found = resolver_find_path(r, base, chain);

    return found == CPROF_NONE ? base : found;
}

/* Replaces a raw place, and the context that it is in, by those with names. */
static void name_place(struct resolver *r, struct cprof_cost *place, uint32_t *context)
{
    uint32_t cost = cost_at(r->raw, place);

    if (cost == CPROF_NONE) {
        place->function = resolver_function(r, place->function);
    } else {
        *place = resolver_cost(r, cost);
        if (*context != CPROF_NONE)
            *context = context_of(r, *context, r->places[cost].chain);
    }
}

static int put_touch(struct resolver *r, const struct cprof_touch *from, uint32_t datum)
{
    struct cprof_touch touch = *from;

    touch.datum = datum;
    name_place(r, &touch.place, &touch.context);
    return builder_touch(r->builder, &touch);
}

static void put_curves(struct resolver *r, const uint32_t *data)
{
    const struct cprof_profile *raw = r->raw;
    bool failed = raw->n_curve_sizes &&
                  builder_curve_sizes(r->builder, raw->curve_sizes, raw->n_curve_sizes) != 0;

    for (uint32_t i = 0; i < raw->n_reuses && !failed; i++) {
        struct cprof_reuse reuse = raw->reuses[i];

        name_place(r, &reuse.place, &reuse.context);
        failed = builder_reuse(r->builder, &reuse) != 0;
    }
    for (uint32_t i = 0; i < raw->n_data_reuses && !failed; i++) {
        struct cprof_reuse reuse = raw->data_reuses[i];

        reuse.datum = data[reuse.datum];
        failed = builder_reuse(r->builder, &reuse) != 0;
    }
}

void resolver_put_data(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    uint32_t *data = xcalloc(raw->n_data + (size_t)1, sizeof *data);
    bool failed = false;

    builder_header(r->builder)->has_data = raw->has_data;
    builder_header(r->builder)->has_line_use = raw->has_line_use;
    for (uint32_t i = 0; i < raw->n_data && !failed; i++) {
        struct cprof_datum datum = raw->data[i];

        if (datum.context != CPROF_NONE)
            datum.context = r->contexts[datum.context];
        if (datum.function != CPROF_NONE)
            datum.function = resolver_function(r, datum.function);
        datum.type = r->data_types[i].type;
        data[i] = builder_datum(r->builder, &datum);
        failed = data[i] == CPROF_NONE;
    }
    for (uint32_t i = 0; i < raw->n_touches && !failed; i++)
        failed = put_touch(r, &raw->touches[i], data[raw->touches[i].datum]) != 0;
    if (!failed)
        put_curves(r, data);
    free(data);
}
