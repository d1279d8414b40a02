#include <config.h>

#include "bench/bench_run.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sort.h"
#include "base/words.h"
#include "bench/document.h"
#include "bench/failure.h"
#include "bench/harness.h"
#include "diff/environment.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "profiles/load.h"
#include "render/json/json_value.h"
#include "run/jobs.h"
#include "run/saved_profile.h"
#include "run/valgrind.h"
#include "runs/run_notes.h"
#include "runs/run_show.h"
#include "source/source_file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- What is measured ---*/

/*
 * A run is divided into what belongs to a bench, or to each test, and what to its harness.
 *
 * Both are told apart by call paths with what was inlined: the debug information says of each
 * instruction which function's it is, even where the whole bench was compiled into the loop around
 * it. A path leaves the harness where a function of another crate is called, or was inlined, on the
 * line of the harness's loop that calls the measured code (struct harness); all below is measured.
 * So the loop, its clock, black_box() and a bench's set-up are the harness's, and what the loop
 * does with the result on that very line (it may drop it) is the bench's, as it is where time is
 * taken.
 *
 * All below test::__rust_begin_short_backtrace is a test's, from its own function on, whatever
 * thread it runs on.
 *
 * A thread that a bench or a test starts itself has a path of its own, and which call started it is
 * not in the profile. But calls of pthread_create() are: where all that are not the harness's are
 * below one item, or on threads that were started so, its threads are the item's. Else they are
 * nobody's, and count as the harness's.
 *
 * A function of the path above the loop that the measured code calls again is recursion, which
 * leads back to the first context (parser/cprof.h): its cost stays there. Harnesses' functions are
 * not called by what they measure.
 */

struct measured {
    uint32_t id;         /* in the list's `item_of`: from 1 on */
    char *name;          /* the test's, as the harness calls it; NULL: a bench */
    uint64_t iterations; /* entries of the loop, each of which runs the measured code once */
    int64_t *counts;     /* of all iterations: the profile's n_events */
    char *function;      /* of a bench the own function that cost most, with what others cost for
                            it; of a test its own; NULL: there is none */
};

/* Zero-initialised is empty. */
struct measured_list {
    size_t n, room;
    struct measured *items;
    uint32_t *item_of; /* which item each context of the profile belongs to, by its id; 0: none */
};

enum measured_threads { THREADS_NONE, THREADS_CHARGED, THREADS_UNKNOWN };

/* Adds up what ran on threads on which the harness, which is in `crate`, runs nothing: what is
 * measured has started them. CHARGED: that was added to the item that has, with its contexts. Call
 * it once, after the list was made of this profile. */
static enum measured_threads measured_threads(struct measured_list *list, int64_t *counts,
                                              const struct cprof_profile *profile,
                                              const struct crates *crates, const char *crate);

struct search {
    const struct cprof_profile *profile;
    const struct crates *crates;
    uint32_t *item_of; /* the item that each context belongs to: 0: none, 1: the first new one */
    bool *marked;      /* contexts that were seen: entries that are counted, and what is below the
                          harness's call of tests */
};

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
                         .item_of = xcalloc(p->n_contexts + 1, sizeof *s->item_of),
                         .marked = xcalloc(p->n_contexts + 1, sizeof *s->marked)};
}

/* The list keeps what belongs to whom. */
static void end(struct search *s, struct measured_list *list)
{
    free(list->item_of);
    list->item_of = s->item_of;
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

        for (uint32_t k = 0; s->item_of[i] && k < x->n_costs; k++)
            counts_add(list->items[first + s->item_of[i] - 1].counts,
                       cprof_context_values(p, x->first_cost + k), p->n_events);
    }
}

/* The own function that is nearest to a context on its path, as far as the item goes; a closure
 * only where there is no other, since the function around it shows its lines. */
