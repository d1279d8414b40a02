#include <config.h>

#include "builder.h"

#include "builder_private.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Vectors have no more: indices fit 32 bits, and CPROF_NONE is none of them. */
#define MOST_ELEMENTS ((size_t)1 << 30)

void *builder_push(struct builder *b, struct vector *v, size_t size)
{
    void *new = v->count < MOST_ELEMENTS ? vector_push(v, size) : NULL;

    if (!new)
        builder_out_of_memory(b);
    return new;
}

int builder_add(struct builder *b, struct vector *v, const void *element, size_t size)
{
    return v->count < MOST_ELEMENTS && !vector_add(v, element, size) ? 0 : builder_out_of_memory(b);
}

/* Life cycle */

struct builder *builder_new(struct cprof_error *error)
{
    struct builder *b = calloc(1, sizeof *b);

    if (b)
        b->profile = calloc(1, sizeof *b->profile);
    if (!b || !b->profile) {
        free(b);
        error_memory(error);
        return NULL;
    }
    b->error = error;
    b->seed = (uintptr_t)b;
    builder_start_records(b);
    b->profile->public.pid = -1;
    b->profile->public.sections_began = b->profile->public.sections_ended = -1;
    return b;
}

void builder_free(struct builder *b)
{
    if (!b)
        return;
    struct vector *vectors[] = {
        &b->texts,    &b->events,  &b->objects,       &b->files,          &b->functions,
        &b->caches,   &b->parts,   &b->warnings,      &b->contexts,       &b->toggles,
        &b->sections, &b->spreads, &b->arg_counts,    &b->counted_args,   &b->line_runs,
        &b->data,     &b->touches, &b->types,         &b->members,        &b->curve_sizes,
        &b->reuses,   &b->runs,    &b->context_child, &b->alloc_functions};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]->data);
    for (size_t i = 0; i < BUILDER_LISTS; i++)
        free(b->lists[i].data);
    map_release(&b->text_map);
    map_release(&b->object_map);
    map_release(&b->file_map);
    map_release(&b->function_map);
    map_release(&b->context_map);
    map_release(&b->data_map);
    map_release(&b->type_map);
    builder_release_records(b);
    if (b->profile)
        cprof_free(&b->profile->public);
    free(b);
}

void builder_report_to(struct builder *b, struct cprof_error *error)
{
    b->error = error;
}

/* Texts and the header */

static int equal_text(const void *owner, uint32_t index, const void *key)
{
    const struct text *a = (const struct text *)owner + index, *b = key;

    return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

const char *builder_text(struct builder *b, const char *text, size_t size)
{
    struct text key = {text, size}, *new;
    uint32_t hash, found;

    if (builder_failed(b))
        return NULL;
    hash = map_hash_bytes(text, size, b->seed);
    found = map_find(&b->text_map, hash, equal_text, b->texts.data, &key);
    if (found != MAP_NONE)
        return ((struct text *)b->texts.data)[found].bytes;
    new = builder_push(b, &b->texts, sizeof *new);
    if (!new)
        return NULL;
    new->size = size;
    new->bytes = arena_text(&b->profile->arena, text, size);
    if (!new->bytes || map_add(&b->text_map, hash, (uint32_t)b->texts.count - 1)) {
        b->texts.count--;
        builder_out_of_memory(b);
        return NULL;
    }
    return new->bytes;
}

struct cprof_profile *builder_header(struct builder *b)
{
    return &b->profile->public;
}

static uint64_t bounded_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) || sum > INT64_MAX ? INT64_MAX : sum;
}

void builder_lost_samples(struct builder *b, uint64_t taken, uint64_t lost)
{
    struct cprof_profile *p = builder_header(b);

    p->n_samples = bounded_sum(p->n_samples, taken);
    p->lost_samples = bounded_sum(p->lost_samples, lost);
}

int builder_intern(struct builder *b, const char **text)
{
    if (builder_failed(b))
        return -1;
    if (!*text)
        return 0;
    *text = builder_text(b, *text, strlen(*text));
    return *text ? 0 : -1;
}

