/* The builder: identity, adding up, order, failures. */
#include <config.h>

#include "../tap.h"
#include "builder.h"
#include "error.h"

#include <stdlib.h>

static struct cprof_error error;

static void test_identity(void)
{
    struct builder *b = builder_new(&error);
    uint32_t o = builder_object(b, "lib", NULL), file = builder_file(b, "a.c"), f;

    ok(builder_text(b, "abc", 3) == builder_text(b, "abcd", 3), "equal texts are one pointer");
    is_number(builder_object(b, "lib", NULL), o, "equal objects are one");
    ok(builder_object(b, "lib", "ab12") != o, "a build id makes another");
    is_number(builder_file(b, "a.c"), file, "equal files are one");
    f = builder_function(b, "f", NULL, o, file, 3);
    is_number(builder_function(b, "f", NULL, o, file, 9), f, "equal functions are one");
    ok(builder_function(b, "f", NULL, o, CPROF_NONE, 0) != f, "another file, another function");
    ok(builder_function(b, "f", "_Zf", o, file, 0) != f, "another linkage name, another function");
    ok(builder_function_at(b, "f", NULL, o, file, 0, 0x10) != f,
       "another address, another function");
    is_number(builder_function_at(b, "f", NULL, o, file, 0, 0), f, "the address 0 is none");
    is_number(builder_event(b, "Ir"), 0, "first event");
    is_number(builder_event(b, "Dr"), 1, "second event");
    is_number(builder_event(b, "Ir"), 0, "the first again");
    is_number(builder_find_event(b, "ir"), CPROF_NONE, "event names are exact here");
    builder_free(b);
    builder_free(NULL);
}

static void test_records(void)
{
    struct builder *b = builder_new(&error);
    uint32_t file = builder_file(b, "a.c"), f = builder_function(b, "f", NULL, CPROF_NONE, file, 3);
    uint32_t g = builder_function(b, "g", NULL, CPROF_NONE, file, 0);
    int64_t one[2] = {1, 10};
    struct cprof_profile *p;

    builder_event(b, "Ir");
    builder_cost(b, &(struct cprof_cost){g, file, 5, 0}, one);
    builder_cost(b, &(struct cprof_cost){f, CPROF_NONE, 0, 0}, one);
    builder_cost(b, &(struct cprof_cost){f, file, 7, 0}, one);
    builder_cost(b, &(struct cprof_cost){f, file, 7, 0x10}, one);
    builder_event(b, "Dr");
    builder_cost(b, &(struct cprof_cost){f, file, 7, 0}, one);
    builder_call(b, &(struct cprof_call){f, g, file, 7, 0, 0, 2}, one);
    builder_call(b, &(struct cprof_call){g, f, file, 7, 0, 0, 1}, one);
    builder_call(b, &(struct cprof_call){f, g, file, 7, 0, 0, 3}, one);
    builder_warn(b, 4, "odd %d", 1);
    builder_warn(b, 9, "odd %d", 1);
    p = builder_finish(b);
    if (!ok(p != NULL, "finished"))
        return;
    is_number(p->n_costs, 4, "equal costs are one record");
    ok(p->costs[0].line == 7 && p->costs[1].address == 0x10 && p->costs[2].file == CPROF_NONE &&
           p->costs[3].function == g,
       "costs are in the order of function, file, line, address");
    ok(cprof_cost_values(p, 0)[0] == 2 && cprof_cost_values(p, 0)[1] == 10, "values are added");
    is_number(cprof_cost_values(p, 3)[1], 0, "an event that came later is 0 before");
    ok(p->n_calls == 2 && p->calls[0].count == 5 && cprof_call_values(p, 0)[0] == 2,
       "calls and their counts are added");
    ok(p->totals[0] == 5 && p->totals[1] == 10, "totals");
    ok(p->n_warnings == 1 && p->warnings[0].count == 2 && p->warnings[0].line == 4,
       "equal warnings are counted");
    ok(p->has_lines && p->has_addresses && !p->summary, "what the profile knows");
    is_number(cprof_find_event(p, "dR"), 1, "events are found in any case");
    is_number(cprof_find_event(p, "D"), CPROF_NONE, "events are not found by half a name");
    cprof_free(p);
}

