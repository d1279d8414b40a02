#include <config.h>

#include "bench/measured.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "names/crate_path.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const struct cprof_profile *profile;
    const struct crates *crates;
    uint32_t *of; /* the item that each context belongs to: 0: none, 1: the first new one */
    bool *marked; /* contexts that were seen: entries that are counted, and what is below the
                     harness's call of tests */
};

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), own = strlen(ending);

    return size >= own && !strcmp(text + size - own, ending);
}

static const char *file_of(const struct cprof_profile *p, uint32_t function)
{
    uint32_t file = p->functions[function].file;

    return file == CPROF_NONE ? "" : p->files[file];
}

static bool is_of_crate(const struct search *s, uint32_t function, const char *name)
{
    return !strcmp(crates_of(s->crates, function)->name, name);
}

static bool is_own(const struct search *s, uint32_t function)
{
    return owner_is_user(crates_owner(s->crates, function));
}

/* True for what is there without cargo: the standard library, libc and the like. */
static bool is_library(const struct search *s, uint32_t function)
{
    return crates_owner(s->crates, function) >= OWNER_STD;
}

static void begin(struct search *s, const struct cprof_profile *p, const struct crates *crates)
{
    *s = (struct search){.profile = p,
                         .crates = crates,
                         .of = xcalloc(p->n_contexts + 1, sizeof *s->of),
                         .marked = xcalloc(p->n_contexts + 1, sizeof *s->marked)};
}

/* The list keeps what belongs to whom. */
static void end(struct search *s, struct measured_list *list)
{
    free(list->of);
    list->of = s->of;
    free(s->marked);
}

static struct measured *add_item(struct measured_list *list, const struct cprof_profile *p,
                                 char *name)
{
    GROW(list->items, list->n, list->room);
    list->items[list->n] = (struct measured){
        .id = (uint32_t)list->n + 1, .name = name, .counts = xcalloc(p->n_events, sizeof(int64_t))};
    return &list->items[list->n++];
}

/*--- Sums ---*/

/* Adds up what belongs to the items from `first` on. */
static void sum_up(const struct search *s, struct measured_list *list, size_t first)
{
    const struct cprof_profile *p = s->profile;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *x = &p->contexts[i];

        for (uint32_t k = 0; s->of[i] && k < x->n_costs; k++)
            counts_add(list->items[first + s->of[i] - 1].counts,
                       cprof_context_values(p, x->first_cost + k), p->n_events);
    }
}

/* The own function that is nearest to a context on its path, as far as the item goes; a closure
 * only where there is no other, since the function around it shows its lines. */
static uint32_t nearest_own(const struct search *s, uint32_t context)
{
    const struct cprof_profile *p = s->profile;
    uint32_t closure = CPROF_NONE;

    for (uint32_t i = context; i != CPROF_NONE && s->of[i]; i = p->contexts[i].parent) {
        uint32_t function = p->contexts[i].function;

        if (is_own(s, function) && !strstr(p->functions[function].name, "::{"))
            return function;
        if (is_own(s, function) && closure == CPROF_NONE)
            closure = function;
    }
    return closure;
}

/* The own function that cost most with what others cost for it, where there is one item. The caller
 * frees it; NULL: there is none. */
static char *find_function(const struct search *s)
{
    const struct cprof_profile *p = s->profile;
    int64_t *charged = xcalloc(p->n_functions + 1, sizeof *charged);
    uint32_t best = CPROF_NONE;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        uint32_t own = s->of[i] ? nearest_own(s, i) : CPROF_NONE;
        const struct cprof_context *x = &p->contexts[i];

        if (own == CPROF_NONE)
            continue;
        for (uint32_t k = 0; k < x->n_costs; k++)
            counts_add(&charged[own], cprof_context_values(p, x->first_cost + k), 1);
        if (best == CPROF_NONE || charged[own] > charged[best])
            best = own;
    }
    free(charged);
    return best == CPROF_NONE ? NULL : xstrdup(p->functions[best].name);
}

/*--- Benches ---*/

