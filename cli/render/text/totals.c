#include <config.h>

/* What stands above and below the rows of a table. */
#include "render/text/table.h"

#include "base/memory.h"
#include "base/wrap.h"
#include "names/crates.h"
#include "calls/graph.h"
#include "names/unnamed.h"
#include "render/text/totals.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

const struct heading_access heading_accesses[HEADING_ACCESSES] = {
    {"Instructions", "Instr.", "Ir", "I1mr", "ILmr"},
    {"Data reads", "Reads", "Dr", "D1mr", "DLmr"},
    {"Data writes", "Writes", "Dw", "D1mw", "DLmw"},
    {"Conditional branches", "Cond.", "Bc", "Bcm", NULL},
    {"Indirect branches", "Indir.", "Bi", "Bim", NULL},
};

/* How wide the totals are: 80 columns in all, as a terminal has, or less. */
struct totals {
    unsigned title, count, miss, rate;
    bool narrow, rounded;
};

static char *count_text(char buffer[TEXT_NUMBER], int64_t value, bool rounded)
{
    return rounded ? text_count_short(buffer, value) : text_count(buffer, value);
}

/* Makes `*width` as wide as the count of the event. */
static void widen(const struct cprof_profile *p, const char *event, bool rounded, unsigned *width)
{
    uint32_t i = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER];
    unsigned its = i == CPROF_NONE ? 0 : (unsigned)strlen(count_text(count, p->totals[i], rounded));

    if (*width < its + 1)
        *width = its + 1;
}

static struct totals narrow_totals(const struct cprof_profile *p, bool rounded)
{
    struct totals w = {sizeof "Indir.", sizeof "accesses", sizeof "L1 misses", 8, true, rounded};

    for (size_t i = 0; i < HEADING_ACCESSES; i++) {
        widen(p, heading_accesses[i].accesses, rounded, &w.count);
        widen(p, heading_accesses[i].first, rounded, &w.miss);
        widen(p, heading_accesses[i].last, rounded, &w.miss);
    }
    return w;
}

static struct totals fit_totals(const struct table *t)
{
    struct totals w = {20, 16, 14, 8, false, false};

    if (t->fixed && t->width < w.title + w.count + 2 * (w.miss + w.rate))
        w = narrow_totals(t->rows->profile, false);
    if (w.narrow && t->width < w.title + w.count + 2 * (w.miss + w.rate))
        w = narrow_totals(t->rows->profile, true);
    return w;
}

/* A count and its rate of `whole`, or blanks where the profile has no such event. */
static void put_misses(const struct cprof_profile *p, const struct totals *w, FILE *out,
                       const char *event, int64_t whole)
{
    uint32_t i = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER], rate[TEXT_NUMBER];

    if (!event)
        return;
    fprintf(out, "%*s%*s", (int)w->miss,
            i == CPROF_NONE ? "-" : count_text(count, p->totals[i], w->rounded), (int)w->rate,
            i == CPROF_NONE ? "-" : text_percent(rate, p->totals[i], whole, 3));
}

static void put_accesses(const struct cprof_profile *p, const struct totals *w, FILE *out,
                         size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct heading_access *a = &heading_accesses[i];
        uint32_t event = cprof_find_event(p, a->accesses);
        char count[TEXT_NUMBER];

        if (event == CPROF_NONE)
            continue;
        fprintf(out, "%-*s%*s", (int)w->title, w->narrow ? a->brief : a->title, (int)w->count,
                count_text(count, p->totals[event], w->rounded));
        put_misses(p, w, out, a->first, p->totals[event]);
        put_misses(p, w, out, a->last, p->totals[event]);
        fputc('\n', out);
    }
}

/* "32 KiB", "48 B", "1.5 MiB": whole units where they are. The caller frees it. */
static char *size_text(uint64_t size)
{
    if (size >= 1024 * 1024 && size % (1024 * 1024) == 0)
        return xasprintf("%llu MiB", (unsigned long long)(size / 1024 / 1024));
    if (size >= 1024 && size % 1024 == 0)
        return xasprintf("%llu KiB", (unsigned long long)(size / 1024));
    return xasprintf("%llu B", (unsigned long long)size);
}