static uint32_t nearest_own(const struct search *s, uint32_t context)
{
    const struct cprof_profile *p = s->profile;
    uint32_t closure = CPROF_NONE;

    for (uint32_t i = context; i != CPROF_NONE && s->item_of[i]; i = p->contexts[i].parent) {
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
        uint32_t own = s->item_of[i] ? nearest_own(s, i) : CPROF_NONE;
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
        if (text_ends_in(file_of(p, function), files[i]))
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
           text_ends_in(file_of(s->profile, function), h->file) &&
           (!h->function || strstr(s->profile->functions[function].name, h->function));
}

/* True where a path leaves the harness at this context. */
static bool leaves(const struct search *s, const struct harness *h, struct source_finder *finder,
                   uint32_t context)
{
    const struct cprof_profile *p = s->profile;
    const struct cprof_context *x = &p->contexts[context];

    if (x->parent == CPROF_NONE || !is_loop(s, h, x->parent) ||
        is_of_crate(s, x->function, h->crate) || text_ends_in(file_of(p, x->function), "/hint.rs"))
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

/* Adds the bench that ran in a profile with call paths; nothing where its harness's loop is not
 * found. Source files are read by `finder`. */
static void measured_bench(struct measured_list *list, const struct cprof_profile *profile,
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

        if (parent != CPROF_NONE && s.item_of[parent]) {
            s.item_of[i] = s.item_of[parent];
            continue;
        }
        if (!leaves(&s, harness, finder, i))
            continue;
        s.item_of[i] = 1;
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

/* Adds each test that ran and cost anything, by name. */
static void measured_tests(struct measured_list *list, const struct cprof_profile *profile,
                           const struct crates *crates)
{
    struct search s;
    size_t first = list->n;

    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *x = &profile->contexts[i];
        bool below = x->parent != CPROF_NONE && s.marked[x->parent];

        s.marked[i] = below || begins_tests(&s, x->function);
        if (x->parent != CPROF_NONE && s.item_of[x->parent])
            s.item_of[i] = s.item_of[x->parent];
        else if (below && is_own(&s, x->function))
            s.item_of[i] = find_test(list, first, profile, profile->functions[x->function].name);
    }
    sum_up(&s, list, first);
    if (list->n > first)
        sort_items(list->items + first, list->n - first, sizeof *list->items, compare_tests);
    end(&s, list);
}

/*--- Doc tests ---*/

/* rustdoc's name of the function that a doc test is, before its file, line and a number. */
#define DOC_TEST "_doctest_main_"

/* Adds the doc test that ran, by what rustdoc calls it ("src_lib_rs_3_0"); nothing where it is not
 * found. */
static void measured_doc_test(struct measured_list *list, const struct cprof_profile *profile,
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
        s.item_of[i] = mark || (x->parent != CPROF_NONE && s.item_of[x->parent]);
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

    for (uint32_t i = 0; i < p->n_contexts && s->item_of; i++) {
        if (!starts_thread(p->functions[p->contexts[i].function].name) ||
            states[i] == THREAD_OTHER || (!s->item_of[i] && is_harness_call(s, i, crate)))
            continue;
        if (!s->item_of[i] || (starter && starter != s->item_of[i]))
            return 0;
        starter = s->item_of[i];
    }
    return starter;
}

static enum measured_threads measured_threads(struct measured_list *list, int64_t *counts,
                                              const struct cprof_profile *profile,
                                              const struct crates *crates, const char *crate)
{
    const struct search s = {.profile = profile, .crates = crates, .item_of = list->item_of};
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
    for (uint32_t i = 0; i < profile->n_contexts && starter; i++)
        if (states[i] == THREAD_OTHER)
            list->item_of[i] = starter;
    free(states);
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].id == starter)
            counts_add(list->items[i].counts, counts, profile->n_events);
    return !any ? THREADS_NONE : starter ? THREADS_CHARGED : THREADS_UNKNOWN;
}

/* Adds the run as a whole. */
static void measured_whole(struct measured_list *list, const struct cprof_profile *profile,
                           const struct crates *crates)
{
    struct search s;
    struct measured *m = add_item(list, profile, NULL);

    m->iterations = 1;
    begin(&s, profile, crates);
    for (uint32_t i = 0; i < profile->n_contexts; i++)
        s.item_of[i] = 1;
    m->function = find_function(&s);
    end(&s, list);
    memcpy(m->counts, profile->totals, profile->n_events * sizeof *m->counts);
}

static void measured_free(struct measured_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].name);
        free(list->items[i].counts);
        free(list->items[i].function);
    }
    free(list->items);
    free(list->item_of);
    *list = (struct measured_list){0};
}

/* Flags of the contexts that belong to an item. */
static bool *contexts_of(const struct measured_list *list, const struct cprof_profile *p,
                         uint32_t id)
{
    bool *found = xcalloc(p->n_contexts + 1, sizeof *found);

    for (uint32_t i = 0; i < p->n_contexts; i++)
        found[i] = list->item_of[i] == id;
    return found;
}

