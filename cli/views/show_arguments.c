#include <config.h>

/* Counted arguments, and options that counted nothing. */
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "names/names.h"
#include "render/text/argument_table.h"
#include "views/view_form.h"

#include <stdlib.h>
#include <string.h>

/*--- Tables, with a blank line between them ---*/

/* The most rows of each. */
static size_t rows_of(const struct view_input *input)
{
    size_t limit = view_limit(input, VIEW_ARGS, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW);

    return limit ? limit : SIZE_MAX;
}

static void write(const struct view_input *input, const struct text_screen *screen, FILE *out)
{
    const struct cprof_profile *p = input->profile;
    size_t limit = rows_of(input);

    for (uint32_t i = 0; i < p->n_counted_args; i++) {
        struct argument_table table;

        if (i)
            fputc('\n', out);
        argument_table_load(&table, p, i, input->crates->own);
        argument_table_write(&table, p, limit, screen, out);
        argument_table_free(&table);
    }
}

/* For all forms but text: that has a table for each option. */
static void fill(const struct view_input *input, struct next_views *next, struct table *filled)
{
    (void)next;
    argument_tables_fill(input->profile, input->crates->own, rows_of(input), filled);
}

const struct view_form arguments_form = {.fill = fill, .write = write};

/*--- Options that counted nothing ---*/

enum { NAMES_MOST = 3, NAME_MOST = 200 /* bytes of a name that is suggested */ };

static bool was_called(const struct cprof_profile *p, uint32_t arg)
{
    for (uint32_t i = 0; i < p->n_arg_counts; i++)
        if (p->arg_counts[i].arg == arg)
            return true;
    return false;
}

/* The longest part of a pattern without '*', '?' and what stands before the last "::". The caller
 * frees it. */
static char *core_of(const char *pattern)
{
    const char *best = pattern, *at = pattern;
    size_t length = 0;

    while (*at) {
        size_t size = strcspn(at, "*?:");

        if (size >= length) {
            best = at;
            length = size;
        }
        at += size + (at[size] != '\0');
    }
    return xstrndup(best, length);
}

/* True if somebody called the function: what was inlined everywhere has no calls. */
static bool *called_functions(const struct cprof_profile *p)
{
    bool *called = xcalloc(p->n_functions, sizeof *called);

    for (uint32_t i = 0; i < p->n_contexts; i++)
        called[p->contexts[i].function] |= p->contexts[i].calls > 0 && !p->contexts[i].inlined;
    return called;
}

static void add_name(struct strbuf *text, const char *name)
{
    strbuf_add_item(text, ", ", "");
    strbuf_addf(text, "'%s'", name);
}

/* The part of a name behind its last "::", without type arguments. The caller frees it. */
static char *last_part(const char *name)
{
    size_t size = strcspn(name, "<");
    const char *end = size ? name + size : name + strlen(name), *at = end;

    while (end > name && end[-1] == ':')
        at = --end;
    while (at > name && at[-1] != ':' && at[-1] != '>')
        at--;
    return xstrndup(at, (size_t)(end - at));
}

/* The functions that were called, with their names in full and the last part of them. */
struct called {
    size_t n;
    struct full_name *full;
    char **last;
};

static void find_called(struct called *c, const struct cprof_profile *p)
{
    bool *called = called_functions(p);

    *c = (struct called){.full = xcalloc(p->n_functions + (size_t)1, sizeof *c->full),
                         .last = xcalloc(p->n_functions + (size_t)1, sizeof *c->last)};
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (!called[i] || p->functions[i].object == CPROF_NONE)
            continue;
        c->full[c->n] = full_name_anew(&p->functions[i]);
        c->last[c->n] = last_part(c->full[c->n].text);
        c->n++;
    }
    free(called);
}

static void free_called(struct called *c)
{
    for (size_t i = 0; i < c->n; i++) {
        full_name_free(&c->full[i]);
        free(c->last[i]);
    }
    free(c->full);
    free(c->last);
}

/* Names that have `core` in them, or else those whose last part was probably meant; NULL: there is
 * none. The caller frees it. */
static char *like(const struct cprof_profile *p, const char *core)
{
    struct strbuf text = {.text = NULL};
    struct called c;
    const char *near = NULL;

    find_called(&c, p);
    for (int pass = 0; pass < 2 && !text.text && (!pass || near); pass++) {
        size_t found = 0;

        for (size_t i = 0; i < c.n && found < NAMES_MOST; i++)
            if (strlen(c.full[i].text) <= NAME_MOST &&
                (pass ? !strcmp(c.last[i], near) : strstr(c.full[i].text, core) != NULL)) {
                add_name(&text, c.full[i].text);
                found++;
            }
        near = nearest_name(core, (const char *const *)c.last, c.n);
    }
    free_called(&c);
    return text.text;
}

void argument_notes(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_counted_args; i++) {
        char *core, *names;

        if (was_called(p, i))
            continue;
        core = core_of(p->counted_args[i].pattern);
        names = *core ? like(p, core) : NULL;
        message_warning("no argument was counted: no function '%s' was called, or all of it was "
                        "inlined; %s%s",
                        p->counted_args[i].pattern,
                        names ? "names like it that were called: "
                              : "'cargo cprof report -n 0 --names full' lists what ran; * and ? "
                                "may stand for parts of a name",
                        names ? names : "");
        free(core);
        free(names);
    }
}
