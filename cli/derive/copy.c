#include <config.h>

#include "derive/copy.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *text(struct builder *b, const char *s)
{
    return s ? builder_text(b, s, strlen(s)) : NULL;
}

/* The executable's full path. A profile may have the path of the command line, and the full one
 * among its objects. */
static const char *program_of(const struct cprof_profile *p)
{
    const char *tail = p->program;
    size_t size;

    while (tail && (!strncmp(tail, "./", 2) || !strncmp(tail, "../", 3)))
        tail = strchr(tail, '/') + 1;
    if (!tail || !*tail || tail[0] == '/')
        return p->program;
    size = strlen(tail);
    for (uint32_t i = 0; i < p->n_objects; i++) {
        const char *path = p->objects[i].path;
        size_t length = strlen(path);

        if (path[0] == '/' && length > size && path[length - size - 1] == '/' &&
            !strcmp(path + length - size, tail))
            return path;
    }
    return p->program;
}

static void copy_plain(struct builder *b, const struct cprof_profile *p)
{
    struct cprof_profile *h = builder_header(b);

    h->format = p->format;
    h->source = text(b, p->source);
    builder_copy_header(b, p);
    h->program = text(b, program_of(p));
    h->exit = p->exit;
    h->exit_code = p->exit_code;
    h->sections_began = p->sections_began;
    h->sections_ended = p->sections_ended;
    builder_lost_samples(b, p->n_samples, p->lost_samples);
    h->has_heap = p->has_heap;
    h->heap = p->heap;
    h->may_be_cut = p->may_be_cut;
}

void copy_about(struct builder *b, const struct cprof_profile *p)
{
    copy_plain(b, p);
    for (uint32_t i = 0; i < p->n_caches; i++)
        builder_cache(b, &p->caches[i]);
    for (uint32_t i = 0; i < p->n_toggles; i++)
        builder_toggle(b, i, p->toggles[i].pattern, p->toggles[i].n_functions);
    for (uint32_t i = 0; i < p->n_alloc_functions; i++)
        builder_alloc_function(b, i, p->alloc_functions[i].pattern,
                               p->alloc_functions[i].n_functions);
    for (uint32_t i = 0; i < p->n_parts; i++)
        builder_part(b, &p->parts[i]);
    for (uint32_t i = 0; i < p->n_events; i++)
        builder_event_describe(b, builder_event(b, p->events[i].name), p->events[i].long_name,
                               p->events[i].formula);
    for (uint32_t i = 0; i < p->n_warnings; i++)
        builder_warn(b, p->warnings[i].line, "%s", p->warnings[i].text);
}

/* The builder's indices of a profile's items. */
struct copier {
    struct builder *builder;
    const struct cprof_profile *from;
    uint32_t *objects, *files, *functions;
    bool merging;     /* the builder has other profiles, and other events, in it */
    uint32_t *events; /* the builder's index of each event; the builder has n_events so far */
    int64_t *row;     /* counts in the builder's order */
    uint32_t n_events;
    uint32_t *contexts;
};

/* Counts in the order of the builder's events. */
static const int64_t *counts_for(const struct copier *c, const int64_t *values)
{
    if (!c->merging)
        return values;
    memset(c->row, 0, c->n_events * sizeof *c->row);
    for (uint32_t e = 0; e < c->from->n_events; e++)
        c->row[c->events[e]] = values[e];
    return c->row;
}

static void put_sections(struct copier *c, const bool *wanted)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = &p->sections[i];
        uint32_t section;

        if (wanted && !wanted[i])
            continue;
        section = builder_section(c->builder, s->name);
        if (section == CPROF_NONE || builder_section_entries(c->builder, section, s) != 0 ||
            builder_section_cost(c->builder, section, counts_for(c, cprof_section_values(p, i))) !=
                0)
            return;
        for (uint32_t k = s->first_spread; k < s->first_spread + s->n_spreads; k++)
            builder_section_spread(c->builder, section, p->spreads[k].cost, p->spreads[k].entries);
        if (s->rounded)
            builder_section_extremes(c->builder, section, s->least, s->greatest);
    }
}

void copy_sections(struct builder *b, const struct cprof_profile *p, const bool *wanted)
{
    put_sections(&(struct copier){.builder = b, .from = p}, wanted);
}

void copy_arguments(struct builder *b, const struct cprof_profile *p, const uint32_t *contexts)
{
    uint32_t *args = xcalloc(p->n_counted_args + (size_t)1, sizeof *args);
    bool failed = false;

    for (uint32_t i = 0; i < p->n_counted_args && !failed; i++) {
        args[i] = builder_counted_arg(b, &p->counted_args[i]);
        failed = args[i] == CPROF_NONE;
    }
    for (uint32_t i = 0; i < p->n_arg_counts && !failed; i++) {
        struct cprof_arg_count count = p->arg_counts[i];

        count.arg = args[count.arg];
        if (contexts)
            count.context = contexts[count.context];
        failed = count.context != CPROF_NONE && builder_arg_count(b, &count) != 0;
    }
    free(args);
}