/* True where the costs of all contexts, added up, are those of the profile. */
static int contexts_are_costs(const struct cprof_profile *p)
{
    struct builder *b = builder_new(&error);
    struct cprof_profile *sum;
    int same;

    for (uint32_t i = 0; i < p->n_events; i++)
        builder_event(b, p->events[i].name);
    for (uint32_t i = 0; i < p->n_files; i++)
        builder_file(b, p->files[i]);
    for (uint32_t i = 0; i < p->n_functions; i++)
        builder_function(b, p->functions[i].name, NULL, CPROF_NONE, CPROF_NONE, 0);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            builder_cost(b, &p->context_costs[k], cprof_context_values(p, k));
    }
    sum = builder_finish(b);
    same = sum && sum->n_costs == p->n_costs;
    for (uint32_t i = 0; same && i < p->n_costs; i++)
        same = sum->costs[i].function == p->costs[i].function &&
               sum->costs[i].file == p->costs[i].file && sum->costs[i].line == p->costs[i].line &&
               sum->costs[i].address == p->costs[i].address &&
               !memcmp(cprof_cost_values(sum, i), cprof_cost_values(p, i),
                       p->n_events * sizeof(int64_t));
    cprof_free(sum);
    return same;
}

static void test_contexts(void)
{
    struct builder *b = builder_new(&error);
    uint32_t f = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
    uint32_t g = builder_function(b, "g", NULL, CPROF_NONE, CPROF_NONE, 0);
    uint32_t root, leaf, empty;
    int64_t one[2] = {1, 10};
    struct cprof_profile *p;

    builder_event(b, "Ir");
    root = builder_context(b, &(struct cprof_context){CPROF_NONE, f, CPROF_NONE, 0, 0, 1, 7, 7, 0});
    leaf = builder_context(b, &(struct cprof_context){root, g, CPROF_NONE, 3, 0x20, 2, 0, 0, 0});
    empty = builder_context(b, &(struct cprof_context){root, g, CPROF_NONE, 3, 0x20, 2, 0, 0, 0});
    ok(root == 0 && leaf == 1 && empty == 2, "contexts count from 0, and equal ones are two");
    builder_context_cost(b, leaf, &(struct cprof_cost){g, CPROF_NONE, 5, 0}, one);
    builder_context_cost(b, root, &(struct cprof_cost){g, CPROF_NONE, 5, 0}, one);
    builder_context_cost(b, root, &(struct cprof_cost){f, CPROF_NONE, 5, 0}, one);
    builder_event(b, "Dr");
    builder_context_cost(b, leaf, &(struct cprof_cost){g, CPROF_NONE, 5, 0}, one);
    builder_inclusive(b, g, one);
    builder_function(b, "late", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_inclusive(b, g, one);
    p = builder_finish(b);
    if (!ok(p != NULL, "a profile with contexts is finished"))
        return;
    ok(p->n_contexts == 3 && p->n_context_costs == 3, "contexts and their costs");
    ok(p->contexts[root].first_cost == 0 && p->contexts[root].n_costs == 2 &&
           p->contexts[leaf].first_cost == 2 && p->contexts[leaf].n_costs == 1 &&
           !p->contexts[empty].n_costs && !p->contexts[empty].first_cost,
       "contexts have their costs");
    ok(p->context_costs[0].function == f && p->context_costs[1].function == g &&
           p->context_costs[2].line == 5 && p->context_costs[2].file == CPROF_NONE,
       "costs of contexts are in order");
    ok(cprof_context_values(p, 2)[0] == 2 && cprof_context_values(p, 2)[1] == 10,
       "costs of contexts are added up");
    ok(p->n_costs == 2 && p->totals[0] == 4 && p->totals[1] == 10, "costs of the profile too");
    ok(contexts_are_costs(p), "costs of the profile are the sum over contexts");
    ok(p->inclusive && cprof_inclusive_values(p, g)[0] == 2 &&
           cprof_inclusive_values(p, g)[1] == 20 && !cprof_inclusive_values(p, f)[0],
       "inclusive counts");
    cprof_free(p);
}

/* Enough contexts and costs for the table to be put in order on the way. */
static void test_many_contexts(void)
{
    enum { CONTEXTS = 101, ADDRESSES = 3001, ROUNDS = 3 };
    struct builder *b = builder_new(&error);
    uint32_t f = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
    int64_t one[1] = {1};
    struct cprof_profile *p;
    uint32_t good = 0;

    builder_event(b, "Ir");
    for (uint32_t i = 0; i < CONTEXTS; i++)
        builder_context(
            b, &(struct cprof_context){i ? i - 1 : CPROF_NONE, f, CPROF_NONE, 0, 0, 1, 0, 0, 0});
    for (uint32_t i = 0; i < CONTEXTS * ADDRESSES * ROUNDS; i++)
        builder_context_cost(b, i % CONTEXTS,
                             &(struct cprof_cost){f, CPROF_NONE, 0, 1 + i % ADDRESSES}, one);
    p = builder_finish(b);
    if (!ok(p && p->n_context_costs == CONTEXTS * ADDRESSES,
            "one record for each distinct cost of a context"))
        return;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        good += p->contexts[i].n_costs == ADDRESSES && p->contexts[i].first_cost == i * ADDRESSES &&
                cprof_context_values(p, i * ADDRESSES)[0] == ROUNDS;
    is_number(good, CONTEXTS, "each context has all of its own");
    ok(p->n_costs == ADDRESSES && contexts_are_costs(p), "their sum is the profile");
    cprof_free(p);
}

/* Enough records, in a bad order and each three times, for the table to be put in order on the way.
 */
static void test_many(void)
{
    enum { COUNT = 300007, FUNCTIONS = 7 };
    struct builder *b = builder_new(&error);
    int64_t values[1] = {1};
    struct cprof_profile *p;
    int ordered = 1;
    char name[2] = "a";

    builder_event(b, "Ir");
    for (int i = 0; i < FUNCTIONS; i++, name[0]++)
        builder_function(b, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        uint32_t key = (uint32_t)((uint64_t)i * 7919 % COUNT);
        builder_cost(b, &(struct cprof_cost){key % FUNCTIONS, CPROF_NONE, key, 0}, values);
    }
    p = builder_finish(b);
    if (!ok(p && p->n_costs == COUNT, "one record for each distinct cost"))
        return;
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct cprof_cost *c = &p->costs[i];
        ordered &= cprof_cost_values(p, i)[0] == 3 &&
                   (!i || c[-1].function < c->function ||
                    (c[-1].function == c->function && c[-1].line < c->line));
    }
    ok(ordered, "costs are in order, each of 3");
    is_number(p->totals[0], 3 * COUNT, "the total has each cost");
    cprof_free(p);
}