bool *bench_contexts(const struct cprof_profile *profile, const struct crates *crates,
                     const struct harness *harness, const char *root)
{
    struct source_finder finder = {.root = root, .program = profile->program};
    int64_t *counts = xcalloc(profile->n_events + 1, sizeof *counts);
    struct measured_list list = {0};
    bool *chosen = NULL;

    measured_bench(&list, profile, crates, harness, &finder);
    if (list.n) {
        measured_threads(&list, counts, profile, crates, harness->crate);
        chosen = contexts_of(&list, profile, list.items[0].id);
    }
    measured_free(&list);
    source_finder_free(&finder);
    free(counts);
    return chosen;
}

/*--- The run ---*/

static json_t *counts_json(const struct cprof_profile *p, const int64_t *counts)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < p->n_events; i++)
        json_object_set_new_nocheck(object, p->events[i].name, json_integer(counts[i]));
    return object;
}

static json_t *row_json(const struct bench_run *run, const struct cprof_profile *p,
                        const struct measured *m, bool whole)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:b}", "name",
                     json_text(m->name    ? m->name
                               : run->doc ? "doc tests, merged into one program"
                                          : run->name),
                     "iterations", (json_int_t)m->iterations, "counts", counts_json(p, m->counts),
                     "function", json_text(m->function), "whole", whole);
}

/* Adds the counts that a row has in one more order of threads to `row`; `other` NULL: it has not
 * run there. */
static void add_order(json_t *row, const json_t *other)
{
    json_t *orders = json_object_get(row, "orders"), *count;
    const char *event;

    if (!orders)
        json_object_set_new(row, "orders", orders = json_object());
    json_object_foreach(json_object_get(row, "counts"), event, count)
    {
        json_t *list = json_object_get(orders, event);
        int64_t all = json_integer_value(json_object_get(json_object_get(other, "counts"), event));
        int64_t iterations = json_integer_value(json_object_get(other, "iterations"));

        if (!list)
            json_object_set_new(orders, event, list = json_array());
        json_array_append_new(list, json_integer(other ? bench_each(all, iterations) : 0));
    }
}

static bool order_is_fixed(const struct cprof_profile *p)
{
    return p->schedule == CPROF_SCHEDULE_FIXED && p->decisions <= 0;
}

/* Charges what ran on threads of what is measured, or adds it as nobody's. Returns true where there
 * are such threads. */
static bool find_threads(const struct bench_run *run, struct measured_list *list,
                         const struct cprof_profile *p, const struct crates *crates, json_t *result)
{
    const char *crate = run->harness ? run->harness->crate : "test";
    int64_t *counts = xcalloc(p->n_events + 1, sizeof *counts);
    enum measured_threads found =
        crate ? measured_threads(list, counts, p, crates, crate) : THREADS_NONE;

    if (found != THREADS_NONE && !order_is_fixed(p))
        json_object_set_new(result, "threaded", json_true());
    if (found == THREADS_UNKNOWN)
        json_object_set_new(result, "threads", counts_json(p, counts));
    free(counts);
    return found != THREADS_NONE;
}

/* The library that libtest's code is in; NULL: it is in the program, as it is where the compiler's
 * own libraries are not needed. Some distributions remove its symbols. */
static const char *library_harness(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_objects; i++) {
        const char *name = object_name(p->objects[i].path);

        if (!strncmp(name, "libtest-", strlen("libtest-")))
            return name;
    }
    return NULL;
}

/* Finds what is measured in a run. Returns true where that is the run as a whole. */
static bool find_measured(const struct bench_run *run, struct measured_list *list,
                          const struct cprof_profile *p, const struct crates *crates)
{
    struct source_finder finder = {.root = run->built->root, .program = p->program};

    if (run->doc)
        measured_doc_test(list, p, crates);
    else if (!run->harness)
        measured_tests(list, p, crates);
    else
        measured_bench(list, p, crates, run->harness, &finder);
    source_finder_free(&finder);
    if ((!run->harness && !run->doc) || list->n)
        return false;
    measured_whole(list, p, crates);
    return true;
}

/* True where tests run side by side, so that what one of them finds depends on others: in the
 * allocator, in what the first of them makes for all. */
static bool meet(const struct bench_run *run, const struct cprof_profile *p)
{
    for (char *const *a = run->arguments; a && *a; a++)
        if (!strcmp(*a, "--test-threads=1"))
            return false;
    return !run->harness && !run->doc && p->threads > 2;
}

