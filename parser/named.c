#include <config.h>

/*
 * The reader of profiles that keep their names, doc/named.md: what cprof_profile has, record by
 * record. cli/out/named.c writes them.
 */
#include "reader.h"

#include <stdlib.h>

#include "error.h"

#define MAGIC         "cprof-named"
#define NAMED_VERSION 1

/* Indices of the file, and what they are in the builder. */
struct indices {
    uint32_t *items;
    size_t n, room;
};

struct named {
    struct reader r;
    struct indices objects, files, functions, contexts;
    uint32_t context; /* that costs belong to; CPROF_NONE: to none */
    int have_end, in_body, have_costs;
};

/*--- Fields: each ends at a blank, which is skipped, or at the end of the line ---*/

static int bad(struct named *w, const char *at, const char *text)
{
    return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "%s", text);
}

static int skip_blank(struct named *w, const char **at)
{
    if (*at < w->r.end && **at != ' ')
        return bad(w, *at, "a field ends at a blank");
    *at += *at < w->r.end;
    return 0;
}

static int read_number(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_decimal(at, w->r.end, value);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    return skip_blank(w, at);
}

static int read_line_number(struct named *w, const char **at, uint32_t *line)
{
    const char *start = *at;
    uint64_t value;

    if (read_number(w, at, &value))
        return -1;
    if (value > UINT32_MAX)
        return reader_fail_number(&w->r, LEX_RANGE, start, "line number");
    *line = (uint32_t)value;
    return 0;
}

static int read_address(struct named *w, const char **at, uint64_t *value)
{
    const char *start = *at;
    enum lex result = lex_hex(at, w->r.end, value);

    return result != LEX_OK ? reader_fail_number(&w->r, result, start, "address")
                            : skip_blank(w, at);
}

/* A number of calls, which are signed elsewhere. */
static int read_calls(struct named *w, const char **at, uint64_t *calls)
{
    const char *start = *at;

    if (read_number(w, at, calls))
        return -1;
    return *calls > INT64_MAX ? reader_fail_number(&w->r, LEX_RANGE, start, "number") : 0;
}

static int read_index(struct named *w, const char **at, const struct indices *of, const char *what,
                      uint32_t *index)
{
    const char *start = *at;
    uint64_t value;

    if (read_number(w, at, &value))
        return -1;
    if (value >= of->n)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %llu is not defined", what,
                           (unsigned long long)value);
    *index = of->items[value];
    return 0;
}

/* The same, or "-" for none. */
static int read_maybe(struct named *w, const char **at, const struct indices *of, const char *what,
                      uint32_t *index)
{
    if (*at == w->r.end || **at != '-')
        return read_index(w, at, of, what, index);
    *index = CPROF_NONE;
    ++*at;
    return skip_blank(w, at);
}

/* Counts to the end of the line; those that are missing are 0. */
static int read_counts(struct named *w, const char *at)
{
    return reader_counts(&w->r, at);
}

/* One byte of a text, its escape undone. */
static int read_byte(struct named *w, const char **at, const char *end, char *byte)
{
    const char *digits = *at + 2, *stop = *at + 4;
    uint64_t value;

    if (**at != '\\') {
        *byte = *(*at)++;
        return *byte ? 0 : bad(w, *at - 1, "text holds a NUL byte");
    }
    if (end - *at < 4 || (*at)[1] != 'x' || lex_hex(&digits, stop, &value) != LEX_OK ||
        digits != stop || !value)
        return bad(w, *at, "text holds an escape other than '\\xHH'");
    *byte = (char)(unsigned char)value;
    *at = stop;
    return 0;
}

