#include <config.h>

/* The reader of profiles with names. */
#include "error.h"
#include "named.h"

#include <stdlib.h>

/* BUILDID PATH */
static int object_record(struct named *w, const char *at)
{
    const char *id, *path;

    if (named_maybe_word(w, &at, &id) || !(path = framed_text(&w->r, at, w->r.end)))
        return -1;
    return named_add_index(w, &w->objects, builder_object(w->r.builder, path, id));
}

static int file_record(struct named *w, const char *at)
{
    const char *path = framed_text(&w->r, at, w->r.end);

    return path ? named_add_index(w, &w->files, builder_file(w->r.builder, path)) : -1;
}

/* Notes on the last function all that does not tell it from others. */
static int add_traits(struct named *w, const char *flags, uint32_t instances, const char *arguments)
{
    static const char known[] = {NAMED_INLINED, NAMED_LEAST, NAMED_NONE, '\0'};
    uint32_t function = ((const uint32_t *)w->functions.data)[w->functions.count - 1];

    if (strspn(flags, known) != strlen(flags))
        return framed_bad(&w->r, NULL, "a function's flags are 'i', 'l', or '-'");
    if ((strchr(flags, NAMED_INLINED) && builder_function_inlined(w->r.builder, function)) ||
        (strchr(flags, NAMED_LEAST) && builder_function_least(w->r.builder, function)) ||
        (instances && builder_function_instances(w->r.builder, function, instances)))
        return -1;
    return arguments ? builder_function_arguments(w->r.builder, function, arguments) : 0;
}

