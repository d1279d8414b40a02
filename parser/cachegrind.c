#include <config.h>

/* The reader of cachegrind's output. */
#include "error.h"
#include "reader.h"

#include <stdlib.h>

/*
 * The format, as cg_main.c writes it: "desc:" lines, "cmd:", "events:", then "fl=", "fn=" and cost
 * lines, "summary:" at the end. Names run to the end of the line and are never compressed. A
 * newline in the command is not escaped, so the command goes on up to "events:".
 */
struct cachegrind {
    struct reader r;
    uint32_t file;     /* CPROF_NONE: unknown */
    uint32_t function; /* CPROF_NONE: none named yet */
    int have_summary;
    int64_t summary[READER_MAX_EVENTS];
};

/* Appends the line at hand to the command, behind a newline. */
static int continue_command(struct reader *r)
{
    struct cprof_profile *header = builder_header(r->builder);
    size_t old = strlen(header->command), more = (size_t)(r->end - r->line);
    char *joined = malloc(old + 1 + more);

    if (!joined)
        return error_memory(r->error);
    memcpy(joined, header->command, old);
    joined[old] = '\n';
    memcpy(joined + old + 1, r->line, more);
    header->command =
        memchr(r->line, '\0', more) ? NULL : builder_text(r->builder, joined, old + 1 + more);
    free(joined);
    if (!header->command)
        return reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "text holds a NUL byte");
    return 0;
}

static int header_line(struct cachegrind *c)
{
    struct reader *r = &c->r;
    struct cprof_profile *header = builder_header(r->builder);

    if (LEX_STARTS(r->line, r->end, "events:"))
        return reader_events(r, r->line + 7);
    if (header->command)
        return continue_command(r);
    if (LEX_STARTS(r->line, r->end, "desc:"))
        return reader_description(r, r->line + 5);
    if (LEX_STARTS(r->line, r->end, "cmd:")) {
        header->command = reader_text(r, r->line + 4);
        return header->command ? 0 : -1;
    }
    if (r->line == r->end || *r->line == '#')
        return 0;
    return reader_warn(r, "unknown line in the header");
}

static int cost_line(struct cachegrind *c)
{
    struct reader *r = &c->r;
    struct cprof_cost cost = {.function = c->function, .file = c->file};
    const char *at = lex_skip_blanks(r->line, r->end);
    uint64_t line;
    enum lex result = lex_decimal(&at, r->end, &line);

    if (result == LEX_OK && line > UINT32_MAX)
        result = LEX_RANGE;
    if (result != LEX_OK || (at < r->end && !lex_is_blank(*at)))
        return reader_fail_number(r, result, at, "line number");
    if (c->have_summary)
        return reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "costs after 'summary:'");
    if (reader_counts(r, at) || reader_add_row(r))
        return -1;
    if (c->function == CPROF_NONE) {
        c->function = builder_function(r->builder, "<unspecified>", NULL, CPROF_NONE, c->file, 0);
        if (c->function == CPROF_NONE)
            return -1;
        cost.function = c->function;
    }
    cost.line = (uint32_t)line;
    return builder_cost(r->builder, &cost, r->row);
}

static int name_line(struct cachegrind *c, int is_file)
{
    struct reader *r = &c->r;
    const char *name = reader_name(r, r->line + 3);

    if (!name)
        return -1;
    if (!is_file) {
        c->function = builder_function(r->builder, name, NULL, CPROF_NONE, c->file, 0);
        return c->function == CPROF_NONE ? -1 : 0;
    }
    c->function = CPROF_NONE;
    c->file = CPROF_NONE;
    if (!*name || !strcmp(name, "???"))
        return 0;
    c->file = builder_file(r->builder, name);
    return c->file == CPROF_NONE ? -1 : 0;
}

static int summary_line(struct cachegrind *c)
{
    int result;

    if (c->have_summary)
        return reader_fail(&c->r, CPROF_ERROR_SYNTAX, NULL, "a second 'summary:'");
    c->have_summary = 1;
    result = reader_sums(&c->r, c->r.line + 8, c->summary);
    if (result <= 0)
        return result;
    if (memcmp(c->summary, c->r.sums, c->r.n_events * sizeof *c->summary)) {
        if (!input_line_is_whole(c->r.in))
            return reader_fail(&c->r, CPROF_ERROR_TRUNCATED, NULL,
                               "the file is cut short: its last line is not whole");
        if (reader_check_sums(&c->r, "summary:", c->summary))
            return -1;
    }
    return builder_summary(c->r.builder, c->summary);
}

static int body_line(struct cachegrind *c)
{
    struct reader *r = &c->r;
    const char *at = lex_skip_blanks(r->line, r->end);

    if (at == r->end || *at == '#')
        return 0;
    if (lex_is_digit(*at))
        return cost_line(c);
    if (LEX_STARTS(r->line, r->end, "fl="))
        return name_line(c, 1);
    if (LEX_STARTS(r->line, r->end, "fn="))
        return name_line(c, 0);
    if (LEX_STARTS(r->line, r->end, "summary:"))
        return summary_line(c);
    if (LEX_STARTS(r->line, r->end, "events:"))
        return reader_fail(r, CPROF_ERROR_SYNTAX, NULL, "a second 'events:'");
    return reader_warn(r, "unknown line");
}

static int read_all(struct reader *r)
{
    struct cachegrind *c = (struct cachegrind *)r;
    int more;

    while ((more = reader_next(r)) > 0)
        if (r->have_events ? body_line(c) : header_line(c))
            return -1;
    if (more < 0)
        return -1;
    if (!r->have_events)
        return error_set(r->error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: it has no 'events:' line");
    if (!c->have_summary)
        return error_set(r->error, CPROF_ERROR_TRUNCATED,
                         "the file is cut short: its 'summary:' line is missing");
    return 0;
}

struct cprof_profile *cachegrind_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct cachegrind *c = reader_new(sizeof *c, error);
    struct cprof_profile *profile;

    if (!c)
        return NULL;
    c->file = c->function = CPROF_NONE;
    profile = reader_run(&c->r, in, flags, error, CPROF_FORMAT_CACHEGRIND, read_all);
    free(c);
    return profile;
}