/* The text from `at` to `end`. NULL on failure. */
static const char *read_text(struct named *w, const char *at, const char *end)
{
    size_t size = 0;
    const char *text = NULL;
    char *bytes = malloc((size_t)(end - at) + 1);

    if (!bytes) {
        error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    while (at < end && !read_byte(w, &at, end, &bytes[size]))
        size++;
    if (at == end)
        text = builder_text(w->r.builder, bytes, size);
    free(bytes);
    return text;
}

/* A text that is one field: a word. */
static const char *read_word(struct named *w, const char **at)
{
    const char *end = memchr(*at, ' ', (size_t)(w->r.end - *at)), *text;

    if (!end)
        end = w->r.end;
    text = read_text(w, *at, end);
    *at = end + (end < w->r.end);
    return text;
}

/* A word, or "-" for none. 0 or -1. */
static int read_maybe_word(struct named *w, const char **at, const char **word)
{
    int none = *at < w->r.end && **at == '-' && (*at + 1 == w->r.end || (*at)[1] == ' ');

    *word = read_word(w, at);
    if (!*word)
        return -1;
    if (none)
        *word = NULL;
    return 0;
}

static int add_index(struct named *w, struct indices *to, uint32_t index)
{
    if (index == CPROF_NONE)
        return -1; /* the builder has said why */
    if (to->n == to->room) {
        size_t room = to->room ? 2 * to->room : 64;
        uint32_t *items =
            room > SIZE_MAX / sizeof *items ? NULL : realloc(to->items, room * sizeof *items);

        if (!items)
            return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        to->items = items;
        to->room = room;
    }
    to->items[to->n++] = index;
    return 0;
}

/*--- The header ---*/

static int set_text(struct named *w, const char *at, const char **field)
{
    *field = read_text(w, at, w->r.end);
    return *field ? 0 : -1;
}

static int creator_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->creator);
}

static int program_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->program);
}

static int command_key(struct named *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->command);
}

static int argument_key(struct named *w, const char *at)
{
    const char *text = read_text(w, at, w->r.end);

    return text ? builder_argument(w->r.builder, text) : -1;
}

static int description_key(struct named *w, const char *at)
{
    const char *text = read_text(w, at, w->r.end);

    return text ? builder_description(w->r.builder, text) : -1;
}

static int pid_key(struct named *w, const char *at)
{
    return reader_long(&w->r, at, &builder_header(w->r.builder)->pid);
}

static int is(struct named *w, const char *at, const char *word)
{
    size_t size = strlen(word);

    return (size_t)(w->r.end - at) == size && !memcmp(at, word, size);
}

static int format_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    if (is(w, at, "callgrind"))
        header->format = CPROF_FORMAT_CALLGRIND;
    else if (is(w, at, "cachegrind"))
        header->format = CPROF_FORMAT_CACHEGRIND;
    else if (!is(w, at, "cprof"))
        return bad(w, at, "'format:' is one of callgrind, cachegrind, cprof");
    return 0;
}

static int random_key(struct named *w, const char *at)
{
    static const char *const words[] = {
        [CPROF_RANDOM_NONE] = "no", [CPROF_RANDOM_USED] = "yes", [CPROF_RANDOM_FIXED] = "fixed"};

    for (unsigned i = CPROF_RANDOM_NONE; i <= CPROF_RANDOM_FIXED; i++)
        if (is(w, at, words[i])) {
            builder_header(w->r.builder)->random = (enum cprof_random)i;
            return 0;
        }
    return bad(w, at, "'random:' is one of no, yes, fixed");
}

static int exit_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    long code;

    if (is(w, at, "exec")) {
        header->exit = CPROF_EXIT_EXEC;
        return 0;
    }
    if (!LEX_STARTS(at, w->r.end, "code ") || reader_long(&w->r, at + 5, &code) || code < 0 ||
        code > 255)
        return bad(w, at, "'exit:' is 'exec', or 'code' and a number up to 255");
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

/* NAME SIZE WAYS LINE TEXT */
static int cache_key(struct named *w, const char *at)
{
    struct cprof_cache cache = {.name = read_word(w, &at)};

    if (!cache.name || read_number(w, &at, &cache.size) || read_number(w, &at, &cache.ways) ||
        read_number(w, &at, &cache.line_size) || read_maybe_word(w, &at, &cache.text))
        return -1;
    return builder_cache(w->r.builder, &cache);
}

static int read_part_number(struct named *w, const char **at, long *number)
{
    const char *start = *at, *end = memchr(start, ' ', (size_t)(w->r.end - start));
    enum lex result = lex_long(start, end ? end : w->r.end, number);

    if (result != LEX_OK)
        return reader_fail_number(&w->r, result, start, "number");
    *at = end ? end + 1 : w->r.end;
    return 0;
}

/* PID THREAD PART TRIGGER TIMERANGE, -1 for numbers that are not known */
static int part_key(struct named *w, const char *at)
{
    struct cprof_part part = {.pid = -1};

    if (read_part_number(w, &at, &part.pid) || read_part_number(w, &at, &part.thread) ||
        read_part_number(w, &at, &part.part))
        return -1;
    if (read_maybe_word(w, &at, &part.trigger) || read_maybe_word(w, &at, &part.timerange))
        return -1;
    return builder_part(w->r.builder, &part);
}