static void test_overflow(void)
{
    int64_t most[1] = {INT64_MAX}, one[1] = {1};
    struct builder *b = builder_new(&error);
    uint32_t f = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);

    builder_event(b, "Ir");
    is_number(builder_cost(b, &(struct cprof_cost){f, CPROF_NONE, 1, 0}, most), 0,
              "2^63-1 is a count");
    builder_cost(b, &(struct cprof_cost){f, CPROF_NONE, 2, 0}, one);
    ok(!builder_finish(b) && error.code == CPROF_ERROR_RANGE, "the total may not exceed 2^63-1");
    error_init(&error, "test");
    b = builder_new(&error);
    f = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_event(b, "Ir");
    builder_call(b, &(struct cprof_call){f, f, CPROF_NONE, 1, 0, 0, INT64_MAX}, one);
    builder_call(b, &(struct cprof_call){f, f, CPROF_NONE, 1, 0, 0, 1}, one);
    is_number(builder_file(b, "x"), CPROF_NONE, "nothing works after a failure");
    ok(!builder_finish(b) && error.code == CPROF_ERROR_RANGE,
       "a number of calls may not exceed 2^63-1");
    error_init(&error, "test");
}

/* Offsets in an array of elements of 24 bytes, whichever comes first. */
static void test_touches(void)
{
    static const uint64_t offsets[][2] = {{8, 56}, {56, 8}};

    for (size_t i = 0; i < 2; i++) {
        struct builder *b = builder_new(&error);
        struct cprof_profile *p;
        struct cprof_touch touch = {.context = CPROF_NONE, .size = 8, .misses = {1}};

        builder_event(b, "Ir");
        touch.place.function = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
        touch.place.file = CPROF_NONE;
        touch.datum =
            builder_datum(b, &(struct cprof_datum){CPROF_DATA_UNKNOWN, .context = CPROF_NONE,
                                                   .function = CPROF_NONE, .type = CPROF_NONE});
        for (size_t k = 0; k < 2; k++) {
            touch.least = offsets[i][k];
            touch.stride = 72;
            builder_touch(b, &touch);
        }
        p = builder_finish(b);
        ok(p && p->n_touches == 1 && p->touches->least == 8 && p->touches->stride == 24 &&
               p->touches->misses[0] == 2,
           "misses at one place are one, and their distances have one divisor");
        cprof_free(p);
    }
}