int builder_add_text(struct builder *b, enum builder_list list, const char *text)
{
    return builder_intern(b, &text) ? -1 : builder_add(b, &b->lists[list], &text, sizeof text);
}

int builder_cache(struct builder *b, const struct cprof_cache *cache)
{
    struct cprof_cache copy = *cache;

    return builder_intern(b, &copy.name) || builder_intern(b, &copy.text)
               ? -1
               : builder_add(b, &b->caches, &copy, sizeof copy);
}

static int add_toggle(struct builder *b, struct vector *toggles, uint32_t index,
                      const char *pattern, uint64_t n_functions)
{
    struct cprof_toggle toggle = {pattern, n_functions}, *known;

    if (builder_intern(b, &toggle.pattern))
        return -1;
    if (index < toggles->count) {
        known = (struct cprof_toggle *)toggles->data + index;
        if (known->pattern == toggle.pattern && known->n_functions < n_functions)
            known->n_functions = n_functions;
        return 0;
    }
    return builder_add(b, toggles, &toggle, sizeof toggle);
}

int builder_toggle(struct builder *b, uint32_t index, const char *pattern, uint64_t n_functions)
{
    return add_toggle(b, &b->toggles, index, pattern, n_functions);
}

int builder_alloc_function(struct builder *b, uint32_t index, const char *text,
                           uint64_t n_functions)
{
    return add_toggle(b, &b->alloc_functions, index, text, n_functions);
}

int builder_part(struct builder *b, const struct cprof_part *part)
{
    struct cprof_part copy = *part;

    return builder_intern(b, &copy.trigger) || builder_intern(b, &copy.timerange) ||
                   builder_intern(b, &copy.left)
               ? -1
               : builder_add(b, &b->parts, &copy, sizeof copy);
}

/* Events */

uint32_t builder_event(struct builder *b, const char *name)
{
    const struct cprof_event *events = b->events.data;
    struct cprof_event new = {.name = NULL};
    uint32_t count = (uint32_t)b->events.count;

    if (builder_intern(b, &name))
        return CPROF_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (events[i].name == name)
            return i;
    new.name = name;
    return builder_widen_records(b, count + 1) || builder_add(b, &b->events, &new, sizeof new)
               ? CPROF_NONE
               : count;
}

const char *builder_event_name(const struct builder *b, uint32_t event)
{
    return ((const struct cprof_event *)b->events.data)[event].name;
}

uint32_t builder_find_event(const struct builder *b, const char *name)
{
    const struct cprof_event *events = b->events.data;

    for (uint32_t i = 0; i < b->events.count; i++)
        if (!strcmp(events[i].name, name))
            return i;
    return CPROF_NONE;
}

int builder_event_describe(struct builder *b, uint32_t event, const char *long_name,
                           const char *formula)
{
    struct cprof_event *events = b->events.data;

    if (builder_intern(b, &long_name) || builder_intern(b, &formula))
        return -1;
    assert(event < b->events.count);
    events[event].long_name = long_name;
    events[event].formula = formula;
    return 0;
}

/* Names */

static int equal_object(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_object *a = (const struct cprof_object *)owner + index, *b = key;

    return a->path == b->path && a->build_id == b->build_id;
}

static int equal_file(const void *owner, uint32_t index, const void *key)
{
    return ((const char *const *)owner)[index] == *(const char *const *)key;
}

static int equal_function(const void *owner, uint32_t index, const void *key)
{
    const struct cprof_function *a = (const struct cprof_function *)owner + index, *b = key;

    return a->name == b->name && a->mangled == b->mangled && a->object == b->object &&
           a->file == b->file && a->address == b->address;
}