/* BEGAN ENDED */
static int sections_key(struct named *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);

    return read_part_number(w, &at, &header->sections_began) ||
                   read_part_number(w, &at, &header->sections_ended)
               ? -1
               : 0;
}

/* NAME LONGNAME FORMULA, of one of `events` */
static int event_key(struct named *w, const char *at)
{
    const char *start = at, *name = read_word(w, &at), *long_name, *formula;
    uint32_t event = name ? builder_find_event(w->r.builder, name) : CPROF_NONE;

    if (!name || read_maybe_word(w, &at, &long_name) || read_maybe_word(w, &at, &formula))
        return -1;
    if (event == CPROF_NONE)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "event '%.40s' is not in 'events:'",
                           name);
    return builder_event_describe(w->r.builder, event, long_name, formula);
}

static int summary_key(struct named *w, const char *at)
{
    if (!w->r.have_events)
        return bad(w, NULL, "'summary:' before 'events:'");
    return read_counts(w, at) ? -1 : builder_summary(w->r.builder, w->r.row);
}

static int events_key(struct named *w, const char *at)
{
    if (w->r.have_events)
        return bad(w, NULL, "a second 'events:'");
    return reader_events(&w->r, at);
}

static int header_line(struct named *w)
{
    static const struct {
        const char *name;
        int (*read)(struct named *w, const char *at);
    } keys[] = {
        {"format: ", format_key},   {"creator: ", creator_key},   {"program: ", program_key},
        {"command: ", command_key}, {"arg: ", argument_key},      {"desc: ", description_key},
        {"pid: ", pid_key},         {"random: ", random_key},     {"exit: ", exit_key},
        {"cache: ", cache_key},     {"part: ", part_key},         {"events: ", events_key},
        {"event: ", event_key},     {"sections: ", sections_key}, {"summary: ", summary_key}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t size = strlen(keys[i].name);

        if ((size_t)(w->r.end - w->r.line) >= size && !memcmp(w->r.line, keys[i].name, size))
            return keys[i].read(w, w->r.line + size);
    }
    return bad(w, NULL, "unknown key");
}

/*--- Records ---*/

/* BUILDID PATH */
static int object_record(struct named *w, const char *at)
{
    const char *id, *path;

    if (read_maybe_word(w, &at, &id) || !(path = read_text(w, at, w->r.end)))
        return -1;
    return add_index(w, &w->objects, builder_object(w->r.builder, path, id));
}

static int file_record(struct named *w, const char *at)
{
    const char *path = read_text(w, at, w->r.end);

    return path ? add_index(w, &w->files, builder_file(w->r.builder, path)) : -1;
}