static uint32_t index_in(const uint32_t *indices, uint32_t index)
{
    return index == CPROF_NONE || !indices ? index : indices[index];
}

/* The builder's indices of the types, for the caller to free. */
static uint32_t *copy_types(struct builder *b, const struct cprof_profile *p)
{
    uint32_t *types = xcalloc(p->n_types + (size_t)1, sizeof *types);

    for (uint32_t i = 0; i < p->n_types; i++)
        types[i] = builder_type(b, &p->types[i], p->members + p->types[i].first_member);
    return types;
}

/* Where contexts are left out, it is not known what data had of the others. */
static bool has_all(const struct cprof_profile *p, const uint32_t *contexts)
{
    for (uint32_t i = 0; i < p->n_contexts && contexts; i++)
        if (contexts[i] == CPROF_NONE)
            return false;
    return true;
}

/* Copies miss curves; `data` has the builder's index of each datum. */
static void copy_curves(struct builder *b, const struct cprof_profile *p, const uint32_t *contexts,
                        const uint32_t *functions, const uint32_t *files, const uint32_t *data,
                        unsigned how)
{
    uint32_t n_data = how & COPY_ALL_CONTEXTS || has_all(p, contexts) ? p->n_data_reuses : 0;
    bool failed = p->n_curve_sizes && builder_curve_sizes(b, p->curve_sizes, p->n_curve_sizes) != 0;

    for (uint32_t i = 0; i < p->n_reuses && !failed; i++) {
        struct cprof_reuse reuse = p->reuses[i];
        bool had_context = reuse.context != CPROF_NONE;

        reuse.context = index_in(contexts, reuse.context);
        reuse.place.function = index_in(functions, reuse.place.function);
        reuse.place.file = index_in(files, reuse.place.file);
        if (had_context && reuse.context == CPROF_NONE && !(how & COPY_ALL_CONTEXTS))
            continue;
        failed = builder_reuse(b, &reuse) != 0;
    }
    for (uint32_t i = 0; i < n_data && !failed; i++) {
        struct cprof_reuse reuse = p->data_reuses[i];

        reuse.datum = data[reuse.datum];
        failed = builder_reuse(b, &reuse) != 0;
    }
}

void copy_data(struct builder *b, const struct cprof_profile *p, const uint32_t *contexts,
               const uint32_t *functions, const uint32_t *files, unsigned how)
{
    uint32_t *data = xcalloc(p->n_data + (size_t)1, sizeof *data), *types = copy_types(b, p);
    bool failed = false;

    builder_header(b)->has_data |= p->has_data;
    builder_header(b)->has_line_use |= p->has_line_use;
    for (uint32_t i = 0; i < p->n_data && !failed; i++) {
        struct cprof_datum datum = p->data[i];

        datum.context = index_in(contexts, datum.context);
        datum.function = index_in(functions, datum.function);
        datum.type = index_in(types, datum.type);
        data[i] = builder_datum(b, &datum);
        failed = data[i] == CPROF_NONE;
    }
    for (uint32_t i = 0; i < p->n_touches && !failed; i++) {
        struct cprof_touch touch = p->touches[i];
        bool had_context = touch.context != CPROF_NONE;

        touch.datum = data[touch.datum];
        touch.context = index_in(contexts, touch.context);
        touch.place.function = index_in(functions, touch.place.function);
        touch.place.file = index_in(files, touch.place.file);
        if (had_context && touch.context == CPROF_NONE && !(how & COPY_ALL_CONTEXTS))
            continue;
        failed = builder_touch(b, &touch) != 0;
    }
    if (!failed && how & COPY_CURVES)
        copy_curves(b, p, contexts, functions, files, data, how);
    free(data);
    free(types);
}

void copy_header(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    copy_about(b, p);
    put_sections(&c, NULL);
    if (p->summary)
        builder_summary(b, p->summary);
}

static struct cprof_cost copy_cost(const struct copier *c, const struct cprof_cost *from)
{
    return (struct cprof_cost){index_in(c->functions, from->function),
                               index_in(c->files, from->file), from->line, from->address};
}

