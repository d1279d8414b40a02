/*
 * paths [-e EVENT] PROFILE QUERY [ARGUMENT]...: what a profile says of calls and call paths, by
 * name. A name is a pattern as in file names; a path is such names with slashes between.
 *
 *     total                what the whole program cost
 *     contexts             how many contexts there are
 *     path PATH            calls, own cost, and cost of the subtree, of contexts whose path ends so
 *     function NAME        calls, own cost, and inclusive cost of functions
 *     edge CALLER CALLEE   calls and inclusive cost of call edges
 *     callers NAME         who called it, and how often, a line for each
 *     calls [OBJECT]       each called function and how often it was called; only of an object
 * whose path ends so tree                 all contexts: calls, own cost, subtree's cost, path sound
 * nothing if costs of contexts, functions and edges agree with each other all                  each
 * count of the profile, to be sorted and compared with another profile's
 *
 * Raw profiles have names with --cprof-names=yes, one for each instruction: a function is called
 * after its first.
 */
#include <config.h>

#include "cprof.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cprof_profile *profile;
static uint32_t event;
static const char **names;        /* of functions */
static int64_t *own, *whole;      /* of contexts */
static int64_t *function_own;     /* over the function's contexts */
static int64_t *function_subtree; /* over those of its contexts that are not below another */
static int64_t *function_calls;