uint32_t builder_unique(struct builder *b, struct vector *v, struct map *m, uint64_t mixed,
                        map_equal *equal, const void *key, size_t size)
{
    uint32_t hash = map_hash(mixed), found = map_find(m, hash, equal, v->data, key);

    if (found != MAP_NONE)
        return found;
    if (builder_add(b, v, key, size))
        return CPROF_NONE;
    if (map_add(m, hash, (uint32_t)v->count - 1)) {
        builder_out_of_memory(b);
        return CPROF_NONE;
    }
    return (uint32_t)v->count - 1;
}

uint32_t builder_object(struct builder *b, const char *path, const char *build_id)
{
    struct cprof_object key = {path, build_id};

    if (builder_intern(b, &key.path) || builder_intern(b, &key.build_id))
        return CPROF_NONE;
    return builder_unique(b, &b->objects, &b->object_map,
                          map_mix(map_mix(0, (uintptr_t)key.path), (uintptr_t)key.build_id),
                          equal_object, &key, sizeof key);
}

uint32_t builder_file(struct builder *b, const char *path)
{
    if (builder_intern(b, &path))
        return CPROF_NONE;
    return builder_unique(b, &b->files, &b->file_map, map_mix(0, (uintptr_t)path), equal_file,
                          &path, sizeof path);
}

uint32_t builder_function_at(struct builder *b, const char *name, const char *mangled,
                             uint32_t object, uint32_t file, uint32_t line, uint64_t address)
{
    struct cprof_function key = {.name = name,
                                 .mangled = mangled,
                                 .object = object,
                                 .file = file,
                                 .line = line,
                                 .address = address};
    uint64_t mixed;

    if (builder_intern(b, &key.name) || builder_intern(b, &key.mangled))
        return CPROF_NONE;
    assert(object == CPROF_NONE || object < b->objects.count);
    assert(file == CPROF_NONE || file < b->files.count);
    mixed = map_mix(map_mix(0, (uintptr_t)key.name), (uintptr_t)key.mangled);
    mixed = map_mix(map_mix(mixed, (uint64_t)object << 32 | file), address);
    return builder_unique(b, &b->functions, &b->function_map, mixed, equal_function, &key,
                          sizeof key);
}

uint32_t builder_function(struct builder *b, const char *name, const char *mangled, uint32_t object,
                          uint32_t file, uint32_t line)
{
    return builder_function_at(b, name, mangled, object, file, line, 0);
}

/* The function of an index; NULL after a failure. */
static struct cprof_function *function_at(struct builder *b, uint32_t function)
{
    struct cprof_function *functions = b->functions.data;

    if (builder_failed(b))
        return NULL;
    assert(function < b->functions.count);
    return &functions[function];
}

int builder_function_traits(struct builder *b, uint32_t function,
                            const struct cprof_function *traits)
{
    struct cprof_function *f = function_at(b, function);
    const char *arguments = traits->arguments;

    if (!f || builder_intern(b, &arguments))
        return -1;
    f->inlined |= traits->inlined;
    f->inclusive_least |= traits->inclusive_least;
    if (traits->instances)
        f->instances = traits->instances;
    if (!f->arguments)
        f->arguments = arguments;
    if (!f->code)
        f->code = traits->code;
    return 0;
}

int builder_function_entered(struct builder *b, uint32_t function, uint64_t count, int least)
{
    struct cprof_function *f = function_at(b, function);

    if (f) {
        f->entered = f->entered > INT64_MAX - count ? INT64_MAX : f->entered + count;
        f->entered_least |= least != 0;
    }
    return f ? 0 : -1;
}

int builder_warn(struct builder *b, unsigned long line, const char *format, ...)
{
    struct cprof_warning *warnings = b->warnings.data, *new;
    char text[512];
    va_list arguments;
    const char *copy = text;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (builder_intern(b, &copy))
        return -1;
    for (uint32_t i = 0; i < b->warnings.count; i++)
        if (warnings[i].text == copy) {
            /* One that was kept, and that the reader has found itself, too, is one. */
            if (line && !warnings[i].line)
                warnings[i].line = line;
            else
                warnings[i].count++;
            return 0;
        }
    new = builder_push(b, &b->warnings, sizeof *new);
    if (!new)
        return -1;
    *new = (struct cprof_warning){.line = line, .count = 1, .text = copy};
    return 0;
}