static void put_names(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    c->files = xreallocarray(NULL, p->n_files, sizeof *c->files);
    c->objects = xreallocarray(NULL, p->n_objects, sizeof *c->objects);
    c->functions = xreallocarray(NULL, p->n_functions, sizeof *c->functions);
    for (uint32_t i = 0; i < p->n_files; i++)
        c->files[i] = builder_file(c->builder, p->files[i]);
    for (uint32_t i = 0; i < p->n_objects; i++)
        c->objects[i] = builder_object(c->builder, p->objects[i].path, p->objects[i].build_id);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        c->functions[i] =
            builder_function_at(c->builder, f->name, f->mangled, index_in(c->objects, f->object),
                                index_in(c->files, f->file), f->line, f->address);
        builder_function_traits(c->builder, c->functions[i], f);
    }
}

static void free_indices(struct copier *c)
{
    free(c->files);
    free(c->objects);
    free(c->functions);
    free(c->contexts);
    free(c->events);
    free(c->row);
}

void copy_names(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    put_names(&c);
    free_indices(&c);
}

/* Adds context `i`, whose parent is still the profile's index. Equal contexts of several profiles
 * become one. */
static bool add_context(struct copier *c, uint32_t i, struct cprof_context *context)
{
    if (!c->merging)
        return (c->contexts[i] = builder_context(c->builder, context)) == i;
    context->parent = index_in(c->contexts, context->parent);
    c->contexts[i] = builder_same_context(c->builder, context);
    return c->contexts[i] != CPROF_NONE;
}

/* Copies contexts with their costs, which are the profile's costs too. */
static void copy_contexts(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    c->contexts = xreallocarray(NULL, p->n_contexts, sizeof *c->contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        struct cprof_context context = p->contexts[i];

        context.function = index_in(c->functions, context.function);
        context.site_file = index_in(c->files, context.site_file);
        if (!add_context(c, i, &context))
            return;
        for (uint32_t k = 0; k < p->contexts[i].n_costs; k++) {
            uint32_t index = p->contexts[i].first_cost + k;
            struct cprof_cost cost = copy_cost(c, &p->context_costs[index]);

            if (builder_context_cost(c->builder, index_in(c->contexts, i), &cost,
                                     counts_for(c, cprof_context_values(p, index))) != 0)
                return;
        }
    }
    copy_arguments(c->builder, p, c->contexts);
}

/* Without contexts, blocks are of no known one. */
static void put_data(struct copier *c, bool curves)
{
    const struct cprof_profile *p = c->from;
    uint32_t *none = NULL;

    if (!c->contexts && p->n_contexts) {
        none = new_indices(p->n_contexts);
    }
    copy_data(c->builder, p, none ? none : c->contexts, c->functions, c->files,
              (curves ? COPY_CURVES : 0) | (none ? COPY_ALL_CONTEXTS : 0));
    free(none);
}

static void copy_calls(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        struct cprof_call call = p->calls[i];

        call.caller = index_in(c->functions, call.caller);
        call.callee = index_in(c->functions, call.callee);
        call.file = index_in(c->files, call.file);
        if (builder_call(c->builder, &call, counts_for(c, cprof_call_values(p, i))) != 0)
            return;
    }
}

static void put_costs(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        struct cprof_cost cost = copy_cost(c, &p->costs[i]);

        if (builder_cost(c->builder, &cost, counts_for(c, cprof_cost_values(p, i))) != 0)
            return;
    }
}

static void put_inclusive(struct copier *c)
{
    const struct cprof_profile *p = c->from;

    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++)
        if (builder_inclusive(c->builder, c->functions[i],
                              counts_for(c, cprof_inclusive_values(p, i))) != 0)
            return;
}

static void put_records(struct copier *c)
{
    if (c->from->n_contexts)
        copy_contexts(c);
    else
        put_costs(c);
    put_data(c, true);
    copy_calls(c);
}

void copy_records(struct builder *b, const struct cprof_profile *p, const uint32_t *functions)
{
    struct copier c = {.builder = b, .from = p, .functions = (uint32_t *)functions};

    put_records(&c);
    free(c.contexts);
}

bool copy_context_costs(struct builder *b, uint32_t context, const struct cprof_profile *p,
                        uint32_t i, uint32_t function)
{
    const struct cprof_context *c = &p->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        struct cprof_cost cost = p->context_costs[k];

        if (function != CPROF_NONE)
            cost = (struct cprof_cost){.function = function, .file = CPROF_NONE};
        if (builder_context_cost(b, context, &cost, cprof_context_values(p, k)) != 0)
            return false;
    }
    return true;
}

void copy_costs(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    put_names(&c);
    put_records(&c);
    put_inclusive(&c);
    free_indices(&c);
}

void copy_sums(struct builder *b, const struct cprof_profile *p)
{
    struct copier c = {.builder = b, .from = p};

    put_names(&c);
    put_costs(&c);
    copy_calls(&c);
    put_inclusive(&c);
    free_indices(&c);
}