char *heading_cache(const struct cprof_cache *c)
{
    char *size, *ways, *text;

    if (!c->size)
        return c->text && *c->text ? xasprintf("%s  %s", c->name, c->text) : NULL;
    size = size_text(c->size);
    ways = c->ways == 1 ? xstrdup("direct-mapped")
                        : xasprintf("%llu-way", (unsigned long long)c->ways);
    text = xasprintf("%s  %s, %s, lines of %llu B", c->name, size, ways,
                     (unsigned long long)c->line_size);
    free(size);
    free(ways);
    return text;
}

static void put_caches(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;

    for (uint32_t i = 0; i < p->n_caches; i++) {
        char *text = heading_cache(&p->caches[i]), *clean;

        if (!text)
            continue;
        clean = text_clean(text, t->utf8);
        fprintf(out, "%-9s%s\n", i ? "" : "Caches", clean);
        free(clean);
        free(text);
    }
}

char *heading_command(const struct cprof_profile *p)
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

static bool has_branches(const struct cprof_profile *p)
{
    return has_event(p, "Bc") || has_event(p, "Bi");
}

static void put_head_line(const struct table *t, const char *line, FILE *out)
{
    style_put(out, t->color, STYLE_BOLD, line);
    fputc('\n', out);
}

static void put_totals(const struct table *t, const struct totals *w, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char *line =
        xasprintf("%-*s%*s%*s%*s%*s%*s", (int)w->title, "", (int)w->count, "accesses", (int)w->miss,
                  "L1 misses", (int)w->rate, "%", (int)w->miss, "LL misses", (int)w->rate, "%");

    if (has_event(p, "I1mr") || has_event(p, "D1mr"))
        put_head_line(t, line, out);
    free(line);
    put_accesses(p, w, out, 0, HEADING_FIRST_BRANCH);
    if (has_branches(p)) {
        line = xasprintf("%-*s%*s%*s%*s", (int)w->title, "", (int)w->count, "executed",
                         (int)w->miss, w->narrow ? "missed" : "mispredicted", (int)w->rate, "%");
        put_head_line(t, line, out);
        free(line);
        put_accesses(p, w, out, HEADING_FIRST_BRANCH, HEADING_ACCESSES);
    }
}

void table_cache_totals(struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    const char *program = t->program ? t->program : p->program;
    struct totals w = fit_totals(t);
    char *command = heading_command(p);

    put_text(t, out, "Program", program);
    put_text(t, out, "Command", command);
    put_caches(t, out);
    if ((program && *program) || (command && *command) || p->n_caches)
        fputc('\n', out);
    put_totals(t, &w, out);
    fputc('\n', out);
    t->rounded |= w.rounded;
    free(command);
}

/* Costs of functions without a name: of each object, and of all. The caller frees it. */
static int64_t *sum_nameless(const struct table *t, int64_t *sum)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs);

    *sum = 0;
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];
        int64_t cost = column_value(t->measure, cprof_cost_values(p, i));

        if (f->object == CPROF_NONE || !is_unnamed(p, f) || cost <= 0)
            continue;
        *sum += cost;
        costs[f->object] += cost;
    }
    return costs;
}

/* Whether a file that ran cannot be looked at; code made at run time has none. */
static bool is_missing(const struct table *t, uint32_t object)
{
    return t->qualities[object] == NAMES_MISSING &&
           t->rows->profile->objects[object].path[0] != '[';
}

/* The object with the most such cost (CPROF_NONE: none has any); `missing`: of those whose files
 * cannot be looked at. */
