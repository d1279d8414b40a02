#include <config.h>

#include "render/text/why_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/object_name.h"
#include "render/text/diff.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/curves.h"

#include <stdlib.h>
#include <string.h>

/*--- Reasons ---*/

const char *why_cause_word(enum why_cause cause)
{
    static const char *const words[] = {
        [WHY_CALLS] = "calls",
        [WHY_RECURSION] = "recursion",
        [WHY_CALLS_NEW] = "calls_new",
        [WHY_CALLS_NOW] = "calls_now",
        [WHY_CALLS_GONE] = "calls_gone",
        [WHY_CALLS_NO_LONGER] = "calls_no_longer",
        [WHY_CODE_NOW] = "code_now",
        [WHY_CODE_NO_LONGER] = "code_no_longer",
        [WHY_INLINED_NOW] = "inlined_now",
        [WHY_INLINED_NO_LONGER] = "inlined_no_longer",
        [WHY_WORK_SAME] = "work_same_code",
        [WHY_WORK_OTHER] = "work_other_code",
        [WHY_WORK] = "work",
        [WHY_VERSION] = "version",
        [WHY_LIBRARY] = "library",
        [WHY_VARIANT] = "variant",
        [WHY_VARIANT_MAYBE] = "variant_maybe",
        [WHY_ALLOCATOR] = "allocator",
        [WHY_SPLIT] = "split",
        [WHY_JOINED] = "joined",
        [WHY_RENAMED] = "renamed",
    };

    return words[cause];
}

/* "2", "0.5", "1,024.3": so many calls for each of the caller. */
static void ratio_text(char buffer[TEXT_NUMBER], uint64_t calls, uint64_t callers)
{
    double ratio = (double)calls / (double)callers;

    if (calls % callers == 0)
        text_count(buffer, calls_count(calls / callers));
    else
        snprintf(buffer, TEXT_NUMBER, "%.4g", ratio);
}

static char *calls_text(const struct why *w, const struct why_reason *r)
{
    char before[TEXT_NUMBER], after[TEXT_NUMBER], times[TEXT_NUMBER + 8];
    bool is_once;
    unsigned __int128 old = (unsigned __int128)r->calls[DIFF_OLD] * r->callers[DIFF_NEW];
    unsigned __int128 new = (unsigned __int128)r->calls[DIFF_NEW] * r->callers[DIFF_OLD];

    if (!r->callers[DIFF_OLD] || !r->callers[DIFF_NEW] || old == new)
        return xasprintf("calls %s otherwise", why_name(w, r->what));
    ratio_text(before, r->calls[DIFF_OLD], r->callers[DIFF_OLD]);
    ratio_text(after, r->calls[DIFF_NEW], r->callers[DIFF_NEW]);
    is_once = !strcmp(after, "1");
    snprintf(times, sizeof times, "%s%s", is_once ? "once" : after, is_once ? "" : " times");
    if (r->cause == WHY_RECURSION)
        return xasprintf("%s is entered %s often for each call from outside, %s, %s before",
                         why_name(w, r->what), new > old ? "more" : "less", times, before);
    return xasprintf("calls %s %s often, %s per call%s%s, %s before", why_name(w, r->what),
                     new > old ? "more" : "less", times, r->per == CPROF_NONE ? "" : " of ",
                     r->per == CPROF_NONE ? "" : why_name(w, r->per), before);
}

static const char *much_text(const struct why_reason *r)
{
    return r->change > 0 ? "more" : "less";
}

/* Instructions are what a function does; of all other events it has some. */
static char *work_text(const struct why *w, const struct why_reason *r, const char *why)
{
    const char *much = much_text(r);
    bool is_work = !strcmp(w->measure->name, "Ir");
    struct strbuf text = {.text = NULL};

    if (r->what != r->group)
        strbuf_addf(&text, "%s ", why_name(w, r->what));
    if (is_work)
        strbuf_addf(&text, "does %s per call", much);
    else
        strbuf_addf(&text, "has %s %s per call", much, w->measure->name);
    if (r->what == r->group)
        strbuf_addf(&text, " itself");
    if (r->inlined != CPROF_NONE)
        strbuf_addf(&text, ", most of it in %s, which is inlined", why_name(w, r->inlined));
    strbuf_addf(&text, "%s", why);
    return strbuf_take(&text);
}