static void *array(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/*--- Names ---*/

struct place {
    uint32_t object;
    uint64_t address;
    const char *name;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Functions of a raw profile are "???" at an address; the cost there has the name, or where that
 * was not counted, the first cost that was. */
static void find_names(void)
{
    struct place *places = array(profile->n_costs, sizeof *places);
    for (uint32_t i = 0; i < profile->n_costs; i++) {
        const struct cprof_function *f = &profile->functions[profile->costs[i].function];
        places[i] = (struct place){f->object, profile->costs[i].address, f->name};
    }
    qsort(places, profile->n_costs, sizeof *places, by_place);
    names = array(profile->n_functions, sizeof *names);
    for (uint32_t i = 0; i < profile->n_functions; i++) {
        const struct cprof_function *f = &profile->functions[i];
        struct place key = {f->object, f->address, NULL};
        const struct place *found = NULL;
        if (f->address)
            found = bsearch(&key, places, profile->n_costs, sizeof *places, by_place);
        names[i] = found ? found->name : NULL;
    }
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *c = &profile->contexts[i];
        if (!names[c->function] && c->n_costs)
            names[c->function] =
                profile->functions[profile->context_costs[c->first_cost].function].name;
    }
    for (uint32_t i = 0; i < profile->n_functions; i++)
        if (!names[i])
            names[i] = profile->functions[i].name;
    free(places);
}

static int matches(const char *pattern, uint32_t function)
{
    return fnmatch(pattern, names[function], 0) == 0;
}

/* Does the context's path end in `path`? */
static int ends_in(uint32_t context, const char *path)
{
    char *copy = strdup(path), *slash;
    int is = 1;
    do {
        slash = strrchr(copy, '/');
        is = context != CPROF_NONE &&
             matches(slash ? slash + 1 : copy, profile->contexts[context].function);
        if (is)
            context = profile->contexts[context].parent;
        if (slash)
            *slash = '\0';
    } while (is && slash);
    free(copy);
    return is;
}

/*--- Sums ---*/

static int is_below_itself(uint32_t context)
{
    uint32_t function = profile->contexts[context].function;
    do
        context = profile->contexts[context].parent;
    while (context != CPROF_NONE && profile->contexts[context].function != function);
    return context != CPROF_NONE;
}

/* Queries of a profile without contexts. */
static void sum_up_flat(void)
{
    for (uint32_t i = 0; i < profile->n_costs; i++)
        function_own[profile->costs[i].function] += cprof_cost_values(profile, i)[event];
    for (uint32_t i = 0; i < profile->n_calls; i++)
        function_calls[profile->calls[i].callee] += (int64_t)profile->calls[i].count;
}

static void sum_up(void)
{
    own = array(profile->n_contexts, sizeof *own);
    whole = array(profile->n_contexts, sizeof *whole);
    function_own = array(profile->n_functions, sizeof *function_own);
    function_subtree = array(profile->n_functions, sizeof *function_subtree);
    function_calls = array(profile->n_functions, sizeof *function_calls);
    for (uint32_t i = profile->n_contexts; i-- > 0;) {
        const struct cprof_context *c = &profile->contexts[i];
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            own[i] += cprof_context_values(profile, k)[event];
        whole[i] += own[i];
        if (c->parent != CPROF_NONE)
            whole[c->parent] += whole[i];
        function_own[c->function] += own[i];
        function_calls[c->function] += (int64_t)c->calls;
        if (!is_below_itself(i))
            function_subtree[c->function] += whole[i];
    }
    if (!profile->n_contexts)
        sum_up_flat();
}

static int64_t inclusive(uint32_t function)
{
    const int64_t *values = cprof_inclusive_values(profile, function);
    return values ? values[event] : 0;
}

/*--- Queries ---*/

static void query_path(const char *path)
{
    int64_t calls = 0, self = 0, subtree = 0;
    for (uint32_t i = 0; i < profile->n_contexts; i++)
        if (ends_in(i, path)) {
            calls += (int64_t)profile->contexts[i].calls;
            self += own[i];
            subtree += whole[i];
        }
    printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", calls, self, subtree);
}

static void query_function(const char *pattern)
{
    int64_t calls = 0, self = 0, all = 0;
    for (uint32_t i = 0; i < profile->n_functions; i++)
        if (matches(pattern, i)) {
            calls += function_calls[i];
            self += function_own[i];
            all += inclusive(i);
        }
    printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", calls, self, all);
}

static void query_edge(const char *caller, const char *callee)
{
    int64_t calls = 0, cost = 0;
    for (uint32_t i = 0; i < profile->n_calls; i++)
        if (matches(caller, profile->calls[i].caller) &&
            matches(callee, profile->calls[i].callee)) {
            calls += (int64_t)profile->calls[i].count;
            cost += cprof_call_values(profile, i)[event];
        }
    printf("%" PRId64 " %" PRId64 "\n", calls, cost);
}

struct row {
    const char *name;
    uint64_t count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* Rows of one name as one, in the order of names. */
static void print_rows(struct row *rows, size_t count)
{
    qsort(rows, count, sizeof *rows, by_name);
    for (size_t i = 0, k; i < count; i = k) {
        uint64_t sum = 0;
        for (k = i; k < count && !strcmp(rows[k].name, rows[i].name); k++)
            sum += rows[k].count;
        printf("%s %" PRIu64 "\n", rows[i].name, sum);
    }
    free(rows);
}

/* The calls of each function that are no edge's: roots, from which no edge leads, entered it. */
static int64_t *count_entries(void)
{
    int64_t *entries = array(profile->n_functions, sizeof *entries);
    for (uint32_t i = 0; i < profile->n_contexts; i++)
        entries[profile->contexts[i].function] += (int64_t)profile->contexts[i].calls;
    for (uint32_t i = 0; i < profile->n_calls; i++)
        entries[profile->calls[i].callee] -= (int64_t)profile->calls[i].count;
    return entries;
}

/* Edges lead from functions only: who hangs under a root is seen in the tree. */
static void query_callers(const char *pattern)
{
    int64_t *entries = count_entries();
    struct row *rows = array((size_t)profile->n_calls + profile->n_contexts, sizeof *rows);
    size_t count = 0;
    for (uint32_t i = 0; i < profile->n_calls; i++)
        if (matches(pattern, profile->calls[i].callee))
            rows[count++] = (struct row){names[profile->calls[i].caller], profile->calls[i].count};
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *c = &profile->contexts[i];
        uint32_t parent =
            c->parent == CPROF_NONE ? CPROF_NONE : profile->contexts[c->parent].function;
        if (parent != CPROF_NONE && matches(pattern, c->function) &&
            profile->functions[parent].object == CPROF_NONE) {
            int64_t calls = entries[c->function];
            if (calls > (int64_t)c->calls)
                calls = (int64_t)c->calls;
            entries[c->function] -= calls;
            rows[count++] = (struct row){names[parent], (uint64_t)calls};
        }
    }
    free(entries);
    print_rows(rows, count);
}

static int is_of(uint32_t function, const char *object)
{
    uint32_t index = profile->functions[function].object;
    const char *path = index == CPROF_NONE ? "" : profile->objects[index].path;
    size_t size = strlen(path), tail = strlen(object);
    return size >= tail && !strcmp(path + size - tail, object);
}

static void query_calls(const char *object)
{
    struct row *rows = array(profile->n_calls, sizeof *rows);
    size_t count = 0;
    for (uint32_t i = 0; i < profile->n_calls; i++)
        if (is_of(profile->calls[i].callee, object))
            rows[count++] = (struct row){names[profile->calls[i].callee], profile->calls[i].count};
    print_rows(rows, count);
}

static void print_path(uint32_t context)
{
    const struct cprof_context *c = &profile->contexts[context];
    if (c->parent != CPROF_NONE) {
        print_path(c->parent);
        putchar('/');
    }
    fputs(names[c->function], stdout);
}

static void query_tree(void)
{
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        printf("%" PRIu64 " %" PRId64 " %" PRId64 " ", profile->contexts[i].calls, own[i],
               whole[i]);
        print_path(i);
        putchar('\n');
    }
}

/*--- Soundness ---*/

static unsigned faults;

