#include <config.h>

/* The lines of a raw profile that have call paths. */
#include "error.h"
#include "raw.h"

static int equal_function(const void *owner, uint32_t index, const void *key)
{
    const struct raw_function *a = (const struct raw_function *)owner + index, *b = key;

    return a->address == b->address && a->object == b->object;
}

/* The function of that beginning; made if new, with that name. CPROF_NONE: failed. */
static uint32_t function_called(struct raw *w, uint32_t object, uint64_t address, uint32_t hash,
                                const char *name)
{
    struct raw_function key = {address, object, CPROF_NONE}, *functions = w->functions.data, *new;
    uint32_t found = map_find(&w->function_map, hash, equal_function, functions, &key);

    if (found != MAP_NONE)
        return functions[found].function;
    key.function = builder_function_at(w->r.builder, name, NULL, object, CPROF_NONE, 0, address);
    if (key.function == CPROF_NONE || !(new = raw_push_behind(w, &w->functions, sizeof *new)))
        return CPROF_NONE;
    *new = key;
    if (!map_add(&w->function_map, hash, (uint32_t)w->functions.count - 1))
        return key.function;
    error_set(&w->behind, CPROF_ERROR_MEMORY, "out of memory");
    return CPROF_NONE;
}

uint32_t raw_function_at(struct raw *w, uint32_t object, uint64_t address, uint32_t hash)
{
    return function_called(w, object, address, hash, "???");
}

uint32_t raw_named_function(struct raw *w, uint32_t object, uint64_t address, const char *name)
{
    return function_called(w, object, address, raw_function_hash(object, address), name);
}

/* OBJECT ADDRESS; the object that comes out is the profile's. */
static int read_place(struct raw *w, const char **at, uint32_t *object, uint64_t *address)
{
    if (raw_id(w, at, w->objects.count, "object", object) || raw_address(w, at, address))
        return -1;
    *object = ((const struct raw_object *)w->objects.data)[*object].object;
    return 0;
}

int raw_function(struct raw *w, const char **at, uint32_t *function)
{
    uint32_t object;
    uint64_t address;

    if (read_place(w, at, &object, &address))
        return -1;
    *function = raw_function_at(w, object, address, raw_function_hash(object, address));
    return *function == CPROF_NONE ? -1 : 0;
}

/* The object is the caller's, and not kept. */
int raw_site(struct raw *w, const char **at, uint64_t *site)
{
    uint32_t object;
    const char *start;

    if (raw_id_or_none(w, at, w->objects.count, "object", &object))
        return -1;
    start = *at;
    if (raw_address(w, at, site))
        return -1;
    return object == CPROF_NONE && *site ? framed_bad(&w->r, start, "a site without an object is 0")
                                         : 0;
}

static int read_calls(struct raw *w, const char **at, uint64_t *calls)
{
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    *calls = (uint64_t)n;
    return 0;
}

int raw_context_ids(struct raw *w, const char **at, uint32_t *parent)
{
    if (!w->n_contexts && w->have_counts)
        return framed_bad(&w->r, NULL, "a context after counts that stand under none");
    return raw_new_id(w, at, w->n_contexts, "context") ||
                   raw_id_or_none(w, at, w->n_contexts, "context", parent)
               ? -1
               : 0;
}

int raw_add_context(struct raw *w, uint32_t parent, struct cprof_context *context)
{
    uint32_t *index = raw_push_behind(w, &w->contexts, sizeof *index);

    if (!index)
        return -1;
    context->parent =
        parent == CPROF_NONE ? CPROF_NONE : ((const uint32_t *)w->contexts.data)[parent];
    context->site_file = CPROF_NONE;
    *index = w->n_before ? builder_same_context(w->r.builder, context)
                         : builder_context(w->r.builder, context);
    return *index == CPROF_NONE ? -1 : 0;
}

int raw_quick_context(struct raw *w, const char *line, const char *end)
{
    const struct raw_object *objects = w->objects.data;
    struct raw_path path;
    uint64_t id, parent, object, site_object;
    const char *at = lex_quick_field(line + 2, end, &id);

    if (!at || id != w->n_contexts || !(at = lex_quick_field(at, end, &parent)) || parent >= id ||
        !(at = lex_quick_field(at, end, &object)) || object >= w->objects.count ||
        !(at = lex_quick_hex_field(at, end, &path.address)) ||
        !(at = lex_quick_field(at, end, &site_object)) || site_object >= w->objects.count ||
        !(at = lex_quick_hex_field(at, end, &path.site)) ||
        !(at = lex_quick_decimal(at, end, &path.calls)) || at == end || *at != '\n')
        return 0;
    input_take(w->r.in, at + 1, 1);
    path.parent = (uint32_t)parent;
    path.object = objects[object].object;
    return raw_batch_path(w, &path) ? -1 : 1;
}

int raw_context_record(struct raw *w, const char *at)
{
    struct raw_path path;

    return raw_context_ids(w, &at, &path.parent) ||
                   read_place(w, &at, &path.object, &path.address) ||
                   raw_site(w, &at, &path.site) || read_calls(w, &at, &path.calls) || raw_end(w, at)
               ? -1
               : raw_batch_path(w, &path);
}

int raw_root_record(struct raw *w, const char *at)
{
    struct cprof_context context = {.calls = 0};
    uint32_t parent;
    const char *name;

    if (raw_context_ids(w, &at, &parent))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    if (!(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    context.function = builder_function(w->r.builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    if (context.function == CPROF_NONE || raw_add_context(w, parent, &context))
        return -1;
    w->n_contexts++;
    return raw_begin_counts(w);
}

int raw_inclusive_record(struct raw *w, const char *at)
{
    uint32_t function;

    if (raw_function(w, &at, &function) || raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

int raw_edge_record(struct raw *w, const char *at)
{
    struct cprof_call call = {.file = CPROF_NONE};

    if (raw_function(w, &at, &call.caller) || raw_function(w, &at, &call.callee) ||
        raw_site(w, &at, &call.address) || read_calls(w, &at, &call.count) ||
        raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_call(w->r.builder, &call, w->r.row);
}
