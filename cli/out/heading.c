#include <config.h>

/* What stands above and below the rows of a table. */
#include "out/table.h"

#include "base/memory.h"
#include "model/graph.h"
#include "model/unnamed.h"
#include "out/style.h"
#include "out/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "Total instructions  412,913,042" */
void table_total(const struct table *t, FILE *out)
{
    char count[TEXT_NUMBER];
    bool ir = !strcmp(t->measure->name, "Ir");
    char *name = text_clean(ir ? "instructions" : t->measure->name, t->utf8);

    fprintf(out, "Total %s  ", name);
    style_put(out, t->color, STYLE_BOLD,
              text_count(count, column_value(t->measure, t->rows->totals)));
    fputs("\n\n", out);
    free(name);
}

/* The events of one line of the totals. Misses of both levels, as the cache simulator names them.
 */
static const struct access {
    const char *title, *accesses, *first, *last;
} accesses[] = {
    {"Instructions", "Ir", "I1mr", "ILmr"},
    {"Data reads", "Dr", "D1mr", "DLmr"},
    {"Data writes", "Dw", "D1mw", "DLmw"},
};

static const struct access branches[] = {
    {"Conditional branches", "Bc", "Bcm", NULL},
    {"Indirect branches", "Bi", "Bim", NULL},
};

/* 80 columns in all, as a terminal has. */
enum { TITLE_WIDTH = 20, COUNT_WIDTH = 16, MISS_WIDTH = 14, RATE_WIDTH = 8 };

/* A count and its rate of `whole`, or blanks where the profile has no such event. */
static void put_misses(const struct cprof_profile *p, FILE *out, const char *event, int64_t whole)
{
    uint32_t i = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER], rate[TEXT_NUMBER];

    if (!event)
        return;
    if (i == CPROF_NONE)
        fprintf(out, "%*s%*s", MISS_WIDTH, "-", RATE_WIDTH, "-");
    else
        fprintf(out, "%*s%*s", MISS_WIDTH, text_count(count, p->totals[i]), RATE_WIDTH,
                text_percent(rate, p->totals[i], whole, 3));
}

static void put_accesses(const struct cprof_profile *p, FILE *out, const struct access *lines,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t event = cprof_find_event(p, lines[i].accesses);
        char count[TEXT_NUMBER];

        if (event == CPROF_NONE)
            continue;
        fprintf(out, "%-*s%*s", TITLE_WIDTH, lines[i].title, COUNT_WIDTH,
                text_count(count, p->totals[event]));
        put_misses(p, out, lines[i].first, p->totals[event]);
        put_misses(p, out, lines[i].last, p->totals[event]);
        fputc('\n', out);
    }
}

/* "32 KiB", "48 B", "1.5 MiB": whole units where they are. */
static void put_size(FILE *out, uint64_t size)
{
    if (size >= 1024 * 1024 && size % (1024 * 1024) == 0)
        fprintf(out, "%llu MiB", (unsigned long long)(size / 1024 / 1024));
    else if (size >= 1024 && size % 1024 == 0)
        fprintf(out, "%llu KiB", (unsigned long long)(size / 1024));
    else
        fprintf(out, "%llu B", (unsigned long long)size);
}

static void put_caches(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;

    for (uint32_t i = 0; i < p->n_caches; i++) {
        const struct cprof_cache *c = &p->caches[i];
        char *text = c->text ? text_clean(c->text, t->utf8) : NULL;

        if (!c->size && (!text || !*text)) {
            free(text);
            continue;
        }
        fprintf(out, "%-9s", i ? "" : "Caches");
        fprintf(out, "%s  ", c->name);
        if (c->size) {
            put_size(out, c->size);
            if (c->ways == 1)
                fputs(", direct-mapped", out);
            else
                fprintf(out, ", %llu-way", (unsigned long long)c->ways);
            fprintf(out, ", lines of %llu B", (unsigned long long)c->line_size);
        } else {
            fputs(text, out);
        }
        fputc('\n', out);
        free(text);
    }
}