static void expect(int holds, const char *what, const char *name, int64_t a, int64_t b)
{
    if (holds)
        return;
    faults++;
    printf("%s: %s: %" PRId64 ", %" PRId64 "\n", name, what, a, b);
}

static int is_code(uint32_t function)
{
    return profile->functions[function].object != CPROF_NONE;
}

/*
 * Functions that can call each other, directly or not, are in a circle: there, and only there, what
 * folding loses makes a function's subtrees cost less than the function. Found by Tarjan's
 * algorithm over who stands below whom.
 */
struct link {
    uint32_t to, next; /* index + 1; 0: the last */
};
static struct link *links;
static uint32_t n_links, *first_link, *found, *lowest, *waiting, n_waiting, n_found;
static char *is_waiting, *in_circle;

static void add_link(uint32_t from, uint32_t to)
{
    links[n_links] = (struct link){to, first_link[from]};
    first_link[from] = ++n_links;
}

static void visit(uint32_t f)
{
    uint32_t members = 0;
    found[f] = lowest[f] = ++n_found;
    waiting[n_waiting++] = f;
    is_waiting[f] = 1;
    for (uint32_t i = first_link[f]; i; i = links[i - 1].next) {
        uint32_t to = links[i - 1].to;
        if (!found[to])
            visit(to);
        if (is_waiting[to] && lowest[to] < lowest[f])
            lowest[f] = lowest[to];
    }
    if (lowest[f] < found[f])
        return;
    for (uint32_t i = n_waiting; waiting[--i] != f;)
        members++;
    for (uint32_t last = CPROF_NONE; last != f;) {
        last = waiting[--n_waiting];
        is_waiting[last] = 0;
        in_circle[last] = members > 0;
    }
}

static void find_circles(void)
{
    uint32_t n = profile->n_functions;
    links = array((size_t)profile->n_calls + profile->n_contexts, sizeof *links);
    first_link = array(n, sizeof *first_link);
    found = array(n, sizeof *found);
    lowest = array(n, sizeof *lowest);
    waiting = array(n, sizeof *waiting);
    is_waiting = array(n, 1);
    in_circle = array(n, 1);
    for (uint32_t i = 0; i < profile->n_calls; i++)
        if (profile->calls[i].count) /* a jump into a function's middle is not how it gets there */
            add_link(profile->calls[i].caller, profile->calls[i].callee);
    for (uint32_t i = 0; i < profile->n_contexts; i++)
        if (profile->contexts[i].parent != CPROF_NONE)
            add_link(profile->contexts[profile->contexts[i].parent].function,
                     profile->contexts[i].function);
    for (uint32_t i = 0; i < n; i++)
        if (!found[i])
            visit(i);
    free(links);
    free(first_link);
    free(found);
    free(lowest);
    free(waiting);
    free(is_waiting);
}

/* Roots and stubs have no edges: what hangs under one may have more calls than its edges tell. */
static int has_edges(uint32_t context)
{
    const struct cprof_context *c = &profile->contexts[context];
    return is_code(c->function) && c->calls > 0;
}

static void check_function(uint32_t i, int is_bounded)
{
    int64_t all = inclusive(i), below = function_subtree[i];
    expect(all <= profile->totals[event], "inclusive cost, the program's", names[i], all,
           profile->totals[event]);
    if (all || function_calls[i])
        expect(in_circle[i] || is_bounded ? below <= all : below == all,
               "cost of its contexts, inclusive cost", names[i], below, all);
}

static void query_sound(void)
{
    int is_bounded = 0; /* [more] was needed: then the tree does not tell who called */
    int64_t total = profile->totals[event], sum = 0;
    int64_t *calls = array(profile->n_functions, sizeof *calls);
    char *is_open = array(profile->n_functions, 1);
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        sum += own[i];
        is_bounded |= !strcmp(names[profile->contexts[i].function], "[more]");
        if (profile->contexts[i].parent == CPROF_NONE || !has_edges(profile->contexts[i].parent))
            is_open[profile->contexts[i].function] = 1;
    }
    find_circles();
    expect(profile->n_contexts && (total > 0 || profile->sections_began == 0), "contexts, total",
           "program", profile->n_contexts, total);
    expect(sum == total, "sum over contexts, total", "program", sum, total);
    for (uint32_t i = 0; i < profile->n_calls; i++) {
        const struct cprof_call *c = &profile->calls[i];
        int64_t cost = cprof_call_values(profile, i)[event];
        calls[c->callee] += (int64_t)c->count;
        expect(cost <= inclusive(c->callee), "inclusive cost of an edge, of its callee",
               names[c->callee], cost, inclusive(c->callee));
    }
    for (uint32_t i = 0; i < profile->n_functions; i++) {
        if (!is_code(i) || !profile->functions[i].address)
            continue;
        check_function(i, is_bounded);
        expect(is_open[i] ? function_calls[i] >= calls[i] : function_calls[i] == calls[i],
               "calls of its contexts, of its edges", names[i], function_calls[i], calls[i]);
    }
    free(calls);
    free(is_open);
    free(in_circle);
}