/* What else is known of a function: FLAGS are "i" (inlined) and "l" (inclusive_least), or "-". */
static int add_traits(struct named *w, const char *flags, uint32_t instances, const char *arguments)
{
    uint32_t function = w->functions.items[w->functions.n - 1];

    if (strspn(flags, "il-") != strlen(flags))
        return bad(w, NULL, "a function's flags are 'i', 'l', or '-'");
    if ((strchr(flags, 'i') && builder_function_inlined(w->r.builder, function)) ||
        (strchr(flags, 'l') && builder_function_least(w->r.builder, function)) ||
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

    if (read_maybe(w, &at, &w->objects, "object", &object) ||
        read_maybe(w, &at, &w->files, "file", &file) || read_line_number(w, &at, &line) ||
        read_address(w, &at, &address) || read_line_number(w, &at, &instances) ||
        !(flags = read_word(w, &at)) || read_maybe_word(w, &at, &mangled) ||
        read_maybe_word(w, &at, &arguments) || !(name = read_text(w, at, w->r.end)))
        return -1;
    if (add_index(w, &w->functions,
                  builder_function_at(w->r.builder, name, mangled, object, file, line, address)))
        return -1;
    return add_traits(w, flags, instances, arguments);
}

/* FUNCTION FILE LINE ADDRESS N... */
static int cost_record(struct named *w, const char *at)
{
    struct cprof_cost cost;

    if (read_index(w, &at, &w->functions, "function", &cost.function) ||
        read_maybe(w, &at, &w->files, "file", &cost.file) || read_line_number(w, &at, &cost.line) ||
        read_address(w, &at, &cost.address) || read_counts(w, at))
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
        return bad(w, NULL, "a context after costs that stand under none");
    if (read_maybe(w, &at, &w->contexts, "context", &context.parent) ||
        read_index(w, &at, &w->functions, "function", &context.function) ||
        read_maybe(w, &at, &w->files, "file", &context.site_file) ||
        read_line_number(w, &at, &context.site_line) || read_address(w, &at, &context.site) ||
        read_calls(w, &at, &context.calls) || read_number(w, &at, &inlined))
        return -1;
    context.inlined = inlined != 0;
    w->context = builder_context(w->r.builder, &context);
    return add_index(w, &w->contexts, w->context);
}

/* CALLER CALLEE FILE LINE ADDRESS CALLS INLINED N... */
static int edge_record(struct named *w, const char *at)
{
    struct cprof_call call = {0};
    uint64_t inlined;

    if (read_index(w, &at, &w->functions, "function", &call.caller) ||
        read_index(w, &at, &w->functions, "function", &call.callee) ||
        read_maybe(w, &at, &w->files, "file", &call.file) || read_line_number(w, &at, &call.line) ||
        read_address(w, &at, &call.address) || read_calls(w, &at, &call.count) ||
        read_number(w, &at, &inlined) || read_counts(w, at))
        return -1;
    call.inlined = inlined != 0;
    return builder_call(w->r.builder, &call, w->r.row);
}

/* FUNCTION N... */
static int inclusive_record(struct named *w, const char *at)
{
    uint32_t function;

    if (read_index(w, &at, &w->functions, "function", &function) || read_counts(w, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

static int end_record(struct named *w)
{
    const char *at = w->r.line + sizeof "end";
    unsigned long before = input_line_number(w->r.in) - 1;
    uint64_t lines;

    if (read_number(w, &at, &lines))
        return -1;
    if (lines != before)
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file has lost lines: %lu stand before 'end', %llu were written", before,
                           (unsigned long long)lines);
    w->have_end = 1;
    return 0;
}

static int record(struct named *w)
{
    const char *at = w->r.line + 2;

    if (!w->r.have_events)
        return bad(w, NULL, "records before 'events:'");
    w->in_body = 1;
    switch (*w->r.line) {
    case 'o':
        return object_record(w, at);
    case 'l':
        return file_record(w, at);
    case 'f':
        return function_record(w, at);
    case 'c':
        return cost_record(w, at);
    case 'n':
        return context_record(w, at);
    case 'e':
        return edge_record(w, at);
    case 'i':
        return inclusive_record(w, at);
    default:
        return bad(w, NULL, "unknown record");
    }
}

static int any_line(struct named *w)
{
    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (w->have_end)
        return bad(w, NULL, "lines after 'end'");
    if (LEX_STARTS(w->r.line, w->r.end, "end "))
        return end_record(w);
    if (w->r.end - w->r.line >= 2 && w->r.line[1] == ' ')
        return record(w);
    return w->in_body ? bad(w, NULL, "unknown record") : header_line(w);
}

/* The first line: the magic word and the version. */
static int first_line(struct named *w)
{
    const char *at = w->r.line + sizeof MAGIC;
    uint64_t version;

    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (!LEX_STARTS(w->r.line, w->r.end, MAGIC " "))
        return bad(w, NULL, "first line is not '" MAGIC "' and a version");
    if (read_number(w, &at, &version))
        return -1;
    if (version != NAMED_VERSION)
        return reader_fail(&w->r, CPROF_ERROR_VERSION, NULL,
                           "version %llu of profiles with names is not supported, only %d",
                           (unsigned long long)version, NAMED_VERSION);
    return 0;
}

static int read_all(struct named *w)
{
    int more = reader_next(&w->r);

    if (more > 0 && first_line(w))
        return -1;
    while (more > 0 && (more = reader_next(&w->r)) > 0)
        if (any_line(w))
            return -1;
    if (more < 0)
        return -1;
    if (!w->have_end)
        return error_set(w->r.error, CPROF_ERROR_TRUNCATED,
                         "file is cut short: its 'end' line is missing");
    if (!w->r.have_events)
        return error_set(w->r.error, CPROF_ERROR_SYNTAX,
                         "no events: the 'events:' line is missing");
    return 0;
}

struct cprof_profile *named_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct named *w = calloc(1, sizeof *w);
    struct cprof_profile *profile = NULL;

    if (!w) {
        error_set(error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    w->context = CPROF_NONE;
    if (!reader_start(&w->r, in, flags, error)) {
        builder_header(w->r.builder)->format = CPROF_FORMAT_NAMED;
        if (!read_all(w))
            profile = builder_finish(w->r.builder);
        else
            builder_free(w->r.builder);
    }
    free(w->objects.items);
    free(w->files.items);
    free(w->functions.items);
    free(w->contexts.items);
    free(w);
    return profile;
}
