/*
 * compare [-e EVENT,...] RAW CACHEGRIND: do the two profiles agree, in all and in every function?
 * Prints every difference; exit status 1 if there is one, 2 if one cannot be read.
 *
 * Functions are matched by the name that Valgrind gave each instruction: cachegrind writes it, the
 * tool adds it in "f" records with
 * --cprof-names=yes. Functions of one name (statics, or one library loaded twice) are one row on
 * both sides.
 */
#include "cprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_EVENTS = 32 };

/* An "f" record: the function at an address of an object, the name unescaped. */
struct name {
    uint32_t object;
    uint64_t address;
    char *text;
};

struct names {
    struct name *at; /* sorted by object and address */
    size_t count;
};

/* The cost of one function, in the order of the events that are compared. */
struct row {
    const char *name;
    int64_t values[MAX_EVENTS];
};

struct table {
    struct row *rows; /* one for each name, sorted by name */
    size_t count;
};

/* What to compare: for each event its index in either profile. */
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

static int by_place(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* Undoes the raw format's \xHH in place. */
static void unescape(char *text)
{
    char *to = text;
    for (unsigned byte; *text; text++)
        if (sscanf(text, "\\x%2x", &byte) == 1) {
            *to++ = (char)byte;
            text += 3;
        } else {
            *to++ = *text;
        }
    *to = '\0';
}

static struct names read_names(const char *path)
{
    struct names names = {0};
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    while (getline(&line, &size, file) > 0) {
        struct name name;
        int end = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "f %" SCNu32 " %" SCNx64 " %n", &name.object, &name.address, &end) != 2 ||
            !end)
            continue;
        name.text = strdup(line + end);
        unescape(name.text);
        names.at = grown(names.at, names.count, sizeof *names.at);
        names.at[names.count++] = name;
    }
    free(line);
    fclose(file);
    if (names.count)
        qsort(names.at, names.count, sizeof *names.at, by_place);
    return names;
}

/* The name recorded for that very instruction, or NULL. */
static const char *name_at(const struct names *names, uint32_t object, uint64_t address)
{
    struct name key = {object, address, NULL};
    const struct name *found =
        names->count ? bsearch(&key, names->at, names->count, sizeof key, by_place) : NULL;
    return found ? found->text : NULL;
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

/*
 * One row per function of `profile`. `names`, where given, names the instructions; an executed one
 * without a name is a fault of the tool, and shows as a row of its own.
 */
static struct table tabulate(const struct cprof_profile *profile, const struct events *events,
                             const uint32_t *index, const struct names *names)
{
    struct table table = {0};
    for (uint32_t i = 0; i < profile->n_costs; i++) {
        const struct cprof_cost *cost = &profile->costs[i];
        const struct cprof_function *function = &profile->functions[cost->function];
        struct row row = {.name = function->name};
        if (names)
            row.name = name_at(names, function->object, cost->address);
        if (!row.name)
            row.name = "(an instruction without an f record)";
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
            printf("%-5s cprof %12" PRId64 "  cachegrind %12" PRId64 "  %+" PRId64 "  %s\n",
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
    int option;
    while ((option = getopt(argc, argv, "e:")) == 'e')
        wanted = optarg;
    if (option != -1 || argc - optind != 2) {
        fprintf(stderr, "usage: compare [-e EVENT,...] RAW CACHEGRIND\n");
        return 2;
    }
    struct cprof_profile *ours = load(argv[optind]), *theirs = load(argv[optind + 1]);
    struct names names = read_names(argv[optind]);
    struct events events = find_events(ours, theirs, wanted);
    struct table our_table = tabulate(ours, &events, events.ours, &names);
    struct table their_table = tabulate(theirs, &events, events.theirs, NULL);
    int64_t our_totals[MAX_EVENTS], their_totals[MAX_EVENTS];
    total(ours, &events, events.ours, our_totals);
    total(theirs, &events, events.theirs, their_totals);
    unsigned differences = differ("(total)", &events, our_totals, their_totals) +
                           compare_tables(&events, &our_table, &their_table);
    if (!their_table.count || their_totals[0] <= 0) {
        printf("there is nothing to compare\n");
        return 2;
    }
    printf("%zu functions, %u events, %" PRId64 " %s: ", their_table.count, events.count,
           their_totals[0], events.names[0]);
    printf("%u differences\n", differences);
    return differences != 0;
}
