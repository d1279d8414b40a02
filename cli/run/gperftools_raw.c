#include <config.h>

/* The samples become text as perf has it, one after the other, and go the way of perf's. */
#include "base/memory.h"
#include "run/gperftools_raw.h"
#include "run/sample_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Beyond this many, which are days of sampling, a file is more likely damaged. */
enum { MOST_SAMPLES = 4 << 20 };

/* The columns of the reader. */
enum { COLUMN_SAMPLES, COLUMN_CPU, COLUMNS };

static bool can_be_raw(const struct cprof_profile *p)
{
    return p->format == CPROF_FORMAT_GPERFTOOLS && p->n_events == COLUMNS &&
           strcmp(p->events[COLUMN_CPU].name, "cpu") == 0 && !p->n_warnings && p->program &&
           p->totals[COLUMN_SAMPLES] > 0 && p->totals[COLUMN_SAMPLES] <= MOST_SAMPLES;
}

/* The stack of the context, the innermost frame first. Functions of such a profile are called as
 * their addresses; what is not, is no code. */
static void put_stack(FILE *out, const struct cprof_profile *p, uint32_t context)
{
    for (uint32_t i = context; i != CPROF_NONE; i = p->contexts[i].parent) {
        const struct cprof_function *f = &p->functions[p->contexts[i].function];
        char *end;
        unsigned long long address = strtoull(f->name, &end, 16);

        if (!*end && f->object != CPROF_NONE)
            fprintf(out, "\t%16llx [unknown] (%s)\n", address, p->objects[f->object].path);
    }
}

static void put_samples(FILE *out, const struct cprof_profile *p)
{
    long long period = (long long)(p->totals[COLUMN_CPU] / p->totals[COLUMN_SAMPLES]);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            for (int64_t n = cprof_context_values(p, k)[COLUMN_SAMPLES]; n > 0; n--) {
                fprintf(out, "program 1 0.000001: %lld cpu: \n", period);
                put_stack(out, p, i);
                fputc('\n', out);
            }
    }
}

/* Returns the number of samples, or -1. */
static int64_t make_raw(const struct cprof_profile *p, int text, FILE *out)
{
    struct code_places *places = code_places_new();
    char *path = xasprintf("/proc/self/fd/%d", text);
    struct samples_source source = {.locate = sample_places_find,
                                    .places = places,
                                    .kind = SAMPLES_CHANCE,
                                    .creator = "gperftools",
                                    .is_file = 1,
                                    .program = p->program};
    struct cprof_error error;
    int64_t n = samples_to_raw(path, &source, sample_places_put, out, &error);

    free(path);
    code_places_free(places);
    return n;
}

bool gperftools_raw(const struct cprof_profile *p, char **bytes, size_t *size)
{
    int text = can_be_raw(p) ? memfd_create("samples", MFD_CLOEXEC) : -1;
    FILE *to = text < 0 ? NULL : fdopen(dup(text), "w"), *out;
    bool is_made = false;

    *bytes = NULL;
    *size = 0;
    out = open_memstream(bytes, size);
    if (to && out) {
        put_samples(to, p);
        is_made = fflush(to) == 0 && lseek(text, 0, SEEK_SET) == 0 &&
                  make_raw(p, text, out) == p->totals[COLUMN_SAMPLES];
    }
    if (to)
        fclose(to);
    if (text >= 0)
        close(text);
    return (!out || fclose(out) == 0) && is_made;
}