/* Adds the rows of a profile with names, and what is nobody's of it. */
static void find_rows(const struct bench_run *run, const struct cprof_profile *p, json_t *result)
{
    struct measured_list list = {0};
    json_t *rows = json_array();
    struct crates crates;
    const char *unnamed;
    bool whole, threaded, beside = meet(run, p);

    crates_load(&crates, p, &run->built->packages, NULL);
    whole = find_measured(run, &list, p, &crates);
    threaded = whole ? p->threads > 1 : find_threads(run, &list, p, &crates, result) || beside;
    if (beside && !order_is_fixed(p))
        json_object_set_new(result, "beside", json_true());
    for (size_t i = 0; i < list.n; i++) {
        json_t *row = row_json(run, p, &list.items[i], whole);

        if (threaded && p->schedule == CPROF_SCHEDULE_FIXED)
            add_order(row, row);
        json_array_append_new(rows, row);
    }
    json_object_set_new(result, "rows", rows);
    if (!run->harness && !run->doc && !list.n && (unnamed = library_harness(p)))
        json_object_set_new(result, "unnamed", json_text(unnamed));
    if (!run->doc && ending_of(p, &crates, run->harness) == ENDING_EARLY)
        json_object_set_new(result, "early", json_true());
    measured_free(&list);
    crates_free(&crates);
}

bool *bench_row_contexts(const struct bench_run *run, const struct cprof_profile *p,
                         const struct crates *crates, const char *name)
{
    struct measured_list list = {0};
    json_t *threads = json_object();
    bool *found = NULL;

    if (!find_measured(run, &list, p, crates))
        find_threads(run, &list, p, crates, threads);
    for (size_t i = 0; i < list.n && !found; i++)
        if (run->doc || !list.items[i].name || !strcmp(list.items[i].name, name))
            found = contexts_of(&list, p, list.items[i].id);
    json_decref(threads);
    measured_free(&list);
    return found;
}

/* How many of the first event's counts are of stacks of panics, which RUST_BACKTRACE has printed.
 */
static int64_t cost_of_backtraces(const struct cprof_profile *p)
{
    bool *within = xcalloc(p->n_contexts + 1, sizeof *within);
    int64_t cost = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        within[i] = (c->parent != CPROF_NONE && within[c->parent]) ||
                    strstr(p->functions[c->function].name, "panicking::default_hook") != NULL;
        for (uint32_t k = c->first_cost; within[i] && k < c->first_cost + c->n_costs; k++)
            cost += cprof_context_values(p, k)[0];
    }
    free(within);
    return cost;
}

/* The facts of the run's environment that are known, by their words. */
static json_t *environment_json(const struct cprof_profile *p)
{
    json_t *facts = json_object();
    struct environment environment;

    environment_load(&environment, p);
    for (size_t i = 0; i < ENVIRONMENT_FACTS; i++)
        if (environment.values[i])
            json_object_set_new(facts, environment_word(i), json_text(environment.values[i]));
    return facts;
}

json_t *bench_result(const struct bench_run *run, const struct cprof_profile *profile, int status)
{
    json_t *events = json_array(), *result;

    for (uint32_t i = 0; i < profile->n_events; i++)
        json_array_append_new(events, json_text(profile->events[i].name));
    result = json_pack("{s:o, s:i, s:o, s:o, s:o}", "run", json_text(NULL), "status", status,
                       "events", events, "totals", counts_json(profile, profile->totals),
                       "environment", environment_json(profile));
    find_rows(run, profile, result);
    json_object_set_new(result, "backtraces", json_integer(cost_of_backtraces(profile)));
    return result;
}

static json_t *result_of(const struct bench_run *run, const struct run_outcome *outcome)
{
    static const struct resolve_settings settings = {.brief_contexts = true};
    struct cprof_profile *raw = run_load_pieces(&outcome->raw, 0, outcome->raw.n), *named;
    struct cprof_error error;
    json_t *result;

    if (!raw)
        return NULL;
    named = load_resolve(raw, &settings, NULL, &error);
    cprof_free(raw);
    if (!named) {
        message_library_error(&error);
        return NULL;
    }
    result = bench_result(run, named, run_status(outcome));
    cprof_free(named);
    return result;
}

/* Keeps the profile, and names it in the result. */
static void keep(const struct bench_run *run, const struct run_outcome *outcome, json_t *result)
{
    char *path = run->kept ? saved_profile_keep(outcome->raw.path, run->built->target, run->kept,
                                                run->command, &run->built->packages)
                           : NULL;

    if (path) {
        char *name = xasprintf("%s.%s", run->kept, run->command);

        json_object_set_new(result, "run", json_text(name));
        free(name);
    }
    free(path);
}

