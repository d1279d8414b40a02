/* example FILE - the ten functions of a profile that cost most, by its first event. */
#include <cprof.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    const char *name;
    int64_t count;
};

static int by_count(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return (x->count < y->count) - (x->count > y->count);
}

int main(int argc, char **argv)
{
    struct cprof_error error;
    struct cprof_profile *p;
    struct row *rows;

    if (argc != 2) {
        fprintf(stderr, "usage: example FILE\n");
        return 2;
    }
    p = cprof_load(argv[1], 0, &error);
    if (!p) {
        fprintf(stderr, "%s: %s\n", error.source, error.text);
        if (error.line)
            fprintf(stderr, "line %lu: %s\n", error.line, error.excerpt);
        return 1;
    }
    rows = calloc(p->n_functions + 1, sizeof *rows);
    if (!rows)
        return 1;
    for (uint32_t i = 0; i < p->n_functions; i++)
        rows[i].name = p->functions[i].name;
    for (uint32_t i = 0; i < p->n_costs; i++)
        rows[p->costs[i].function].count += cprof_cost_values(p, i)[0];
    qsort(rows, p->n_functions, sizeof *rows, by_count);
    printf("%14" PRId64 "  total %s\n", p->totals[0], p->events[0].name);
    for (uint32_t i = 0; i < p->n_functions && i < 10; i++)
        printf("%14" PRId64 "  %s\n", rows[i].count, rows[i].name);
    free(rows);
    cprof_free(p);
    return 0;
}
