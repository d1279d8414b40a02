#include <config.h>

#include "derive/merge.h"

#include "cprof_internal.h"
#include "derive/copy.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Makes all events, the first profile's first. Returns their number. */
static uint32_t make_events(struct builder *b, struct cprof_profile *const *profiles, size_t n)
{
    uint32_t n_events = 0;

    for (size_t i = 0; i < n; i++)
        for (uint32_t e = 0; e < profiles[i]->n_events; e++) {
            uint32_t index = builder_event(b, profiles[i]->events[e].name);

            if (index != CPROF_NONE && index >= n_events)
                n_events = index + 1;
        }
    return n_events;
}

static void add_heap(struct cprof_profile *to, const struct cprof_profile *from)
{
    to->has_heap |= from->has_heap;
    to->heap.unmatched += from->heap.unmatched;
    to->heap.failed += from->heap.failed;
    to->heap.lost += from->heap.lost;
    if (from->heap.known > to->heap.known)
        to->heap.known = from->heap.known;
}

/* Adds to the first profile's header what the others say. */
static void merge_header(struct builder *b, struct cprof_profile *const *profiles, size_t n)
{
    struct cprof_profile *h = builder_header(b);

    for (size_t i = 1; i < n; i++) {
        for (uint32_t k = 0; k < profiles[i]->n_parts; k++)
            builder_part(b, &profiles[i]->parts[k]);
        for (uint32_t k = 0; k < profiles[i]->n_warnings; k++)
            builder_warn(b, profiles[i]->warnings[k].line, "%s", profiles[i]->warnings[k].text);
        if (profiles[i]->format != h->format)
            h->format = CPROF_FORMAT_NAMED;
        if (profiles[i]->exit == CPROF_EXIT_SIGNAL)
            h->exit = CPROF_EXIT_SIGNAL;
        if (profiles[i]->random > h->random)
            h->random = profiles[i]->random;
        if (profiles[i]->subject != h->subject)
            h->subject = CPROF_SUBJECT_CODE;
        h->may_be_cut |= profiles[i]->may_be_cut;
        add_heap(h, profiles[i]);
        if (profiles[i]->threads > h->threads)
            h->threads = profiles[i]->threads;
    }
}

struct cprof_profile *merge_profiles(struct cprof_profile *const *profiles, size_t n,
                                     struct cprof_error *error)
{
    struct builder *b;
    bool contexts = true, inclusive = true, curves = true;
    uint32_t n_events;

    *error = (struct cprof_error){.code = CPROF_OK};
    b = builder_new(error);
    if (!b)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        contexts &= profiles[i]->n_contexts > 0;
        inclusive &= profiles[i]->inclusive != NULL;
        curves &= profiles[i]->n_curve_sizes > 0;
    }
    copy_about(b, profiles[0]);
    merge_header(b, profiles, n);
    n_events = make_events(b, profiles, n);
    for (size_t i = 0; i < n; i++)
        copy_merge(b, profiles[i], n_events, contexts, inclusive, curves);
    return builder_finish(b);
}