static char *inlining_text(const struct why *w, const struct why_reason *r, const char *how)
{
    char *fact = xasprintf("%s is %s", why_name(w, r->what), how);
    char *why = xasprintf("; %s", fact), *text;
    struct why_reason caller = *r;

    caller.what = r->by;
    text = r->by == CPROF_NONE ? xstrdup(fact) : work_text(w, &caller, why);
    free(fact);
    free(why);
    return text;
}

static char *allocator_text(const struct why *w, const struct why_reason *r)
{
    static const char why[] = "other sizes, or another state of the heap";

    if (!strcmp(w->measure->name, "Ir"))
        return xasprintf("%s takes another path: %s", why_name(w, r->what), why);
    return xasprintf("%s has %s %s per call: %s", why_name(w, r->what), much_text(r),
                     w->measure->name, why);
}

static char *version_text(const struct why *w, const struct why_reason *r)
{
    char *why = xasprintf("; %s", w->versions[r->what]), *text = work_text(w, r, why);

    free(why);
    return text;
}

static char *renamed_text(const struct why *w, const struct why_reason *r)
{
    char *why = xasprintf("; it seems to be %s under another name", why_name(w, r->by));
    char *text = work_text(w, r, why);

    free(why);
    return text;
}

/* A function of libc; a name without a processor is that of the variant for all of them. */
static char *variant_name(const char *name)
{
    char *plain = libc_plain_name(name);
    char *text = xasprintf("%s%s", strcmp(plain, name) != 0 ? "" : "its plain ", name);

    free(plain);
    return text;
}

static char *variant_text(const struct why *w, const struct why_reason *r, const char *verb,
                          const char *end)
{
    char *what = variant_name(why_name(w, r->what)), *by = variant_name(why_name(w, r->by));
    char *text = xasprintf("libc %s %s in place of %s%s", verb, what, by, end);

    free(what);
    free(by);
    return text;
}

/* The reason without who calls whom. */
static char *plain_text(const struct why *w, const struct why_reason *r)
{
    const char *what = why_name(w, r->what);

    switch (r->cause) {
    case WHY_CALLS:
    case WHY_RECURSION:
        return calls_text(w, r);
    case WHY_CALLS_NEW:
        return xasprintf("calls %s now, which did not run before", what);
    case WHY_CALLS_NOW:
        return xasprintf("calls %s now, which other code had before", what);
    case WHY_CALLS_GONE:
        return xasprintf("no longer calls %s, which does not run now", what);
    case WHY_CALLS_NO_LONGER:
        return xasprintf("no longer calls %s, which other code still has", what);
    case WHY_CODE_NOW:
        return xasprintf("has code of %s inlined now", what);
    case WHY_CODE_NO_LONGER:
        return xasprintf("no longer has code of %s inlined", what);
    case WHY_INLINED_NOW:
        return inlining_text(w, r, "inlined now");
    case WHY_INLINED_NO_LONGER:
        return inlining_text(w, r, "no longer inlined");
    case WHY_WORK_SAME:
        return work_text(w, r, ", by the same code");
    case WHY_WORK_OTHER:
        return work_text(w, r, "; its code differs");
    case WHY_WORK:
        return work_text(w, r, "; its code may differ");
    case WHY_VERSION:
        return version_text(w, r);
    case WHY_LIBRARY:
        return work_text(w, r, "; another build of its library");
    case WHY_VARIANT:
        return variant_text(w, r, "runs", "");
    case WHY_VARIANT_MAYBE:
        return variant_text(w, r, "may run", "; its build may be another");
    case WHY_ALLOCATOR:
        return allocator_text(w, r);
    case WHY_SPLIT:
        return xasprintf("%s seems to be split off", what);
    case WHY_JOINED:
        return xasprintf("%s seems to have become a part of it", what);
    case WHY_RENAMED:
        break;
    }
    return renamed_text(w, r);
}

char *why_reason_text(const struct why *w, const struct why_reason *r)
{
    char *plain = plain_text(w, r), *text;

    if (r->cause > WHY_CALLS_NO_LONGER || r->by == CPROF_NONE)
        return plain;
    text = xasprintf("%s %s", why_name(w, r->by), plain);
    free(plain);
    return text;
}

/*--- The sentence ---*/