/*--- The profile that was collected ---*/

/* Copies a vector's elements of `size` bytes into the profile's arena. NULL with the error set. */
static const void *settle(struct builder *b, const struct vector *v, size_t size, uint32_t *count)
{
    const void *copy =
        builder_failed(b) ? NULL : arena_copy(&b->profile->arena, v->data, v->count, size);

    if (!copy)
        builder_out_of_memory(b);
    *count = (uint32_t)v->count;
    return copy;
}

int builder_unite(struct builder *b, struct vector *v, const struct builder_sums *sums)
{
    _Alignas(max_align_t) char total[sizeof(struct cprof_touch)] = {0};
    char *all = v->data;
    size_t kept = 0;

    assert(sums->size <= sizeof total);
    if (v->count)
        qsort(all, v->count, sums->size, sums->compare);
    for (size_t i = 0; i < v->count; i++) {
        char *last = all + (kept ? kept - 1 : 0) * sums->size, *next = all + i * sums->size;

        if (sums->add(total, next))
            return builder_fail(b, CPROF_ERROR_RANGE, sums->excess);
        if (!kept || sums->compare(last, next))
            memmove(all + kept++ * sums->size, next, sums->size);
        else
            sums->add(last, next); /* which is no more than the total */
    }
    v->count = kept;
    return 0;
}

/* Hands vectors over, and the numbers of their elements. */
#define SETTLE(field, vector) p->field = settle(b, &b->vector, sizeof *p->field, &p->n_##field)
static void settle_vectors(struct builder *b, struct cprof_profile *p)
{
    SETTLE(events, events);
    SETTLE(objects, objects);
    SETTLE(files, files);
    SETTLE(functions, functions);
    SETTLE(line_runs, line_runs);
    SETTLE(arguments, lists[BUILDER_ARGUMENTS]);
    SETTLE(setup, lists[BUILDER_SETUP]);
    SETTLE(descriptions, lists[BUILDER_DESCRIPTIONS]);
    SETTLE(caches, caches);
    SETTLE(toggles, toggles);
    SETTLE(alloc_functions, alloc_functions);
    SETTLE(parts, parts);
    SETTLE(warnings, warnings);
    SETTLE(counted_args, counted_args);
    SETTLE(types, types);
    SETTLE(members, members);
    SETTLE(data, data);
    SETTLE(curve_sizes, curve_sizes);
    if (b->summary && !builder_failed(b)) {
        p->summary = arena_copy(&b->profile->arena, b->summary, p->n_events, sizeof *b->summary);
        if (!p->summary)
            builder_out_of_memory(b);
    }
}

/* Hands records that add up over. */
static void settle_sums(struct builder *b, struct cprof_profile *p)
{
    const struct cprof_reuse *reuses = b->reuses.data;

    builder_bound_reuses(b);
    if (builder_settle_sections(b, p) || builder_unite(b, &b->arg_counts, &builder_arg_counts) ||
        builder_unite(b, &b->touches, &builder_touches) ||
        builder_unite(b, &b->reuses, &builder_reuses))
        return;
    SETTLE(arg_counts, arg_counts);
    SETTLE(touches, touches);
    SETTLE(reuses, reuses);
    while (p->n_data_reuses < p->n_reuses &&
           reuses[p->n_reuses - p->n_data_reuses - 1].datum != CPROF_NONE)
        p->n_data_reuses++;
    p->n_reuses -= p->n_data_reuses;
    if (p->reuses)
        p->data_reuses = p->reuses + p->n_reuses;
}
#undef SETTLE

/* The records of a profile and their counts, two for each table. */
enum {
    RECORDS_COSTS = 0,
    RECORDS_CALLS = 2,
    RECORDS_CONTEXT_COSTS = 4,
    RECORDS_INCLUSIVE = 6,
    RECORDS_CONTEXTS
};

