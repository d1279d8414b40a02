#include <config.h>

/* The events of perf script's text, and the columns of their counts. */
#include "error.h"
#include "perf_state.h"

int perf_out_of_memory(struct perf *p)
{
    return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
}

enum samples_kind perf_kind_of(const struct perf *p)
{
    return p->source ? p->source->kind : SAMPLES_CHANCE;
}

/* The event as the source has it; NULL: by the same name. */
static const struct samples_event *renamed(const struct perf *p, struct perf_text text)
{
    size_t size = (size_t)(text.end - text.at);

    for (int is_shorter = 0; is_shorter < 2; is_shorter++)
        for (size_t i = 0; p->source && i < p->source->n_events; i++) {
            const char *name = p->source->events[i].perf_name;
            size_t length = strlen(name);

            /* Where the kernel is hidden, perf calls "cycles" "cycles:u". */
            if ((is_shorter ? size > length && text.at[length] == ':' && !strchr(name, ':')
                            : size == length) &&
                !memcmp(name, text.at, length))
                return &p->source->events[i];
        }
    return NULL;
}

/* The columns of a new event. 0 or -1. */
static int add_columns(struct perf *p, struct perf_event *event)
{
    if (perf_kind_of(p) == SAMPLES_WAITS)
        return 0;
    if (event->values && stacks_column(&p->s.stacks) == CPROF_NONE)
        return -1;
    event->column = stacks_column(&p->s.stacks);
    return event->column == CPROF_NONE ? -1 : 0;
}

int perf_find_event(struct perf *p, struct perf_text text, uint32_t *event)
{
    const struct samples_event *known = renamed(p, text);
    char shorter[256];
    size_t size = known ? 0 : perf_event_name(text, shorter, sizeof shorter);
    const char *name = known ? reader_bytes(&p->s.r, known->name, known->name + strlen(known->name))
                             : reader_bytes(&p->s.r, shorter, shorter + size);
    struct perf_event *events = p->events.data;

    if (!name)
        return -1;
    for (*event = 0; *event < p->events.count; ++*event)
        if (events[*event].name == name)
            return 0;
    if (*event >= READER_MAX_EVENTS - 1)
        return reader_fail(&p->s.r, CPROF_ERROR_SYNTAX, text.at, "more than %d events",
                           READER_MAX_EVENTS - 1);
    if (!(events = vector_push(&p->events, sizeof *events)))
        return perf_out_of_memory(p);
    *events = (struct perf_event){.name = name, .values = known && known->field ? known : NULL};
    return add_columns(p, events);
}

static const char *meaning(const struct perf_event *e, int several)
{
    if (!e->has_periods)
        return several ? "samples of this event" : NULL;
    return !strcmp(e->name, "cpu-clock") || !strcmp(e->name, "task-clock")
               ? "nanoseconds of processor time, by samples"
               : "events, by samples and their periods";
}

/* The builder's event for a column. 0 or -1. */
static int name_column(struct perf *p, uint32_t *column, const char *name, const char *text)
{
    *column = builder_event(p->s.r.builder, name);
    return *column == CPROF_NONE || builder_event_describe(p->s.r.builder, *column, text, NULL) ? -1
                                                                                                : 0;
}

/* Events that are counted: what is added up stands before the number. */
static int name_counts(struct perf *p, uint32_t *columns)
{
    const struct perf_event *events = p->events.data;

    for (size_t i = 0; i < p->events.count; i++) {
        const struct perf_event *e = &events[i];

        if (e->values && name_column(p, &columns[e->column - 1], e->values->sum_name,
                                     "the sum of a value, over all calls"))
            return -1;
        if (name_column(p, &columns[e->column], e->name, NULL))
            return -1;
    }
    return 0;
}

static int name_waits(struct perf *p, uint32_t *columns)
{
    return name_column(p, &columns[0], "blocked", "nanoseconds off the processor, waiting") ||
                   name_column(p, &columns[1], "preempted",
                               "nanoseconds off the processor, which others had") ||
                   name_column(p, &columns[2], "switches", "times off the processor")
               ? -1
               : 0;
}

/* The event that is shown first. A text does not say in which order they were asked for, so it is
 * the first one in it, unless another has many more samples: starting a program has a page fault.
 */
static size_t first_event(const struct perf *p)
{
    const struct perf_event *events = p->events.data;
    size_t first = 0;

    for (size_t i = 1; i < p->events.count && !p->source; i++)
        if (events[i].samples / 2 > events[first].samples)
            first = i;
    return first;
}

/* One event: samples, and then what they stand for. Of several events, samples do not compare. */
static int name_events(struct perf *p, uint32_t *columns)
{
    const struct perf_event *events = p->events.data;
    size_t n = p->events.count, first = first_event(p);

    if (n <= 1 && name_column(p, &columns[0], "Samples", NULL))
        return -1;
    for (size_t k = 0; k < n; k++) {
        size_t i = !k ? first : k - (k <= first);
        const char *name = n == 1 && !events[i].has_periods ? "Samples" : events[i].name;

        if (events[i].values && name_column(p, &columns[events[i].column - 1],
                                            events[i].values->sum_name, "the sum of a value"))
            return -1;
        if (name_column(p, &columns[events[i].column], name, meaning(&events[i], n > 1)))
            return -1;
    }
    return n > 1 ? name_column(p, &columns[0], "Samples", NULL) : 0;
}

int perf_begin_columns(struct perf *p)
{
    static const int n_columns[] = {[SAMPLES_CHANCE] = 1, [SAMPLES_EXACT] = 0, [SAMPLES_WAITS] = 3};

    for (int i = 0; i < n_columns[perf_kind_of(p)]; i++)
        if (stacks_column(&p->s.stacks) == CPROF_NONE)
            return -1;
    /* In the order in which they were asked for, whichever comes first. */
    for (size_t i = 0; p->source && i < p->source->n_events; i++) {
        const char *name = p->source->events[i].perf_name;
        uint32_t event;

        if (perf_find_event(p, (struct perf_text){name, name + strlen(name)}, &event))
            return -1;
    }
    return 0;
}

int perf_finish_columns(struct perf *p)
{
    uint32_t columns[2 * READER_MAX_EVENTS] = {0};
    int failed;

    /* Nothing was counted. */
    if (!p->s.stacks.width &&
        (stacks_column(&p->s.stacks) == CPROF_NONE || name_column(p, &columns[0], "Samples", NULL)))
        return -1;
    failed = perf_kind_of(p) == SAMPLES_EXACT   ? name_counts(p, columns)
             : perf_kind_of(p) == SAMPLES_WAITS ? name_waits(p, columns)
                                                : name_events(p, columns);

    return failed ? -1 : stacks_finish(&p->s.stacks, p->s.r.builder, columns);
}