static int64_t change_of(const struct why *w)
{
    return count_change(w->total[DIFF_OLD], w->total[DIFF_NEW]);
}

/* "all of it", "98 % of it": a part of a change, which may be more than the whole. */
static void share_text(char buffer[TEXT_NUMBER], int64_t part, int64_t whole)
{
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;

    if (part == whole)
        snprintf(buffer, TEXT_NUMBER, "all of it");
    else if (percent > 99 && percent < 101)
        snprintf(buffer, TEXT_NUMBER, "nearly all of it");
    else if (percent >= 1 && percent <= 100)
        snprintf(buffer, TEXT_NUMBER, "%.0f %% of it", percent);
    else
        diff_change_text(buffer, part);
}

enum { NAMED_GROUPS = 3, NAMED_REASONS = 2 };
/* Reasons are named until so many percent of what they are of are explained. */
enum { EXPLAINED_ENOUGH = 80, EXPLAINED_TOO_MUCH = 150 };

static bool is_enough(int64_t explained, int64_t whole)
{
    return 100 * (__int128)count_size(explained) >=
               (__int128)EXPLAINED_ENOUGH * count_size(whole) &&
           (explained < 0) == (whole < 0);
}

/* True for what may be a mere consequence of other reasons. */
static bool is_vague(const struct why_reason *r)
{
    return r->cause == WHY_WORK || r->cause == WHY_WORK_OTHER;
}

/* True where a reason makes a fifth of the group's change, or more, and not the other way. */
static bool counts_for(const struct why_reason *r, const struct why_group *g)
{
    return !g->change || ((r->change < 0) == (g->change < 0) &&
                          count_size(r->change) >= count_size(g->change) / 5);
}

/* True where an earlier reason of the group is named that says as much. */
static bool is_said(const struct why_group *g, size_t i)
{
    const struct why_reason *r = &g->reasons[i];

    for (size_t k = 0; k < i; k++)
        if (g->reasons[k].cause == r->cause && g->reasons[k].what == r->what &&
            r->cause >= WHY_INLINED_NOW && r->cause <= WHY_INLINED_NO_LONGER &&
            counts_for(&g->reasons[k], g))
            return true;
    return false;
}

/* Adds the group's greatest reasons, the vague ones last. */
static void add_reasons(struct strbuf *text, const struct why *w, const struct why_group *g)
{
    int64_t explained = 0;
    size_t named = 0;

    for (int vague = 0; vague < 2; vague++)
        for (size_t i = 0; i < g->n && named < NAMED_REASONS && !is_enough(explained, g->change);
             i++) {
            char *reason;

            if (!counts_for(&g->reasons[i], g) || is_vague(&g->reasons[i]) != vague)
                continue;
            if (is_said(g, i)) {
                count_add(&explained, g->reasons[i].change);
                continue;
            }
            reason = why_reason_text(w, &g->reasons[i]);
            strbuf_addf(text, "%s%s", named++ ? "; " : ": ", reason);
            count_add(&explained, g->reasons[i].change);
            free(reason);
        }
}

/* Adds ", 98 % of it in parse: calls check more often ...". */
static void add_group(struct strbuf *text, const struct why *w, const struct why_group *g,
                      const char *before)
{
    char share[TEXT_NUMBER];

    share_text(share, g->change, change_of(w));
    strbuf_addf(text, "%s%s in %s", before, share, why_name(w, g->id));
    add_reasons(text, w, g);
}

/* Adds the greatest group that changed the other way, where those that were named make more than
 * the whole change: costs may have moved from one function to another. */
static void add_opposite(struct strbuf *text, const struct why *w, int64_t explained)
{
    int64_t whole = change_of(w);

    if (100 * (__int128)count_size(explained) <= EXPLAINED_TOO_MUCH * (__int128)count_size(whole))
        return;
    for (size_t i = 0; i < w->n; i++)
        if ((w->groups[i].change < 0) != (whole < 0)) {
            add_group(text, w, &w->groups[i], ". Against it, ");
            return;
        }
}