/* Hands a table's memory to the profile. */
static void settle_table(struct profile *p, struct sum_table *t, size_t block)
{
    p->records[block] = t->keys;
    p->records[block + 1] = t->values;
    t->keys = NULL;
    t->values = NULL;
}

static int order_records(struct builder *b)
{
    uint32_t n_functions = (uint32_t)b->functions.count;

    if (builder_order_contexts(b) || builder_end_calls(b) ||
        builder_report(b, table_order(&b->costs, n_functions)) ||
        builder_report(b, table_order(&b->calls, n_functions)))
        return -1;
    return builder_report(b, table_order(&b->inclusive, n_functions));
}

static void settle_costs(struct builder *b, struct cprof_profile *p)
{
    int64_t *totals = arena_alloc(&b->profile->arena, (p->n_events + (size_t)1) * sizeof *totals);

    if (!totals) {
        builder_out_of_memory(b);
        return;
    }
    p->totals = totals;
    if (builder_report(b, table_sum(&b->costs, totals)))
        return;
    p->n_costs = b->costs.count;
    settle_table(b->profile, &b->costs, RECORDS_COSTS);
    p->costs = b->profile->records[RECORDS_COSTS];
    p->cost_values = b->profile->records[RECORDS_COSTS + 1];
    for (uint32_t i = 0; i < p->n_costs; i++) {
        p->has_lines |= p->costs[i].line != 0;
        p->has_addresses |= p->costs[i].address != 0;
    }
}

static void settle_calls(struct builder *b, struct cprof_profile *p)
{
    p->n_calls = b->calls.count;
    settle_table(b->profile, &b->calls, RECORDS_CALLS);
    p->calls = b->profile->records[RECORDS_CALLS];
    p->call_values = b->profile->records[RECORDS_CALLS + 1];
}

static void settle_contexts(struct builder *b, struct cprof_profile *p)
{
    struct paths paths = {.profile = p,
                          .n = (uint32_t)b->contexts.count,
                          .contexts = b->contexts.data,
                          .n_costs = b->context_costs.count};

    b->profile->records[RECORDS_CONTEXTS] = b->contexts.data;
    b->contexts.data = NULL;
    settle_table(b->profile, &b->context_costs, RECORDS_CONTEXT_COSTS);
    paths.costs = b->profile->records[RECORDS_CONTEXT_COSTS];
    paths.values = b->profile->records[RECORDS_CONTEXT_COSTS + 1];
    if (b->contexts_inlined) {
        b->profile->inlined = paths;
        return;
    }
    p->n_contexts = paths.n;
    p->contexts = paths.contexts;
    p->n_context_costs = paths.n_costs;
    p->context_costs = paths.costs;
    p->context_cost_values = paths.values;
}

static void settle_inclusive(struct builder *b, struct cprof_profile *p)
{
    const struct sum_table *t = &b->inclusive;
    const struct inclusive_key *keys = (const void *)t->keys;
    int64_t *rows;

    if (!t->count)
        return;
    rows = calloc(p->n_functions, (p->n_events + (size_t)1) * sizeof *rows);
    if (!rows) {
        builder_out_of_memory(b);
        return;
    }
    for (uint32_t i = 0; i < t->count; i++)
        memcpy(rows + (size_t)keys[i].function * p->n_events, t->values + (size_t)i * t->width,
               p->n_events * sizeof *rows);
    b->profile->records[RECORDS_INCLUSIVE] = rows;
    p->inclusive = rows;
}

struct cprof_profile *builder_finish(struct builder *b)
{
    struct cprof_profile *result = NULL, *p = &b->profile->public;

    settle_vectors(b, p);
    if (!order_records(b)) {
        settle_costs(b, p);
        settle_calls(b, p);
        settle_contexts(b, p);
        settle_inclusive(b, p);
        if (!builder_failed(b))
            settle_sums(b, p);
    }
    if (!builder_failed(b)) {
        result = p;
        b->profile = NULL;
    }
    builder_free(b);
    return result;
}
