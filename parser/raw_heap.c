#include <config.h>

/* The lines of a raw profile that have the heap. Its events stand behind all others. */
#include "raw.h"

int raw_heap_events_key(struct raw *w, const char *at)
{
    uint32_t columns[READER_MAX_EVENTS], n = w->r.n_columns;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "'heap-events:' before 'events:'");
    memcpy(columns, w->r.columns, n * sizeof *columns);
    if (reader_events(&w->r, at))
        return -1;
    w->n_heap = w->r.n_columns;
    memcpy(w->heap_event, w->r.columns, w->n_heap * sizeof *w->heap_event);
    memcpy(w->r.columns, columns, n * sizeof *columns);
    w->r.n_columns = n;
    builder_header(w->r.builder)->has_heap = 1;
    for (uint32_t i = 0; i < w->n_heap; i++)
        for (uint32_t k = 0; k < w->n_every; k++)
            if (w->heap_event[i] == w->every_event[k])
                return framed_bad(&w->r, at, "an event of the heap is in 'events:', too");
    return 0;
}

static int add_number(struct raw *w, const char **at, uint64_t *sum)
{
    const char *start = *at;
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    if (*sum + (uint64_t)n > INT64_MAX)
        return reader_fail(&w->r, CPROF_ERROR_RANGE, start,
                           "the sum of such numbers exceeds 2^63-1");
    *sum += (uint64_t)n;
    return 0;
}

/* KNOWN UNMATCHED FAILED LOST. Processes of one run have mostly the same code. */
int raw_heap_key(struct raw *w, const char *at)
{
    struct cprof_heap *h = &builder_header(w->r.builder)->heap;
    int64_t known;

    if (raw_number(w, &at, &known) || add_number(w, &at, &h->unmatched) ||
        add_number(w, &at, &h->failed) || add_number(w, &at, &h->lost) || raw_end(w, at))
        return -1;
    if ((uint64_t)known > h->known)
        h->known = (uint64_t)known;
    return 0;
}

/* The columns of what lived at the peak. */
static int is_at_peak(const struct raw *w, uint32_t event)
{
    const char *name = builder_event_name(w->r.builder, event);

    return !strcmp(name, "PeakBytes") || !strcmp(name, "PeakBlocks");
}

/* Processes have their peaks at different times, and their sum may never have lived. The highest is
 * kept, and those before it go. */
static void keep_highest(struct raw *w, int64_t bytes)
{
    w->is_below_peak = w->n_heap_peaks && bytes <= w->heap_peak;
    if (w->is_below_peak)
        return;
    w->heap_peak = bytes;
    for (uint32_t i = 0; w->n_heap_peaks && i < w->n_heap; i++)
        if (is_at_peak(w, w->heap_event[i]))
            builder_clear_event(w->r.builder, w->heap_event[i]);
}

/* IR [BYTES]. Files without BYTES have one process, or peaks that are added up. Instructions of
 * several processes have no order. */
int raw_heap_peak_key(struct raw *w, const char *at)
{
    struct cprof_heap *h = &builder_header(w->r.builder)->heap;
    int64_t peak, bytes = -1;

    if (raw_number(w, &at, &peak) || (at < w->r.end && raw_number(w, &at, &bytes)) ||
        raw_end(w, at))
        return -1;
    h->peak_ir = w->n_heap_peaks ? 0 : (uint64_t)peak;
    if (bytes >= 0) {
        keep_highest(w, bytes);
        h->peaks++;
    }
    w->n_heap_peaks++;
    return 0;
}

int raw_alloc_function_key(struct raw *w, const char *at)
{
    const char *text;
    int64_t n;

    if (raw_number(w, &at, &n) || !(text = framed_text(&w->r, at, w->r.end)))
        return -1;
    return builder_alloc_function(w->r.builder, w->n_alloc_functions++, text, (uint64_t)n);
}

static int read_counts(struct raw *w, const char *at)
{
    if (raw_counts(w, at, w->heap_event, w->n_heap))
        return -1;
    for (uint32_t i = 0; w->is_below_peak && i < w->n_heap; i++)
        if (is_at_peak(w, w->heap_event[i]))
            w->r.row[w->heap_event[i]] = 0;
    return 0;
}

/* OBJECT ADDRESS N... */
int raw_heap_record(struct raw *w, const char *at)
{
    uint32_t object;
    uint64_t address;

    return raw_id(w, &at, w->objects.count, "object", &object) || raw_address(w, &at, &address) ||
                   read_counts(w, at)
               ? -1
               : raw_add_miss(w, object, address);
}

/* OBJECT ADDRESS N... */
int raw_heap_inclusive_record(struct raw *w, const char *at)
{
    uint32_t function;

    if (raw_function(w, &at, &function) || read_counts(w, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

/* OBJECT ADDRESS OBJECT ADDRESS SITEOBJECT SITE N... */
int raw_heap_edge_record(struct raw *w, const char *at)
{
    struct cprof_call call = {.file = CPROF_NONE};

    if (raw_function(w, &at, &call.caller) || raw_function(w, &at, &call.callee) ||
        raw_site(w, &at, &call.address) || read_counts(w, at))
        return -1;
    return builder_call(w->r.builder, &call, w->r.row);
}

/* SECTION N... */
int raw_heap_section_record(struct raw *w, const char *at)
{
    uint32_t section;

    if (raw_section(w, &at, &section) || read_counts(w, at))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}