char *why_sentence(const struct why *w)
{
    char change[TEXT_NUMBER], percent[TEXT_NUMBER];
    int64_t whole = change_of(w), explained = 0;
    struct strbuf text = {.text = NULL};

    diff_change_text(change, whole);
    diff_percent_text(percent, w->total[DIFF_OLD], w->total[DIFF_NEW]);
    if (!whole)
        strbuf_addf(&text, "%s did not change%s", w->measure->name,
                    w->n ? ", but reasons cancel out" : "");
    else
        strbuf_addf(&text, "%s changed by %s (%s%s)", w->measure->name, change, percent,
                    diff_percent_unit(percent));
    for (size_t i = 0; i < w->n && i < NAMED_GROUPS && !is_enough(explained, whole); i++) {
        const struct why_group *g = &w->groups[i];

        if (whole && (g->change < 0) != (whole < 0))
            continue;
        add_group(&text, w, g, explained ? ". And " : ", ");
        count_add(&explained, g->change);
    }
    if (whole)
        add_opposite(&text, w, explained);
    return strbuf_take(&text);
}

/* "with as many reads as before, ", "with +1,000 writes, "; "" where that is not known. */
static char *accesses_text(const struct why_misses *m)
{
    char change[TEXT_NUMBER];

    if (!m->accesses_known)
        return xstrdup("");
    diff_change_text(change, m->accesses);
    return m->accesses ? xasprintf("with %s %s, ", change, m->accesses_name)
                       : xasprintf("with as many %s as before, ", m->accesses_name);
}

/* "D1mr" and the like name their level. */
static char *first_level_text(const struct why *w, const char *first)
{
    char *accesses = accesses_text(&w->misses), *text;

    text = xasprintf("First uses of cache lines: %s. The rest, %sis by the layout of memory or by "
                     "other accesses: no fully associative %s tells them apart.",
                     first, accesses, w->measure->name[0] == 'I' ? "I1" : "D1");
    free(accesses);
    return text;
}

static char *last_level_text(const struct why_misses *m, const char *first)
{
    char capacity[TEXT_NUMBER], conflict[TEXT_NUMBER], *size = curve_size_text(m->size), *text;

    diff_change_text(capacity, m->capacity);
    diff_change_text(conflict, m->conflict);
    if (!m->first && !m->capacity)
        text = xasprintf(
            "The change is conflicts in the sets of the LL alone: a fully associative one of %s "
            "misses as often as before.",
            size);
    else
        text = xasprintf("First uses of cache lines: %s; for the size of the LL, %s: %s; for "
                         "conflicts in its sets, as by layout: %s.",
                         first, size, capacity, conflict);
    free(size);
    return text;
}

/* The part of a change of misses that is due to other lines, and that of layout, as far as they are
 * known; NULL: it is no change of misses. */
static char *misses_text(const struct why *w)
{
    const struct why_misses *m = &w->misses;
    char first[TEXT_NUMBER];

    if (m->state == WHY_MISSES_NONE ||
        (w->total[DIFF_OLD] == w->total[DIFF_NEW] && !m->first && !m->capacity))
        return NULL;
    diff_change_text(first, m->first);
    if (m->state == WHY_MISSES_FIRST)
        return first_level_text(w, first);
    if (m->state == WHY_MISSES_DIVIDED)
        return last_level_text(m, first);
    return xasprintf("Misses by the layout of memory cannot be told from others: %s.",
                     m->state == WHY_MISSES_OTHER ? "the caches differ"
                                                  : "count both builds with --miss-curves");
}

/* True for a reason that another build of the same source may have. */
static bool is_of_code(const struct why_reason *r)
{
    static const bool is[] = {
        [WHY_CODE_NOW] = true,   [WHY_CODE_NO_LONGER] = true, [WHY_INLINED_NOW] = true,
        [WHY_WORK_OTHER] = true, [WHY_WORK] = true,           [WHY_INLINED_NO_LONGER] = true,
        [WHY_SPLIT] = true,      [WHY_JOINED] = true,         [WHY_RENAMED] = true};

    return r->cause < sizeof is / sizeof *is && is[r->cause];
}

/* In what the builds differ, where reasons of code make a twentieth of the change or more. */
static char *builds_text(const struct why *w)
{
    double part = 0;

    for (size_t i = 0; i < w->n_reasons; i++)
        if (is_of_code(&w->reasons[i]))
            part += (double)count_size(w->reasons[i].change);
    if (!w->builds || part <= 0 || part < (double)count_size(change_of(w)) / 20)
        return NULL;
    return xasprintf("Code may differ since the builds do: %s.", w->builds);
}