static uint32_t find_nameless(const struct table *t, const int64_t *costs, bool missing)
{
    uint32_t most = CPROF_NONE;

    for (uint32_t i = 0; i < t->rows->profile->n_objects; i++)
        if (costs[i] > (most == CPROF_NONE ? 0 : costs[most]) && (!missing || is_missing(t, i)))
            most = i;
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

#define LIBC_PACKAGES "; the package " CRATES_LIBC_PACKAGES " has those of its other functions"

static bool lacks_package(const char *path, enum name_quality quality)
{
    return (quality == NAMES_NONE || quality == NAMES_DYNAMIC) && crates_is_libc(path);
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

/* A line of the closing, or several where it has to fit. */
static void put_line(const struct table *t, FILE *out, const char *line)
{
    style_line(out, t->color, STYLE_DIM, line, t->fixed ? t->width : 0);
}

/* What is wrong with the program's debug information. */
static void put_debug_hint(const struct table *t, const char *object, enum name_quality quality,
                           FILE *out)
{
    char *path = text_clean(object, t->utf8), *packed = xasprintf("%s.dwp", object);
    char *line = NULL;

    if (quality == NAMES_DAMAGED)
        line =
            xasprintf("the debug information of %s is damaged: functions are those of its symbols "
                      "where it cannot be read",
                      path);
    else if (quality == NAMES_ALTERNATE)
        line = xasprintf(
            "names of inlined functions of %s are incomplete: its debug information refers to "
            "a file (dwz) that is not there",
            path);
    else if (quality == NAMES_SPLIT)
        line = xasprintf("no inlined functions of %s: they are in %s; build with "
                         "split-debuginfo=off",
                         path,
                         access(packed, F_OK) == 0 ? "its .dwp file, which is not read"
                                                   : ".dwo files that are not there");
    else if (quality == NAMES_SHORT)
        line =
            xasprintf("inlined functions of %s have no paths: it was built for line tables only; "
                      "debug=1 has them",
                      path);
    if (line)
        put_line(t, out, line);
    free(line);
    free(path);
    free(packed);
}

/* How many objects but this one have such cost of 1 % of the program or more. */
static unsigned count_others(const struct table *t, const int64_t *costs, uint32_t object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    unsigned n = 0;

    for (uint32_t i = 0; i < p->n_objects; i++)
        n += i != object && costs[i] > 0 && costs[i] >= total / 100;
    return n;
}

/* `cost` in functions without names: in an object, most of it where `others` have some, too. */
static void put_nameless(const struct table *t, int64_t cost, uint32_t object, unsigned others,
                         FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    bool little = cost < total / 1000;
    char percent[TEXT_NUMBER], *path = text_clean(p->objects[object].path, t->utf8);
    char *measure = text_clean(t->measure->name, t->utf8);
    char *more = others ? xasprintf("; %u other object%s names, too", others,
                                    others == 1 ? " lacks" : "s lack")
                        : xstrdup("");
    char *line =
        xasprintf("no names for %s%s %% of %s: %s %s%s%s", little ? "under " : "",
                  little ? "0.1" : text_percent(percent, cost, total, 1), measure, path,
                  path[0] == '[' ? "is code made at run time" : reason(t->qualities[object]),
                  lacks_package(path, t->qualities[object]) ? LIBC_PACKAGES : "", more);

    put_line(t, out, line);
    free(line);
    free(more);
    free(path);
    free(measure);
}

/* `cost` of an object without lines. */
static void put_lineless(const struct table *t, int64_t cost, uint32_t object, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char percent[TEXT_NUMBER], *path = text_clean(p->objects[object].path, t->utf8);
    char *measure = text_clean(t->measure->name, t->utf8);
    char *line = xasprintf("no lines for %s %% of %s: %s%s was built without debug information",
                           text_percent(percent, cost, column_value(t->measure, p->totals), 1),
                           measure, t->qualities[object] >= NAMES_LINES ? "part of " : "", path);

    put_line(t, out, line);
    free(line);
    free(path);
    free(measure);
}

/* One line about what would make the table say more: functions without names, or a program without
 * lines. A file that is gone is named, however little ran in it: that it had names is lost. */
static void put_hint(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t nameless, lineless, total = column_value(t->measure, p->totals);
    int64_t *costs = sum_nameless(t, &nameless);
    uint32_t most = find_nameless(t, costs, false), missing = find_nameless(t, costs, true),
             program;
    bool many = most != CPROF_NONE && nameless >= total / 100;

    lineless = find_lineless(t, &program);
    if (many)
        put_nameless(t, nameless, most, count_others(t, costs, most), out);
    if (missing != CPROF_NONE && !(many && missing == most))
        put_nameless(t, costs[missing], missing, 0, out);
    if (!many && lineless > 0 && lineless >= total / 100)
        put_lineless(t, lineless, program, out);
    if (program < p->n_objects)
        put_debug_hint(t, p->objects[program].path, t->qualities[program], out);
    free(costs);
}

char *table_bounds(const struct table *t)
{
    unsigned n[BOUND_TOTAL + 1] = {0};
    bool shown = false, blame = false;
    char *least = NULL, *both;

    for (size_t i = 0; i < t->n_columns; i++) {
        shown |= t->columns[i]->kind == COLUMN_INCLUSIVE;
        blame |= t->columns[i]->kind == COLUMN_NOTE;
    }
    for (size_t i = 0; i < t->n_shown && (shown || blame); i++)
        n[t->rows->items[i].bound]++;
    if (n[BOUND_LEAST] && blame)
        return xasprintf("what %s of these lines are charged with may be others' in part: foreign "
                         "code comes back to itself through your own",
                         TEXT_COUNT(n[BOUND_LEAST]));
    if (n[BOUND_LEAST])
        least = xasprintf("inclusive costs of %s of these %s are lower bounds: %s",
                          TEXT_COUNT(n[BOUND_LEAST]), group_word(t->by, true),
                          t->by == GROUP_FUNCTION
                              ? "they call each other in a circle, or were inlined into such"
                              : "recursion leads through others of them");
    if (!n[BOUND_TOTAL])
        return least;
    both = xasprintf("%s%sinclusive costs of %s of these functions are capped at the total: calls "
                     "overlap in this file (recursion, tail calls)",
                     least ? least : "", least ? "; " : "", TEXT_COUNT(n[BOUND_TOTAL]));
    free(least);
    return both;
}

void table_fitting(struct table *t, FILE *out)
{
    char *line = NULL;

    if (t->left_out)
        line = xasprintf("%s left out%s to fit %u columns; --json or -o FILE has all in full",
                         t->left_out, t->rounded ? " and counts rounded" : "", t->width);
    else if (t->rounded)
        line = xasprintf("counts rounded to fit %u columns; --json or -o FILE has them in full",
                         t->width);
    if (line)
        put_line(t, out, line);
    free(line);
    free(t->left_out);
    t->left_out = NULL;
}

void table_closing(struct table *t, FILE *out)
{
    const struct rows *r = t->rows;
    int64_t total = column_value(t->measure, r->profile->totals);
    char percent[TEXT_NUMBER], *name = text_clean(t->measure->name, t->utf8), *line;
    char *bounds = table_bounds(t);
    const char *what = group_word(t->by, r->n_all != 1);

    text_percent(percent, rows_sum(r, t->measure, t->n_shown), total, 1);
    if (t->n_shown == r->n_all)
        line = xasprintf("%s %s", TEXT_COUNT(r->n_all), what);
    else if (t->n_shown < r->n)
        line = xasprintf("%s of %s %s%s, %s %% of %s (-n 0 shows all, --sort another column)",
                         TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n), group_word(t->by, r->n != 1),
                         t->filtered ? " that match" : "", percent, name);
    else
        line = xasprintf("%s of %s %s%s, %s %% of %s", TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n_all),
                         what,
                         !t->filtered    ? ""
                         : r->n_all == 1 ? " matches"
                                         : " match",
                         percent, name);
    put_line(t, out, line);
    table_fitting(t, out);
    if (bounds)
        put_line(t, out, bounds);
    if (t->qualities && total > 0)
        put_hint(t, out);
    free(bounds);
    free(line);
    free(name);
}