static bool has_word(char *const *words, const char *beginning)
{
    for (; words && *words; words++)
        if (!strncmp(*words, beginning, strlen(beginning)))
            return true;
    return false;
}

/* The run's words, in memory of their own. A harness whose output is passed on does not see that
 * it ends on a terminal. */
static struct string_list words_of(const struct bench_run *run)
{
    int end = run->measure->output_to_errors ? STDERR_FILENO : STDOUT_FILENO;
    struct string_list words = {0};

    if (run->harness)
        harness_words(run->harness, run->name, &words);
    for (char *const *a = run->arguments; a && *a; a++)
        string_list_add(&words, xstrdup(*a));
    if (!run->harness && isatty(end) && !has_word(run->arguments, "--color"))
        string_list_add(&words, xstrdup("--color=always"));
    return words;
}

/* Variables that cargo and harnesses know, unless they are set already: criterion would else ask
 * cargo for the folder. */
static void add_variables(const struct bench_run *run, struct measure *measure,
                          struct string_list *texts)
{
    string_list_add(texts, xasprintf("CARGO_MANIFEST_DIR=%s", run->executable->program.folder));
    if (run->built->target && !getenv("CRITERION_HOME"))
        string_list_add(texts, xasprintf("CRITERION_HOME=%s/criterion", run->built->target));
    measure->environment = (struct string_list){0};
    for (size_t i = 0; i < texts->n; i++)
        string_list_add(&measure->environment, texts->items[i]);
    for (size_t i = 0; i < run->measure->environment.n; i++)
        string_list_add(&measure->environment, run->measure->environment.items[i]);
}

/* Adds what the harness of tests has printed. That it did not come to its end is no news of a run
 * that the user has ended. */
static void add_printed(const struct bench_run *run, json_t *result,
                        const struct harness_output *output, const struct run_outcome *outcome)
{
    bool ended = outcome->ended_by ||
                 (WIFSIGNALED(outcome->wait_status) && WTERMSIG(outcome->wait_status) == SIGINT);
    /* The profile of a run that begins without collecting does not have the harness. */
    bool starts_off = measure_starts_off(run->measure);

    json_object_set_new(result, "failed", harness_output_failed(output));
    if (output->announced >= 0)
        json_object_set_new(result, "announced", json_integer(output->announced));
    if (output->has_result || starts_off)
        json_object_del(result, "early");
    if (output->announced >= 0 && !output->has_result)
        json_object_set_new(result, "early", json_true());
    if (ended) {
        json_object_del(result, "early");
        json_object_set_new(result, "ended", json_true());
    }
    if (json_object_get(result, "early") && !run_status(outcome))
        json_object_set_new(result, "status", json_integer(STATUS_ERROR));
}

/* Runs it, with what tests print looked through. */
static int run_program(const struct bench_run *run, struct string_list *words,
                       struct measure *measure, const struct tempdir *dir,
                       struct run_outcome *outcome, struct harness_output *output)
{
    const struct program program = run->executable->program;
    struct passing *passing =
        run->harness ? NULL : passing_begin(output, run->measure->output_to_errors);
    int status;

    if (passing)
        measure->output_to_errors = false;
    status = valgrind_run(&program, (char **)words->items, measure, dir, outcome);
    passing_end(passing);
    return status;
}

static json_t *run_in(const struct bench_run *run, const struct tempdir *dir)
{
    struct harness_output output = HARNESS_OUTPUT_INIT;
    struct string_list words = words_of(run), texts = {0};
    struct measure measure = *run->measure;
    struct run_outcome outcome = {0};
    json_t *result = NULL;
    size_t left = 0;
    int status;

    add_variables(run, &measure, &texts);
    status = run_program(run, &words, &measure, dir, &outcome, &output);
    if (!status && outcome.raw.path) {
        result = result_of(run, &outcome);
        left = measure.trace_children ? 0 : run_count_left(&outcome.raw);
        if (result) {
            add_printed(run, result, &output, &outcome);
            if (left)
                json_object_set_new(result, "left", json_integer((json_int_t)left));
            keep(run, &outcome, result);
        }
    } else if (!status) {
        run_failure(&outcome);
    }
    run_outcome_free(&outcome);
    harness_output_free(&output);
    string_list_free_texts(&words);
    string_list_free_texts(&texts);
    string_list_free(&measure.environment);
    return result;
}

/*--- Orders of threads ---*/

