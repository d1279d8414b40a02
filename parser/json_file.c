#include <config.h>

/* The reader of profiles that are JSON: which kind they are, and their values. */
#include "json_file.h"

#include <math.h>
#include <stdlib.h>

/* Times that are this near to nanoseconds are some: differences of doubles are not exact. */
#define NEAR_NS 0.05

int json_is_kind(const char *at, size_t size)
{
    const char *end = at + size;

    while (at < end && (lex_is_blank(*at) || *at == '\n' || *at == '\r'))
        at++;
    return at < end && *at == '{';
}

int json_file_index(const json_t *value, size_t n, size_t *index)
{
    json_int_t i = json_integer_value(value);

    if (!json_is_integer(value) || i < 0 || (uint64_t)i >= n)
        return -1;
    *index = (size_t)i;
    return 0;
}

struct stack_frame *json_file_frames(struct json_file *j, size_t n)
{
    struct stack_frame *frames = calloc(n + 1, sizeof *frames);

    if (!frames)
        error_memory(j->s.r.error);
    for (size_t i = 0; frames && i < n; i++)
        frames[i].function = CPROF_NONE;
    return frames;
}

uint32_t json_file_line(const json_t *value)
{
    json_int_t line = json_integer_value(value);

    return line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
}

const char *json_file_text(struct json_file *j, const json_t *value, const char *otherwise)
{
    const char *text = json_string_value(value);

    text = text && *text ? text : otherwise;
    return builder_text(j->s.r.builder, text, strlen(text));
}

uint32_t json_file_source(struct json_file *j, const char *file)
{
    return file ? builder_file(j->s.r.builder, file) : CPROF_NONE;
}

uint32_t json_file_function(struct json_file *j, const char *name, const char *file, uint32_t line,
                            const char *path)
{
    uint32_t object = builder_object(j->s.r.builder, path ? path : "???", NULL);
    uint32_t source = json_file_source(j, file);

    if (object == CPROF_NONE || (file && source == CPROF_NONE))
        return CPROF_NONE;
    return builder_function(j->s.r.builder, name, NULL, object, source, line);
}

int json_file_add_time(struct json_file *j, struct json_sum *sum, double ns, uint64_t *part)
{
    uint64_t next;

    if (!(ns >= 0) || !(sum->whole + ns < 9.2e18))
        return -1;
    sum->whole += ns;
    next = (uint64_t)(sum->whole + 0.5);
    *part = next - sum->rounded;
    sum->rounded = next;
    j->has_rounded |= fabs(ns - round(ns)) > NEAR_NS;
    return 0;
}

int json_file_add(struct json_file *j, struct json_sum *sum, const json_t *value,
                  const struct sampled_unit *unit, struct fraction *part)
{
    json_int_t n = json_integer_value(value);

    *part = (struct fraction){0};
    if (!json_is_number(value))
        return -1;
    if (json_is_integer(value))
        return n < 0 || __builtin_mul_overflow((uint64_t)n, unit->factor, &part->digits) ||
                       part->digits > INT64_MAX
                   ? -1
                   : 0;
    return unit->is_time ? json_file_add_time(j, sum, json_real_value(value) * (double)unit->factor,
                                              &part->digits)
                         : fraction_of_number(json_real_value(value), part);
}

static int warn_rounded(struct json_file *j)
{
    return j->has_rounded ? reader_warn(&j->s.r, "times are rounded to whole nanoseconds") : 0;
}

/*--- The document ---*/

/* Fails as jansson says; behind its "near" are bytes of the file. */
static void fail_parse(struct json_file *j, const json_error_t *e)
{
    enum json_error_code code = json_error_code(e);
    int is_cut = code == json_error_premature_end_of_input;
    const char *near = strstr(e->text, " near ");

    if (code == json_error_out_of_memory)
        error_memory(j->s.r.error);
    else if (strstr(e->text, "JSON_ALLOW_NUL"))
        error_set(j->s.r.error, CPROF_ERROR_SYNTAX,
                  "line %d, column %d: a text has a NUL (\\u0000), which no name has", e->line,
                  e->column);
    else
        error_set(j->s.r.error, is_cut ? CPROF_ERROR_TRUNCATED : CPROF_ERROR_SYNTAX,
                  "%s at line %d column %d: %.*s",
                  is_cut ? "JSON is cut short" : "JSON cannot be read", e->line, e->column,
                  near ? (int)(near - e->text) : (int)sizeof e->text, e->text);
}

static json_t *parse(struct json_file *j, const char *bytes, size_t size)
{
    json_error_t e;
    json_t *root = json_loadb(bytes, size, 0, &e);

    if (!root)
        fail_parse(j, &e);
    return root;
}

/* Kinds by members that no other document has. */
static const struct kind {
    const char *members[3];
    enum cprof_format format;
    int (*read)(struct json_file *j);
} kinds[] = {{{"dhatFileVersion"}, CPROF_FORMAT_DHAT, json_read_dhat},
             {{"shared", "profiles"}, CPROF_FORMAT_SPEEDSCOPE, json_read_speedscope},
             {{"meta", "threads"}, CPROF_FORMAT_FIREFOX, json_read_firefox},
             {{"nodes", "samples"}, CPROF_FORMAT_CPUPROFILE, json_read_cpuprofile},
             {{"head", "samples"}, CPROF_FORMAT_CPUPROFILE, json_read_cpuprofile},
             {{"nodes", "hitCount"}, CPROF_FORMAT_CPUPROFILE, json_read_cpuprofile},
             {{"head", "hitCount"}, CPROF_FORMAT_CPUPROFILE, json_read_cpuprofile}};

/* Tells if the document has the member; "hitCount" is one of its first node. */
static int has_member(const json_t *root, const char *member)
{
    const json_t *nodes = json_object_get(root, "nodes");

    if (strcmp(member, "hitCount") != 0)
        return json_object_get(root, member) != NULL;
    return json_object_get(nodes ? json_array_get(nodes, 0) : json_object_get(root, "head"),
                           member) != NULL;
}

static const struct kind *find_kind(const json_t *root)
{
    if (json_object_get(root, "snapshot"))
        return NULL; /* V8's heap, whose nodes and samples are others */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *const *member = kinds[i].members;

        while (*member && has_member(root, *member))
            member++;
        if (!*member)
            return &kinds[i];
    }
    return NULL;
}

static int read_all(struct reader *r)
{
    struct json_file *j = (struct json_file *)r;
    const struct kind *kind;
    size_t size;
    const char *bytes = input_whole(r->in, &size);

    if (!bytes || sampled_begin(&j->s, size) || !(j->root = parse(j, bytes, size)))
        return -1;
    if (!(kind = find_kind(j->root)))
        return error_set(
            r->error, CPROF_ERROR_FOREIGN,
            "a JSON document, but no profile of speedscope, Firefox Profiler, Chrome or DHAT");
    builder_header(r->builder)->format = kind->format;
    return kind->read(j) || warn_rounded(j) ? -1 : 0;
}

struct cprof_profile *json_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct json_file *j = reader_new(sizeof *j, error);
    struct cprof_profile *profile;

    if (!j)
        return NULL;
    profile = reader_run(&j->s.r, in, flags, error, CPROF_FORMAT_SPEEDSCOPE, read_all);
    json_decref(j->root);
    sampled_free(&j->s);
    return profile;
}
