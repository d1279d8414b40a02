#include <config.h>

/* The lines of a raw profile that have sections. */
#include "raw.h"

#include <stdio.h>
#include <stdlib.h>

/* Before the name of the function that stands for a section in call paths, and behind it. */
#define FUNCTION_NAME "[section %s]"

static int read_count(struct raw *w, const char **at, uint64_t *count)
{
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    *count = (uint64_t)n;
    return 0;
}

int raw_section(struct raw *w, const char **at, uint32_t *section)
{
    if (raw_id(w, at, w->sections.count, "section", section))
        return -1;
    *section = ((const uint32_t *)w->sections.data)[*section];
    return 0;
}

/* ID BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME */
int raw_section_record(struct raw *w, const char *at)
{
    struct cprof_section s = {0};
    uint32_t *new;

    if (raw_new_id(w, &at, w->sections.count, "section") || read_count(w, &at, &s.began) ||
        read_count(w, &at, &s.ended) || read_count(w, &at, &s.lost) ||
        read_count(w, &at, &s.stray) || read_count(w, &at, &s.foreign) ||
        read_count(w, &at, &s.crossed))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    if (!(s.name = framed_text(&w->r, at, w->r.end)) ||
        !(new = raw_push(w, &w->sections, sizeof *new)))
        return -1;
    *new = builder_section(w->r.builder, s.name);
    return *new == CPROF_NONE ? -1 : builder_section_entries(w->r.builder, *new, &s);
}

/* SECTION N... */
int raw_section_cost_record(struct raw *w, const char *at)
{
    uint32_t section;

    if (raw_section(w, &at, &section) || raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}

/* SECTION {IR ENTRIES}... */
int raw_spread_record(struct raw *w, const char *at)
{
    uint32_t section;
    uint64_t cost, entries;

    if (raw_section(w, &at, &section))
        return -1;
    do {
        if (read_count(w, &at, &cost) || read_count(w, &at, &entries) ||
            builder_section_spread(w->r.builder, section, cost, entries))
            return -1;
    } while (at < w->r.end);
    return 0;
}

/* SECTION LEAST GREATEST */
int raw_extremes_record(struct raw *w, const char *at)
{
    uint32_t section;
    uint64_t least, greatest;

    if (raw_section(w, &at, &section) || read_count(w, &at, &least) ||
        read_count(w, &at, &greatest) || raw_end(w, at))
        return -1;
    return builder_section_extremes(w->r.builder, section, least, greatest);
}

/* ID PARENT SECTION ENTRIES */
int raw_entered_record(struct raw *w, const char *at)
{
    struct cprof_context context = {.calls = 0};
    uint32_t parent, section;
    char *name;
    const char *of;
    size_t size;

    if (raw_context_ids(w, &at, &parent) || raw_section(w, &at, &section) ||
        read_count(w, &at, &context.calls) || raw_end(w, at))
        return -1;
    of = builder_section_name(w->r.builder, section);
    size = strlen(of) + sizeof FUNCTION_NAME;
    if (!(name = malloc(size)))
        return raw_out_of_memory(w->r.error);
    snprintf(name, size, FUNCTION_NAME, of);
    context.function = builder_function(w->r.builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    free(name);
    if (context.function == CPROF_NONE || raw_add_context(w, parent, &context))
        return -1;
    w->n_contexts++;
    return raw_begin_counts(w);
}
