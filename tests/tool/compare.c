/*
 * compare [-a] [-e EVENT,...] RAW OTHER: do the two profiles agree, in all and in every function;
 * with -a, in every instruction? Prints every difference; exit status 1 if there is one, 2 if one
 * cannot be read.
 *
 * Functions are matched by the name that Valgrind gave each instruction: cachegrind writes it, the
 * tool adds it in "f" records with
 * --cprof-names=yes. Functions of one name (statics, or one library loaded twice) are one row on
 * both sides.
 */
#include <config.h>

#include "cprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_EVENTS = 32 };

/* The cost of one function, in the order of the events that are compared. */
struct row {
    const char *name;
    int64_t values[MAX_EVENTS];
};

struct table {
    struct row *rows; /* one for each name, sorted by name */
    size_t count;
};

/* The events to compare: for each event its index in either profile. */
struct events {
    unsigned count;
    const char *names[MAX_EVENTS];
    uint32_t ours[MAX_EVENTS], theirs[MAX_EVENTS];
};

static void *grown(void *memory, size_t count, size_t size)
{
    /* Doubling at each power of two, beginning with one. */
    if (count & (count - 1))
        return memory;
    memory = realloc(memory, (count ? 2 * count : 1) * size);
    if (!memory)
        abort();
    return memory;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static struct cprof_profile *load(const char *path)
{
    struct cprof_error error;
    struct cprof_profile *profile = cprof_load(path, CPROF_STRICT, &error);
    if (!profile) {
        printf("%s:%lu: %s\n", error.source, error.line, error.text);
        exit(2);
    }
    return profile;
}

/* The events of `wanted` (or else all of theirs) and where either profile has them. */
static struct events find_events(const struct cprof_profile *ours,
                                 const struct cprof_profile *theirs, char *wanted)
{
    struct events events = {0};
    if (wanted)
        for (char *name = strtok(wanted, ","); name; name = strtok(NULL, ","))
            events.names[events.count++] = name;
    else
        for (uint32_t i = 0; i < theirs->n_events; i++)
            events.names[events.count++] = theirs->events[i].name;
    for (unsigned i = 0; i < events.count; i++) {
        events.ours[i] = cprof_find_event(ours, events.names[i]);
        events.theirs[i] = cprof_find_event(theirs, events.names[i]);
        if (events.ours[i] == CPROF_NONE || events.theirs[i] == CPROF_NONE) {
            printf("event %s is missing in %s\n", events.names[i],
                   events.ours[i] == CPROF_NONE ? ours->source : theirs->source);
            exit(2);
        }
    }
    return events;
}

/* Rows of one name become one, in the order of names; rows without any cost go. */
static void merge(struct table *table)
{
    size_t kept = 0;
    if (!table->count)
        return;
    qsort(table->rows, table->count, sizeof *table->rows, by_name);
    for (size_t i = 0; i < table->count; i++)
        if (kept && !strcmp(table->rows[kept - 1].name, table->rows[i].name))
            for (unsigned e = 0; e < MAX_EVENTS; e++)
                table->rows[kept - 1].values[e] += table->rows[i].values[e];
        else
            table->rows[kept++] = table->rows[i];
    table->count = 0;
    for (size_t i = 0; i < kept; i++) {
        static const int64_t zero[MAX_EVENTS];
        if (memcmp(table->rows[i].values, zero, sizeof zero))
            table->rows[table->count++] = table->rows[i];
    }
}

/* The texts that place() has made: the names of rows point into it until the end. */
static char **places;
static size_t n_places;

/* The name of the instruction of a cost. */
static const char *place(const struct cprof_profile *profile, const struct cprof_cost *cost)
{
    const char *path = profile->objects[profile->functions[cost->function].object].path;
    size_t size = strlen(path) + 24;
    char *name = malloc(size);
    if (!name)
        abort();
    snprintf(name, size, "%s+0x%" PRIx64, path, cost->address);
    places = grown(places, n_places, sizeof *places);
    return places[n_places++] = name;
}

/* One row per function of `profile`, or per instruction. */
static struct table tabulate(const struct cprof_profile *profile, const struct events *events,
                             const uint32_t *index, int by_instruction)
{
    struct table table = {0};
    for (uint32_t i = 0; i < profile->n_costs; i++) {
        const struct cprof_cost *cost = &profile->costs[i];
        struct row row = {.name = profile->functions[cost->function].name};
        if (by_instruction)
            row.name = place(profile, cost);
        for (unsigned e = 0; e < events->count; e++)
            row.values[e] = cprof_cost_values(profile, i)[index[e]];
        table.rows = grown(table.rows, table.count, sizeof row);
        table.rows[table.count++] = row;
    }
    merge(&table);
    return table;
}

static unsigned differ(const char *where, const struct events *events, const int64_t *ours,
                       const int64_t *theirs)
{
    unsigned differences = 0;
    for (unsigned e = 0; e < events->count; e++)
        if (ours[e] != theirs[e]) {
            printf("%-5s cprof %12" PRId64 "  other %12" PRId64 "  %+" PRId64 "  %s\n",
                   events->names[e], ours[e], theirs[e], ours[e] - theirs[e], where);
            differences++;
        }
    return differences;
}

static unsigned compare_tables(const struct events *events, const struct table *ours,
                               const struct table *theirs)
{
    static const int64_t zero[MAX_EVENTS];
    unsigned differences = 0;
    for (size_t i = 0, j = 0; i < ours->count || j < theirs->count;) {
        const struct row *a = i < ours->count ? &ours->rows[i] : NULL;
        const struct row *b = j < theirs->count ? &theirs->rows[j] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a->name, b->name);
        differences += differ((order <= 0 ? a : b)->name, events, order <= 0 ? a->values : zero,
                              order >= 0 ? b->values : zero);
        i += order <= 0;
        j += order >= 0;
    }
    return differences;
}