/* Repetitions of string instructions, where these make a twentieth of the change or more. */
static char *repetitions_text(const struct why *w)
{
    int64_t change = 0;
    char text[TEXT_NUMBER];

    count_add(&change, w->repetitions[DIFF_NEW]);
    count_add(&change, -w->repetitions[DIFF_OLD]);
    if (!change || count_size(change) < count_size(change_of(w)) / 20)
        return NULL;
    diff_change_text(text, change);
    return xasprintf("Repetitions of rep movs and the like changed by %s; --rep one counts an "
                     "instruction with all of its repetitions once.",
                     text);
}

void why_notes(const struct why *w, struct string_list *notes)
{
    char *texts[] = {misses_text(w), repetitions_text(w), builds_text(w)};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i])
            string_list_add(notes, texts[i]);
}

/*--- The table ---*/

enum { REASONS_MAX = 5 }; /* of one group, which are shown */

/* A group, a reason of one, or what is left. */
struct item {
    const struct why_group *group;   /* NULL: a reason alone */
    const struct why_reason *reason; /* of a group: the only one; or NULL */
    int64_t change;
};

static enum cell_style style_of(int64_t change)
{
    return change > 0 ? CELL_MORE : change < 0 ? CELL_LESS : CELL_PLAIN;
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct why *w = subject;
    const struct item *i = row;

    switch (c->id) {
    case WHY_CELL_CHANGE:
        return cell_styled(cell_change(i->change), i->group ? style_of(i->change) : CELL_DIM);
    case WHY_CELL_FUNCTION:
        return i->group ? cell_text(why_name(w, i->group->id)) : cell_blank();
    default:
        return i->reason ? cell_take(why_reason_text(w, i->reason)) : cell_blank();
    }
}

static void put_group(struct table *table, const struct why_group *g)
{
    struct item rest = {NULL, NULL, 0};
    char *name = xasprintf("[%s more]", TEXT_COUNT(g->n - REASONS_MAX));

    table_put(table, &(struct item){g, g->n == 1 ? g->reasons : NULL, g->change}, CELL_PLAIN);
    for (size_t i = 0; g->n > 1 && i < g->n; i++) {
        if (i < REASONS_MAX)
            table_put(table, &(struct item){NULL, &g->reasons[i], g->reasons[i].change},
                      CELL_PLAIN);
        else
            count_add(&rest.change, g->reasons[i].change);
    }
    if (g->n > REASONS_MAX)
        table_put_sum(table, &rest, name);
    free(name);
}

void why_fill(const struct why *w, size_t limit, struct table *table)
{
    static const struct table_column columns[] = {
        {"Change", TABLE_VALUE, .cell = cell_of, .id = WHY_CELL_CHANGE},
        {"Function", TABLE_NAME, .cell = cell_of, .id = WHY_CELL_FUNCTION, .names_sums = true},
        {"Why", TABLE_NOTE, .whole = true, .cell = cell_of, .id = WHY_CELL_REASON},
    };
    struct item rest = {NULL, NULL, 0};

    table_begin(table, w);
    table_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < w->n; i++) {
        if (i < limit)
            put_group(table, &w->groups[i]);
        else
            count_add(&rest.change, w->groups[i].change);
    }
    if (w->n > limit) {
        char *name = xasprintf("[%s more]", TEXT_COUNT(w->n - limit));

        table_put_sum(table, &rest, name);
        free(name);
    }
}

void why_write(const struct why *w, const char *whose, size_t limit,
               const struct text_screen *screen, FILE *out)
{
    struct string_list notes = {0};
    char *sentence = why_sentence(w);
    struct table table;

    table_take_line(xasprintf("%s%s%s", whose ? whose : "", whose ? ": " : "", sentence),
                    screen ? STYLE_BOLD : "", screen ? "\n" : "\n\n", screen, out);
    free(sentence);
    why_notes(w, &notes);
    for (size_t i = 0; i < notes.n; i++)
        table_line(notes.items[i], screen ? STYLE_DIM : "", screen ? "\n" : "\n\n", screen, out);
    string_list_free_texts(&notes);
    why_fill(w, limit, &table);
    /* One reason is in the sentence already. */
    if (table.n_rows > (whose ? 1 : 0)) {
        table_rows_write(&table, screen, out);
        if (!screen)
            fputc('\n', out);
    }
    table_free(&table);
}
