/*
 * Fuzz target for the readers: fuzz-raw is raw_read() and so on, one program under many names. Any
 * bytes give a profile whose parts fit together, or an error that says something.
 */
#include <config.h>

#include "error.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct cprof_profile *read_function(struct input *in, unsigned flags,
                                            struct cprof_error *error);

static const struct {
    const char *name;
    read_function *read;
} readers[] = {
    {"callgrind", callgrind_read}, {"cachegrind", cachegrind_read}, {"raw", raw_read},
    {"named", named_read},         {"folded", folded_read},         {"perf", perf_read},
    {"pprof", pprof_read},         {"gperf", gperf_read},           {"json", json_read},
    {"massif", massif_read},       {"packed", folded_read},
};
static read_function *read_input;

static void need(int condition)
{
    if (!condition)
        abort();
}

static int is_index(uint32_t index, uint32_t count)
{
    return index == CPROF_NONE || index < count;
}

static void check_costs(const struct cprof_profile *p)
{
    for (uint32_t k = 0; k < p->n_events; k++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < p->n_costs; i++)
            need(!__builtin_add_overflow(sum, cprof_cost_values(p, i)[k], &sum));
        need(sum == p->totals[k]);
    }
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        need(c->function < p->n_functions && is_index(c->file, p->n_files));
        need(!i || c[-1].function <= c->function);
    }
    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];
        need(c->caller < p->n_functions && c->callee < p->n_functions);
        need(is_index(c->file, p->n_files) && c->count <= INT64_MAX);
    }
}

static void check_contexts(const struct cprof_profile *p)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        need(c->function < p->n_functions && (c->parent == CPROF_NONE || c->parent < i));
        need(!c->n_costs || c->first_cost == n);
        n += c->n_costs;
    }
    need(n == p->n_context_costs);
    for (uint32_t k = 0; k < p->n_events && p->n_contexts; k++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < p->n_context_costs; i++)
            sum += cprof_context_values(p, i)[k];
        need(sum == p->totals[k]);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = strrchr(**argv, '-');

    (void)argc;
    for (size_t i = 0; name && i < sizeof readers / sizeof *readers; i++)
        if (strcmp(name + 1, readers[i].name) == 0)
            read_input = readers[i].read;
    need(read_input != NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cprof_error error;
    struct cprof_profile *p;
    struct input *in;

    error_init(&error, "fuzz");
    in = input_memory(data, size, &error);
    p = in ? read_input(in, 0, &error) : NULL;
    input_close(in);
    need(p ? error.code == CPROF_OK : error.code != CPROF_OK && *error.text);
    if (p) {
        check_costs(p);
        check_contexts(p);
    }
    cprof_free(p);
    /* The function that finds the kind of a file. */
    cprof_free(cprof_read(data, size, "fuzz", CPROF_STRICT, NULL));
    return 0;
}