/*--- All of a profile ---*/

/* A function by its object and address, or by its name: the same in any profile of the program. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x9e3779b97f4a7c15ULL ^ hash >> 29;
}

static uint64_t function_key(uint32_t function)
{
    const struct cprof_function *f = &profile->functions[function];
    uint64_t hash = hash_word(f->object, f->address);
    for (const char *c = f->address ? "" : f->name; *c; c++)
        hash = hash_word(hash, (unsigned char)*c);
    return hash;
}

/* The counts of each event. */
static void print_values(const int64_t *values)
{
    for (uint32_t e = 0; e < profile->n_events; e++)
        printf(" %" PRId64, values[e]);
    putchar('\n');
}

/* Lines whose order means nothing, of every count that the profile has, for two profiles to be
 * compared: they number functions and contexts as they met them. */
static void query_all(void)
{
    uint64_t *paths = array(profile->n_contexts, sizeof *paths);
    for (uint32_t i = 0; i < profile->n_costs; i++) {
        printf("cost %" PRIx64 " %" PRIx64, function_key(profile->costs[i].function),
               profile->costs[i].address);
        print_values(cprof_cost_values(profile, i));
    }
    for (uint32_t i = 0; i < profile->n_contexts; i++) {
        const struct cprof_context *c = &profile->contexts[i];
        uint64_t above = c->parent == CPROF_NONE ? 0 : paths[c->parent];
        paths[i] = hash_word(hash_word(above, c->site), function_key(c->function));
        printf("context %" PRIx64 " called %" PRIu64 "\n", paths[i], c->calls);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
            printf("%" PRIx64 " at %" PRIx64, paths[i], profile->context_costs[k].address);
            print_values(cprof_context_values(profile, k));
        }
    }
    for (uint32_t i = 0; i < profile->n_calls; i++) {
        const struct cprof_call *c = &profile->calls[i];
        printf("call %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu64, function_key(c->caller),
               c->address, function_key(c->callee), c->count);
        print_values(cprof_call_values(profile, i));
    }
    for (uint32_t i = 0; i < profile->n_functions; i++)
        if (profile->functions[i].address && inclusive(i)) {
            printf("inclusive %" PRIx64, function_key(i));
            print_values(cprof_inclusive_values(profile, i));
        }
    free(paths);
}

/*--- The rest ---*/

static int answer(int argc, char **argv)
{
    const char *query = argv[0];
    if (!strcmp(query, "total") && argc == 1)
        printf("%" PRId64 "\n", profile->totals[event]);
    else if (!strcmp(query, "contexts") && argc == 1)
        printf("%" PRIu32 "\n", profile->n_contexts);
    else if (!strcmp(query, "path") && argc == 2)
        query_path(argv[1]);
    else if (!strcmp(query, "function") && argc == 2)
        query_function(argv[1]);
    else if (!strcmp(query, "edge") && argc == 3)
        query_edge(argv[1], argv[2]);
    else if (!strcmp(query, "callers") && argc == 2)
        query_callers(argv[1]);
    else if (!strcmp(query, "calls") && argc <= 2)
        query_calls(argc == 2 ? argv[1] : "");
    else if (!strcmp(query, "tree") && argc == 1)
        query_tree();
    else if (!strcmp(query, "sound") && argc == 1)
        query_sound();
    else if (!strcmp(query, "all") && argc == 1)
        query_all();
    else
        return 2;
    return faults != 0;
}

int main(int argc, char **argv)
{
    struct cprof_error error = {0};
    const char *name = "Ir";
    int option, status = 2;
    while ((option = getopt(argc, argv, "e:")) == 'e')
        name = optarg;
    if (option != -1 || argc - optind < 2) {
        fprintf(stderr, "usage: paths [-e EVENT] PROFILE QUERY [ARGUMENT]...\n");
        return 2;
    }
    struct cprof_profile *loaded = cprof_load(argv[optind], 0, &error);
    profile = loaded;
    event = loaded ? cprof_find_event(loaded, name) : CPROF_NONE;
    if (event != CPROF_NONE) {
        find_names();
        sum_up();
        status = answer(argc - optind - 1, argv + optind + 1);
        if (status == 2)
            fprintf(stderr, "no such query: '%s'\n", argv[optind + 1]);
    } else {
        fprintf(stderr, "%s: %s\n", argv[optind], loaded ? "no such event" : error.text);
    }
    free(names);
    free(own);
    free(whole);
    free(function_own);
    free(function_subtree);
    free(function_calls);
    cprof_free(loaded);
    return status;
}