/* The loop's own calls, where no word tells: its clock, its range, black_box(). */
static bool is_plumbing(const struct cprof_profile *p, uint32_t function)
{
    static const char *const files[] = {"/hint.rs", "/time.rs", "/iter/range.rs", "/time/unix.rs",
                                        "/ops/range.rs"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (ends_with(file_of(p, function), files[i]))
            return true;
    return false;
}

/* True where the line that a context is called on has the harness's word. */
static bool line_has(struct source_finder *finder, const struct cprof_profile *p,
                     const struct cprof_context *x, const char *word)
{
    const struct source *source;
    const char *text;
    size_t size;

    if (x->site_file == CPROF_NONE)
        return false;
    source = source_find(finder, p->files[x->site_file]);
    return source->state == SOURCE_FOUND && source_line(source, x->site_line, &text, &size) &&
           memmem(text, size, word, strlen(word));
}

static bool is_loop(const struct search *s, const struct harness *h, uint32_t context)
{
    uint32_t function = s->profile->contexts[context].function;

    return is_of_crate(s, function, h->crate) &&
           ends_with(file_of(s->profile, function), h->file) &&
           (!h->function || strstr(s->profile->functions[function].name, h->function));
}

/* True where a path leaves the harness at this context. */
static bool leaves(const struct search *s, const struct harness *h, struct source_finder *finder,
                   uint32_t context)
{
    const struct cprof_profile *p = s->profile;
    const struct cprof_context *x = &p->contexts[context];

    if (x->parent == CPROF_NONE || !is_loop(s, h, x->parent) ||
        is_of_crate(s, x->function, h->crate) || ends_with(file_of(p, x->function), "/hint.rs"))
        return false;
    return h->routine ? line_has(finder, p, x, h->routine) : !is_plumbing(p, x->function);
}

/* The context whose calls are entries of the loop around `context`: the outermost of the harness's
 * file below the last own code, or what that was inlined into. */
static uint32_t entry_of(const struct search *s, const struct harness *h, uint32_t context)
{
    const struct cprof_context *contexts = s->profile->contexts;
    uint32_t entry = contexts[context].parent;

    for (uint32_t i = entry; i != CPROF_NONE; i = contexts[i].parent) {
        if (is_loop(s, h, i))
            entry = i;
        else if (is_own(s, contexts[i].function) && !is_of_crate(s, contexts[i].function, h->crate))
            break;
    }
    while (contexts[entry].inlined && contexts[entry].parent != CPROF_NONE)
        entry = contexts[entry].parent;
    return entry;
}

void measured_bench(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates, const struct harness *harness,
                    struct source_finder *finder)
{
    struct search s;
    struct measured *m = NULL;
    size_t first = list->n;

    if (!harness->file)
        return;
    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        uint32_t parent = profile->contexts[i].parent, entry;

        if (parent != CPROF_NONE && s.of[parent]) {
            s.of[i] = s.of[parent];
            continue;
        }
        if (!leaves(&s, harness, finder, i))
            continue;
        s.of[i] = 1;
        m = m ? m : add_item(list, profile, NULL);
        entry = entry_of(&s, harness, i);
        if (!s.marked[entry])
            m->iterations += profile->contexts[entry].calls ? profile->contexts[entry].calls : 1;
        s.marked[entry] = true;
    }
    sum_up(&s, list, first);
    if (m)
        m->function = find_function(&s);
    end(&s, list);
}

/*--- Tests ---*/

/* "app::tests::parses", of itself and of a closure in it. The caller frees it. */
static char *function_without_closure(const char *function)
{
    const char *closure = strstr(function, "::{");

    return closure ? xstrndup(function, (size_t)(closure - function)) : xstrdup(function);
}

/* "tests::parses" of both. The caller frees it. */
static char *test_name(const char *function)
{
    char *whole = function_without_closure(function), *path = strstr(whole, "::");
    char *name = xstrdup(path ? path + 2 : whole);

    free(whole);
    return name;
}

static uint32_t find_test(struct measured_list *list, size_t first, const struct cprof_profile *p,
                          const char *function)
{
    char *name = test_name(function);

    for (size_t i = first; i < list->n; i++)
        if (!strcmp(list->items[i].name, name)) {
            free(name);
            return (uint32_t)(i - first + 1);
        }
    add_item(list, p, name)->iterations = 1;
    list->items[list->n - 1].function = function_without_closure(function);
    return (uint32_t)(list->n - first);
}

/* True where the harness calls tests. */
static bool begins_tests(const struct search *s, uint32_t function)
{
    return is_of_crate(s, function, "test") &&
           strstr(s->profile->functions[function].name, "__rust_begin_short_backtrace");
}

/* By name, and numbers in it by their value: threads come to run in no certain order. */
static int compare_tests(const void *a, const void *b)
{
    const struct measured *x = a, *y = b;

    return strverscmp(x->name, y->name);
}

void measured_tests(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates)
{
    struct search s;
    size_t first = list->n;

    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *x = &profile->contexts[i];
        bool below = x->parent != CPROF_NONE && s.marked[x->parent];

        s.marked[i] = below || begins_tests(&s, x->function);
        if (x->parent != CPROF_NONE && s.of[x->parent])
            s.of[i] = s.of[x->parent];
        else if (below && is_own(&s, x->function))
            s.of[i] = find_test(list, first, profile, profile->functions[x->function].name);
    }
    sum_up(&s, list, first);
    if (list->n > first)
        sort_items(list->items + first, list->n - first, sizeof *list->items, compare_tests);
    end(&s, list);
}