/* The command line: the arguments, those with blanks in quotes, or the file's own text. NULL: not
 * known. The caller frees it. */
static char *command_text(const struct cprof_profile *p)
{
    char *text = NULL;

    if (!p->n_arguments)
        return p->command ? xstrdup(p->command) : NULL;
    for (uint32_t i = 0; i < p->n_arguments; i++) {
        const char *quote =
            p->arguments[i][strcspn(p->arguments[i], " \t\n'\"")] || !*p->arguments[i] ? "'" : "";
        char *longer = xasprintf("%s%s%s%s%s", text ? text : "", text ? " " : "", quote,
                                 p->arguments[i], quote);

        free(text);
        text = longer;
    }
    return text;
}

static void put_text(const struct table *t, FILE *out, const char *title, const char *text)
{
    char *clean, *fitting;

    if (!text || !*text)
        return;
    clean = text_clean(text, t->utf8);
    fitting = text_shorten(clean, t->width > 20 ? t->width - 9 : 11, TEXT_CUT_MIDDLE, t->utf8);
    fprintf(out, "%-9s%s\n", title, fitting);
    free(clean);
    free(fitting);
}

static bool has_event(const struct cprof_profile *p, const char *name)
{
    return cprof_find_event(p, name) != CPROF_NONE;
}

void table_cache_totals(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    const char *program = t->program ? t->program : p->program;
    char *command = command_text(p), *line;

    put_text(t, out, "Program", program);
    put_text(t, out, "Command", command);
    put_caches(t, out);
    if ((program && *program) || (command && *command) || p->n_caches)
        fputc('\n', out);
    line = xasprintf("%-*s%*s%*s%*s%*s%*s\n", TITLE_WIDTH, "", COUNT_WIDTH, "accesses", MISS_WIDTH,
                     "L1 misses", RATE_WIDTH, "%", MISS_WIDTH, "LL misses", RATE_WIDTH, "%");
    if (has_event(p, "I1mr") || has_event(p, "D1mr"))
        style_put(out, t->color, STYLE_BOLD, line);
    free(line);
    put_accesses(p, out, accesses, sizeof accesses / sizeof *accesses);
    if (has_event(p, "Bc") || has_event(p, "Bi")) {
        line = xasprintf("%-*s%*s%*s%*s\n", TITLE_WIDTH, "", COUNT_WIDTH, "executed", MISS_WIDTH,
                         "mispredicted", RATE_WIDTH, "%");
        style_put(out, t->color, STYLE_BOLD, line);
        free(line);
        put_accesses(p, out, branches, sizeof branches / sizeof *branches);
    }
    fputc('\n', out);
    free(command);
}

/* The object with the most cost in functions without a name (CPROF_NONE: none has any), and in
 * `*sum` that of all.
 */
static uint32_t find_nameless(const struct table *t, int64_t *sum)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs);
    uint32_t most = CPROF_NONE;

    *sum = 0;
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];
        int64_t cost = column_value(t->measure, cprof_cost_values(p, i));

        if (f->object == CPROF_NONE || !is_unnamed(p, f) || cost <= 0)
            continue;
        *sum += cost;
        costs[f->object] += cost;
        if (most == CPROF_NONE || costs[f->object] > costs[most])
            most = f->object;
    }
    free(costs);
    return most;
}

static const char *reason(enum name_quality quality)
{
    switch (quality) {
    case NAMES_MISSING:
        return "is gone or has changed since the run";
    case NAMES_NONE:
        return "has no symbols (stripped)";
    case NAMES_DYNAMIC:
        return "has only the symbols that it exports (stripped)";
    default:
        return "has code without symbols";
    }
}

/* Whether the object at `path` is the program, which may have been named without its folder. */
static bool is_program(const struct cprof_profile *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!p->program)
        return false;
    return !strcmp(path, p->program) ||
           (slash && !strchr(p->program, '/') && !strcmp(slash + 1, p->program));
}