/* OBJECT FILE LINE ADDRESS INSTANCES FLAGS MANGLED ARGUMENTS NAME */
static int function_record(struct named *w, const char *at)
{
    uint32_t object, file, line = 0, instances = 0;
    uint64_t address;
    const char *flags, *mangled, *arguments, *name;

    if (named_maybe(w, &at, &w->objects, "object", &object) ||
        named_maybe(w, &at, &w->files, "file", &file) || named_line_number(w, &at, &line) ||
        named_address(w, &at, &address) || named_line_number(w, &at, &instances) ||
        !(flags = named_word(w, &at)) || named_maybe_word(w, &at, &mangled) ||
        named_maybe_word(w, &at, &arguments) || !(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    if (named_add_index(
            w, &w->functions,
            builder_function_at(w->r.builder, name, mangled, object, file, line, address)))
        return -1;
    return add_traits(w, flags, instances, arguments);
}

/* FUNCTION FILE LINE ADDRESS N... */
static int cost_record(struct named *w, const char *at)
{
    struct cprof_cost cost;

    if (named_index(w, &at, &w->functions, "function", &cost.function) ||
        named_maybe(w, &at, &w->files, "file", &cost.file) ||
        named_line_number(w, &at, &cost.line) || named_address(w, &at, &cost.address) ||
        reader_counts(&w->r, at))
        return -1;
    w->have_costs = 1;
    return w->context == CPROF_NONE
               ? builder_cost(w->r.builder, &cost, w->r.row)
               : builder_context_cost(w->r.builder, w->context, &cost, w->r.row);
}

/* PARENT FUNCTION SITEFILE SITELINE SITE CALLS INLINED */
static int context_record(struct named *w, const char *at)
{
    struct cprof_context context = {0};
    uint64_t inlined;

    if (w->context == CPROF_NONE && w->have_costs)
        return framed_bad(&w->r, NULL, "a context after costs that stand under none");
    if (named_maybe(w, &at, &w->contexts, "context", &context.parent) ||
        named_index(w, &at, &w->functions, "function", &context.function) ||
        named_maybe(w, &at, &w->files, "file", &context.site_file) ||
        named_line_number(w, &at, &context.site_line) || named_address(w, &at, &context.site) ||
        named_calls(w, &at, &context.calls) || named_number(w, &at, &inlined))
        return -1;
    context.inlined = inlined != 0;
    w->context = builder_context(w->r.builder, &context);
    return named_add_index(w, &w->contexts, w->context);
}

/* CALLER CALLEE FILE LINE ADDRESS CALLS INLINED N... */
static int call_record(struct named *w, const char *at)
{
    struct cprof_call call = {0};
    uint64_t inlined;

    if (named_index(w, &at, &w->functions, "function", &call.caller) ||
        named_index(w, &at, &w->functions, "function", &call.callee) ||
        named_maybe(w, &at, &w->files, "file", &call.file) ||
        named_line_number(w, &at, &call.line) || named_address(w, &at, &call.address) ||
        named_calls(w, &at, &call.count) || named_number(w, &at, &inlined) ||
        reader_counts(&w->r, at))
        return -1;
    call.inlined = inlined != 0;
    return builder_call(w->r.builder, &call, w->r.row);
}

/* FUNCTION N... */
static int inclusive_record(struct named *w, const char *at)
{
    uint32_t function;

    if (named_index(w, &at, &w->functions, "function", &function) || reader_counts(&w->r, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

/* BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME */
static int section_record(struct named *w, const char *at)
{
    struct cprof_section s = {0};
    const char *name;
    uint32_t section;

    if (named_calls(w, &at, &s.began) || named_calls(w, &at, &s.ended) ||
        named_calls(w, &at, &s.lost) || named_calls(w, &at, &s.stray) ||
        named_calls(w, &at, &s.foreign) || named_calls(w, &at, &s.crossed) ||
        !(name = framed_text(&w->r, at, w->r.end)))
        return -1;
    section = builder_section(w->r.builder, name);
    if (named_add_index(w, &w->sections, section))
        return -1;
    return builder_section_entries(w->r.builder, section, &s);
}

/* SECTION N... */
static int section_cost_record(struct named *w, const char *at)
{
    uint32_t section;

    if (named_index(w, &at, &w->sections, "section", &section) || reader_counts(&w->r, at))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}

/* SECTION IR ENTRIES */
static int spread_record(struct named *w, const char *at)
{
    uint32_t section;
    uint64_t cost, entries;

    if (named_index(w, &at, &w->sections, "section", &section) || named_calls(w, &at, &cost) ||
        named_calls(w, &at, &entries))
        return -1;
    return builder_section_spread(w->r.builder, section, cost, entries);
}

/* SECTION LEAST GREATEST */
static int extremes_record(struct named *w, const char *at)
{
    uint32_t section;
    uint64_t least, greatest;

    if (named_index(w, &at, &w->sections, "section", &section) || named_calls(w, &at, &least) ||
        named_calls(w, &at, &greatest))
        return -1;
    return builder_section_extremes(w->r.builder, section, least, greatest);
}

/* ARG CONTEXT OTHER VALUE CALLS */
static int argument_record(struct named *w, const char *at)
{
    struct cprof_arg_count count = {.arg = 0};
    uint64_t other;

    if (named_index(w, &at, &w->counted_args, "counted argument", &count.arg) ||
        named_index(w, &at, &w->contexts, "context", &count.context) ||
        named_number(w, &at, &other) || named_number(w, &at, &count.value) ||
        named_calls(w, &at, &count.calls))
        return -1;
    count.other = other != 0;
    if (count.other)
        count.value = 0;
    return builder_arg_count(w->r.builder, &count);
}

static int end_record(struct named *w)
{
    w->have_end = 1;
    return framed_last_line(&w->r, input_line_number(w->r.in) - 1);
}

static int record(struct named *w)
{
    const char *at = w->r.line + 2;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "records before 'events:'");
    w->in_body = 1;
    switch (*w->r.line) {
    case NAMED_OBJECT:
        return object_record(w, at);
    case NAMED_FILE:
        return file_record(w, at);
    case NAMED_FUNCTION:
        return function_record(w, at);
    case NAMED_COST:
        return cost_record(w, at);
    case NAMED_CONTEXT:
        return context_record(w, at);
    case NAMED_CALL:
        return call_record(w, at);
    case NAMED_INCLUSIVE:
        return inclusive_record(w, at);
    case NAMED_SECTION:
        return section_record(w, at);
    case NAMED_SECTION_COST:
        return section_cost_record(w, at);
    case NAMED_SPREAD:
        return spread_record(w, at);
    case NAMED_EXTREMES:
        return extremes_record(w, at);
    case NAMED_ARGUMENT:
        return argument_record(w, at);
    case NAMED_TYPE:
        return named_type_record(w, at);
    case NAMED_DATUM:
        return named_datum_record(w, at);
    case NAMED_TOUCH:
        return named_touch_record(w, at);
    case NAMED_REUSE:
        return named_reuse_record(w, at);
    default:
        return framed_bad(&w->r, NULL, "unknown record");
    }
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
    free(w->objects.data);
    free(w->files.data);
    free(w->functions.data);
    free(w->contexts.data);
    free(w->sections.data);
    free(w->counted_args.data);
    free(w->data.data);
    free(w->types.data);
    free(w->curve_sizes.data);
    free(w);
    return profile;
}