/*
 * Adds objects, functions, costs, calls, sections and, if wanted, contexts, inclusive costs and
 * miss curves to those of other profiles in the builder: equal items are added up. The builder must
 * have all of its `n_events` events before, the profile's among them.
 */
static void copy_merge(struct builder *b, const struct cprof_profile *p, uint32_t n_events,
                       bool contexts, bool inclusive, bool curves)
{
    struct copier c = {.builder = b, .from = p, .merging = true, .n_events = n_events};
    bool known = true; /* false where memory has run out, which the builder reports */

    c.events = xreallocarray(NULL, p->n_events, sizeof *c.events);
    c.row = xcalloc(n_events + 1, sizeof *c.row);
    for (uint32_t e = 0; e < p->n_events; e++)
        known &= (c.events[e] = builder_event(b, p->events[e].name)) < n_events;
    if (known) {
        put_names(&c);
        if (contexts)
            copy_contexts(&c);
        else
            put_costs(&c);
        put_data(&c, curves);
        copy_calls(&c);
        if (inclusive)
            put_inclusive(&c);
        put_sections(&c, NULL);
    }
    free_indices(&c);
}

/*--- Several profiles ---*/

/* Makes all events, the first profile's first. Returns their number. */
static uint32_t make_events(struct builder *b, struct cprof_profile *const *profiles, size_t n)
{
    uint32_t n_events = 0;

    for (size_t i = 0; i < n; i++)
        for (uint32_t e = 0; e < profiles[i]->n_events; e++) {
            uint32_t index = builder_event(b, profiles[i]->events[e].name);

            if (index != CPROF_NONE && index >= n_events)
                n_events = index + 1;
        }
    return n_events;
}

static void add_heap(struct cprof_profile *to, const struct cprof_profile *from)
{
    to->has_heap |= from->has_heap;
    to->heap.unmatched += from->heap.unmatched;
    to->heap.failed += from->heap.failed;
    to->heap.lost += from->heap.lost;
    if (from->heap.known > to->heap.known)
        to->heap.known = from->heap.known;
}

/* Nothing is known where one of them says nothing, unless the other has used some. */
static enum cprof_random random_of_both(enum cprof_random a, enum cprof_random b)
{
    enum cprof_random more = a > b ? a : b, less = a > b ? b : a;

    return more == CPROF_RANDOM_USED || less != CPROF_RANDOM_UNKNOWN ? more : less;
}

/* Adds to the first profile's header what the others say. */
static void merge_header(struct builder *b, struct cprof_profile *const *profiles, size_t n)
{
    struct cprof_profile *h = builder_header(b);

    for (size_t i = 1; i < n; i++) {
        for (uint32_t k = 0; k < profiles[i]->n_parts; k++)
            builder_part(b, &profiles[i]->parts[k]);
        for (uint32_t k = 0; k < profiles[i]->n_warnings; k++)
            builder_warn(b, profiles[i]->warnings[k].line, "%s", profiles[i]->warnings[k].text);
        if (profiles[i]->format != h->format)
            h->format = CPROF_FORMAT_NAMED;
        if (profiles[i]->exit == CPROF_EXIT_SIGNAL)
            h->exit = CPROF_EXIT_SIGNAL;
        h->random = random_of_both(h->random, profiles[i]->random);
        if (profiles[i]->subject != h->subject)
            h->subject = CPROF_SUBJECT_CODE;
        h->may_be_cut |= profiles[i]->may_be_cut;
        add_heap(h, profiles[i]);
        if (profiles[i]->threads > h->threads)
            h->threads = profiles[i]->threads;
        if (profiles[i]->schedule > h->schedule)
            h->schedule = profiles[i]->schedule;
        if (profiles[i]->decisions > h->decisions)
            h->decisions = profiles[i]->decisions;
        if (profiles[i]->clock > h->clock)
            h->clock = profiles[i]->clock;
    }
}

struct cprof_profile *merge_profiles(struct cprof_profile *const *profiles, size_t n,
                                     struct cprof_error *error)
{
    struct builder *b;
    bool contexts = true, inclusive = true, curves = true;
    uint32_t n_events;

    *error = (struct cprof_error){.code = CPROF_OK};
    b = builder_new(error);
    if (!b)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        contexts &= profiles[i]->n_contexts > 0;
        inclusive &= profiles[i]->inclusive != NULL;
        curves &= profiles[i]->n_curve_sizes > 0;
    }
    copy_about(b, profiles[0]);
    merge_header(b, profiles, n);
    n_events = make_events(b, profiles, n);
    for (size_t i = 0; i < n; i++)
        copy_merge(b, profiles[i], n_events, contexts, inclusive, curves);
    return builder_finish(b);
}