/* What of the program's own cost has no line. */
static int64_t find_lineless(const struct table *t, uint32_t *object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t sum = 0;

    for (*object = 0; *object < p->n_objects; (*object)++)
        if (is_program(p, p->objects[*object].path))
            break;
    for (uint32_t i = 0; *object < p->n_objects && i < p->n_costs; i++)
        if (p->functions[p->costs[i].function].object == *object && p->costs[i].file == CPROF_NONE)
            sum += column_value(t->measure, cprof_cost_values(p, i));
    return sum;
}

/* One line about what would make the table say more: functions without names, or a program without
 * lines. */
static void put_hint(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t nameless, lineless, total = column_value(t->measure, p->totals);
    uint32_t most = find_nameless(t, &nameless), program;
    char percent[TEXT_NUMBER];
    char *path;

    lineless = find_lineless(t, &program);
    if (most != CPROF_NONE && nameless > 0 && nameless >= total / 100) {
        path = text_clean(p->objects[most].path, t->utf8);
        fprintf(out, "no names for %s %% of %s: %s %s\n", text_percent(percent, nameless, total, 1),
                t->measure->name, path,
                path[0] == '[' ? "is code made at run time" : reason(t->qualities[most]));
        free(path);
    } else if (lineless > 0 && lineless >= total / 100) {
        path = text_clean(p->objects[program].path, t->utf8);
        fprintf(out, "no lines for %s %% of %s: %s%s was built without debug information\n",
                text_percent(percent, lineless, total, 1), t->measure->name,
                t->qualities[program] == NAMES_LINES ? "part of " : "", path);
        free(path);
    }
}

/* Says which of the inclusive costs that are shown are not what they would be called. */
static void put_bounds(const struct table *t, FILE *out)
{
    unsigned n[BOUND_TOTAL + 1] = {0};
    bool shown = false;

    for (size_t i = 0; i < t->n_columns; i++)
        shown |= t->columns[i]->kind == COLUMN_INCLUSIVE;
    for (size_t i = 0; i < t->n_shown && shown; i++)
        n[t->rows->items[i].bound]++;
    if (n[BOUND_LEAST])
        fprintf(out,
                "inclusive costs of %u of these functions are lower bounds: they call each other "
                "in a circle\n",
                n[BOUND_LEAST]);
    if (n[BOUND_TOTAL])
        fprintf(
            out,
            "inclusive costs of %u of these functions are capped at the total: calls overlap in "
            "this file (recursion, tail calls)\n",
            n[BOUND_TOTAL]);
}

void table_closing(const struct table *t, FILE *out)
{
    const struct rows *r = t->rows;
    int64_t total = column_value(t->measure, r->profile->totals);
    char percent[TEXT_NUMBER], *name = text_clean(t->measure->name, t->utf8), *line;
    const char *what = r->n_all == 1 ? "function" : "functions";

    text_percent(percent, rows_sum(r, t->measure, t->n_shown), total, 1);
    if (t->n_shown == r->n_all)
        line = xasprintf("%zu %s", r->n_all, what);
    else if (t->n_shown < r->n)
        line = xasprintf("%zu of %zu %s%s, %s %% of %s (-n 0 shows all, --sort another column)",
                         t->n_shown, r->n, r->n == 1 ? "function" : "functions",
                         t->filtered ? " that match" : "", percent, name);
    else
        line =
            xasprintf("%zu of %zu %s, %s %% of %s", t->n_shown, r->n_all,
                      t->filtered ? (r->n_all == 1 ? "function matches" : "functions match") : what,
                      percent, name);
    style_put(out, t->color, STYLE_DIM, line);
    fputc('\n', out);
    put_bounds(t, out);
    if (t->qualities && total > 0)
        put_hint(t, out);
    free(line);
    free(name);
}