static void total(const struct cprof_profile *profile, const struct events *events,
                  const uint32_t *index, int64_t *totals)
{
    for (unsigned e = 0; e < events->count; e++)
        totals[e] = profile->totals[index[e]];
}

int main(int argc, char **argv)
{
    char *wanted = NULL;
    int option, by_instruction = 0;
    while ((option = getopt(argc, argv, "ae:")) == 'e' || option == 'a')
        if (option == 'a')
            by_instruction = 1;
        else
            wanted = optarg;
    if (option != -1 || argc - optind != 2) {
        fprintf(stderr, "usage: compare [-a] [-e EVENT,...] RAW OTHER\n");
        return 2;
    }
    struct cprof_profile *ours = load(argv[optind]), *theirs = load(argv[optind + 1]);
    struct events events = find_events(ours, theirs, wanted);
    struct table our_table = tabulate(ours, &events, events.ours, by_instruction);
    struct table their_table = tabulate(theirs, &events, events.theirs, by_instruction);
    int64_t our_totals[MAX_EVENTS], their_totals[MAX_EVENTS];
    total(ours, &events, events.ours, our_totals);
    total(theirs, &events, events.theirs, their_totals);
    unsigned differences = differ("(total)", &events, our_totals, their_totals) +
                           compare_tables(&events, &our_table, &their_table);
    int nothing = !their_table.count || their_totals[0] <= 0;
    if (nothing)
        printf("there is nothing to compare\n");
    printf("%zu %s, %u events, %" PRId64 " %s: ", their_table.count,
           by_instruction ? "instructions" : "functions", events.count, their_totals[0],
           events.names[0]);
    printf("%u differences\n", differences);
    free(our_table.rows);
    free(their_table.rows);
    for (size_t i = 0; i < n_places; i++)
        free(places[i]);
    free(places);
    cprof_free(ours);
    cprof_free(theirs);
    return nothing ? 2 : differences != 0;
}