static const json_t *find_row(const json_t *rows, const json_t *name)
{
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (json_equal(json_object_get(json_array_get(rows, i), "name"), name))
            return json_array_get(rows, i);
    return NULL;
}

/* The runs in other orders than the first one's. */
struct orders {
    const struct bench_run *run;
    json_t *first;   /* the result of the first order */
    json_t **others; /* those of the others, in their order */
    bool failed;     /* one of them has no profile */
};

static json_t *run_apart(const struct bench_run *run)
{
    struct tempdir dir = {NULL, -1};
    int status = input_rewind_apart(run->input);
    json_t *result = status || tempdir_make(&dir) ? NULL : run_in(run, &dir);

    tempdir_remove(&dir);
    return result;
}

static json_t *run_order(void *data, size_t job)
{
    const struct orders *o = data;
    struct measure measure = *o->run->measure;
    struct bench_run run = *o->run;

    measure.schedule_seed = measure_seed(&measure, (long)job + 1);
    run.measure = &measure;
    run.kept = NULL;
    return run_apart(&run);
}

/* A failure in one order is one of them all. */
static void add_failure(struct orders *o, size_t job, json_t *result, const char *output)
{
    failure_say_order(o->run, result, measure_seed(o->run->measure, (long)job + 1), output);
    o->failed |= !result;
    if (!result)
        return;
    json_object_set(o->first, "status", json_object_get(result, "status"));
    json_array_extend(json_object_get(o->first, "failed"), json_object_get(result, "failed"));
}

static void order_done(void *data, size_t job, json_t *result, const char *output)
{
    struct orders *o = data;
    bool failed = json_integer_value(json_object_get(result, "status")) != 0 &&
                  !json_object_get(result, "ended");

    o->others[job] = result;
    if (!result || (failed && !json_integer_value(json_object_get(o->first, "status"))))
        add_failure(o, job, result, output);
}

static void add_orders(const json_t *rows, json_t *const *others, size_t n)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        for (size_t k = 0; k < n; k++)
            add_order(row,
                      find_row(json_object_get(others[k], "rows"), json_object_get(row, "name")));
    }
}

/* Runs it in the other orders that are wanted, where it has started threads. One runs after
 * another: benches have others beside them already, and tests may share files. */
static json_t *run_orders(const struct bench_run *run, json_t *result)
{
    const json_t *rows = json_object_get(result, "rows");
    bool has =
        json_object_get(json_array_get(rows, 0), "orders") && !json_object_get(result, "ended");
    size_t n = has ? (size_t)run->orders - 1 : 0;
    struct orders o = {run, result, xcalloc(n + 1, sizeof(json_t *)), false};
    struct jobs jobs = {
        .n = n, .parallel = 1, .capture = true, .work = run_order, .done = order_done, .data = &o};

    if (n && !run->harness)
        message_status("Running", "tests of '%s' in %zu other orders of threads",
                       run->executable->program.name, n);
    if (n && jobs_run(&jobs) == STATUS_ERROR)
        o.failed = true;
    add_orders(rows, o.others, n);
    for (size_t i = 0; i < n; i++)
        json_decref(o.others[i]);
    free(o.others);
    if (!o.failed)
        return result;
    json_decref(result);
    return NULL;
}

const char *bench_package(const struct bench_run *run)
{
    const struct packages *p = &run->built->packages;

    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->items[i].folder, run->executable->program.folder))
            return p->items[i].name;
    return "";
}

/* A list of tests needs no profile, and is none: the last one is left as it is. */
static json_t *list(const struct bench_run *run)
{
    const struct program *program = &run->executable->program;
    struct string_list argv = STRING_LIST(program->path);
    struct string_list environment = STRING_LIST(program->libraries);
    struct process_spec spec = {.environment = &environment,
                                .folder = program->folder,
                                .output = run->measure->output_to_errors ? STDERR_FILENO : 0};
    int status = 0, error;
    pid_t pid;

    string_list_append(&argv, (const char *const *)run->arguments);
    spec.argv = argv.items;
    fflush(NULL);
    error = process_start(&spec, &pid);
    if (!error)
        status = process_wait(pid);
    else
        process_refused(program->path, error);
    string_list_free(&argv);
    string_list_free(&environment);
    return error ? NULL
                 : json_pack("{s:i, s:[], s:{}, s:[]}", "status",
                             WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status)
                                                 : WEXITSTATUS(status),
                             "events", "totals", "rows");
}

json_t *bench_run(const struct bench_run *run)
{
    return run->lists ? list(run) : run_orders(run, run_apart(run));
}