/*--- Doc tests ---*/

/* rustdoc's name of the function that a doc test is, before its file, line and a number. */
#define DOC_TEST "_doctest_main_"

void measured_doc_test(struct measured_list *list, const struct cprof_profile *profile,
                       const struct crates *crates)
{
    struct search s;
    struct measured *m = NULL;
    size_t first = list->n;

    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *x = &profile->contexts[i];
        const char *mark = strstr(profile->functions[x->function].name, DOC_TEST);

        if (mark && !m) {
            m = add_item(list, profile, xstrdup(mark + strlen(DOC_TEST)));
            m->iterations = 1;
        }
        s.of[i] = mark || (x->parent != CPROF_NONE && s.of[x->parent]);
    }
    sum_up(&s, list, first);
    end(&s, list);
}

/*--- Threads ---*/

/* The number of a context's state, from its parent's: numbers of threads are used again, so that
 * one root may have threads of the harness and others. */
enum thread_state { THREAD_MAIN, THREAD_STARTS, THREAD_HARNESS, THREAD_OTHER };

static enum thread_state state_of(const struct search *s, const enum thread_state *states,
                                  uint32_t context, const char *crate)
{
    const struct cprof_context *x = &s->profile->contexts[context];
    const char *name = s->profile->functions[x->function].name;

    if (x->parent == CPROF_NONE)
        return !strncmp(name, "[thread ", 8) && strcmp(name, "[thread 1]") != 0 ? THREAD_STARTS
                                                                                : THREAD_MAIN;
    if (states[x->parent] != THREAD_STARTS)
        return states[x->parent];
    if (is_of_crate(s, x->function, crate))
        return THREAD_HARNESS;
    return is_library(s, x->function) ? THREAD_STARTS : THREAD_OTHER;
}

static bool starts_thread(const char *function)
{
    const char *at = strstr(function, "pthread_create");

    return at && strspn(function, "_") == (size_t)(at - function);
}

/* True where the code that called a function of the libraries is the harness's. */
static bool is_harness_call(const struct search *s, uint32_t context, const char *crate)
{
    const struct cprof_context *contexts = s->profile->contexts;
    uint32_t i = contexts[context].parent;

    while (i != CPROF_NONE && is_library(s, contexts[i].function) &&
           !is_of_crate(s, contexts[i].function, crate))
        i = contexts[i].parent;
    return i != CPROF_NONE && is_of_crate(s, contexts[i].function, crate);
}

/* The id of the item that has started all such threads; 0: it is not known. */
static uint32_t find_starter(const struct search *s, const enum thread_state *states,
                             const char *crate)
{
    const struct cprof_profile *p = s->profile;
    uint32_t starter = 0;

    for (uint32_t i = 0; i < p->n_contexts && s->of; i++) {
        if (!starts_thread(p->functions[p->contexts[i].function].name) ||
            states[i] == THREAD_OTHER || (!s->of[i] && is_harness_call(s, i, crate)))
            continue;
        if (!s->of[i] || (starter && starter != s->of[i]))
            return 0;
        starter = s->of[i];
    }
    return starter;
}

enum measured_threads measured_threads(struct measured_list *list, int64_t *counts,
                                       const struct cprof_profile *profile,
                                       const struct crates *crates, const char *crate)
{
    const struct search s = {.profile = profile, .crates = crates, .of = list->of};
    enum thread_state *states = xcalloc(profile->n_contexts + 1, sizeof *states);
    uint32_t starter;
    bool any = false;

    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *x = &profile->contexts[i];

        states[i] = state_of(&s, states, i, crate);
        for (uint32_t k = 0; states[i] == THREAD_OTHER && k < x->n_costs; k++) {
            any = true;
            counts_add(counts, cprof_context_values(profile, x->first_cost + k), profile->n_events);
        }
    }
    starter = any ? find_starter(&s, states, crate) : 0;
    free(states);
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].id == starter)
            counts_add(list->items[i].counts, counts, profile->n_events);
    return !any ? THREADS_NONE : starter ? THREADS_CHARGED : THREADS_UNKNOWN;
}

void measured_whole(struct measured_list *list, const struct cprof_profile *profile,
                    const struct crates *crates)
{
    struct search s;
    struct measured *m = add_item(list, profile, NULL);

    m->iterations = 1;
    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++)
        s.of[i] = 1;
    m->function = find_function(&s);
    end(&s, list);
    memcpy(m->counts, profile->totals, profile->n_events * sizeof *m->counts);
}

void measured_free(struct measured_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].name);
        free(list->items[i].counts);
        free(list->items[i].function);
    }
    free(list->items);
    free(list->of);
    *list = (struct measured_list){0};
}