/* As many ways as there are: the first child, another one, a root, and one that came before without
 * a search. */
static void test_same_contexts(void)
{
    struct builder *b = builder_new(&error);
    struct cprof_context all[6] = {{.parent = CPROF_NONE}, {.parent = 0},
                                   {.parent = 0},          {.parent = 0, .site = 0x10},
                                   {.parent = CPROF_NONE}, {.parent = 1}};
    uint32_t f = builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
    uint32_t g = builder_function(b, "g", NULL, CPROF_NONE, CPROF_NONE, 0), copy;
    struct cprof_profile *p;

    builder_event(b, "Ir");
    for (size_t i = 0; i < 6; i++) {
        all[i].function = i == 2 || i == 4 ? g : f;
        all[i].site_file = CPROF_NONE;
        all[i].calls = 1;
        (i < 2 ? builder_context : builder_same_context)(b, &all[i]);
    }
    for (uint32_t i = 0; i < 6; i++)
        is_number(builder_same_context(b, &all[i]), i, "an equal context is found");
    copy = builder_context(b, &all[1]);
    is_number(builder_same_context(b, &all[1]), 1, "the first of equal ones is found");
    p = builder_finish(b);
    ok(p && p->n_contexts == 7 && p->contexts[1].calls == 3 && p->contexts[copy].calls == 1 &&
           p->contexts[5].calls == 2,
       "calls are added up");
    cprof_free(p);
}

static void test_next_calls(void)
{
    static const struct cprof_call calls[] = {{.caller = 0, .callee = 1, .line = 9, .count = 1},
                                              {.caller = 0, .callee = 1, .line = 3, .count = 2},
                                              {.caller = 0, .callee = 1, .line = 9, .count = 3},
                                              {.caller = 0, .callee = 0, .line = 9, .count = 1},
                                              {.caller = 1, .callee = 1, .line = 4, .count = 5},
                                              {.caller = 1, .callee = 1, .line = 4, .count = 6}};
    struct builder *b = builder_new(&error);
    struct cprof_profile *p;
    int64_t values[] = {7};

    builder_function(b, "f", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_function(b, "g", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_event(b, "Ir");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct cprof_call call = calls[i];

        call.file = CPROF_NONE;
        builder_next_call(b, &call, values);
    }
    p = builder_finish(b);
    if (!ok(p && p->n_calls == 4, "equal calls of each caller are one"))
        return;
    ok(p->calls[0].callee == 0 && p->calls[1].line == 3 && p->calls[2].line == 9 &&
           p->calls[3].caller == 1,
       "equal calls are in order");
    ok(p->calls[2].count == 4 && cprof_call_values(p, 2)[0] == 14 && p->calls[3].count == 11 &&
           cprof_call_values(p, 3)[0] == 14,
       "added up");
    cprof_free(p);
}

int main(void)
{
    error_init(&error, "test");
    test_touches();
    test_identity();
    test_records();
    test_contexts();
    test_same_contexts();
    test_next_calls();
    test_many_contexts();
    test_many();
    test_overflow();
    return tap_done();
}
