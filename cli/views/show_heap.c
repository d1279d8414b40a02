#include <config.h>

#include "views/show_heap.h"

#include "base/counts.h"
#include "base/message.h"
#include "render/text/text.h"
#include "table/heap.h"
#include "views/screen.h"

#include <stdlib.h>

void show_heap_load(struct show_heap *part, const struct view_input *m)
{
    const struct cprof_profile *p = m->profile;
    const struct column *measure;

    columns_load(&part->columns, events_of(p));
    measure = heap_measure(&part->columns, m->settings->sort);
    own_load(&part->own, profile_paths(p), m->crates, m->callers->is, measure, false);
    part->table =
        (struct heap_table){.own = &part->own,
                            .n = m->filter ? own_filter(&part->own, m->filter) : part->own.n,
                            .measure = measure,
                            .limit = view_limit(m, VIEW_HEAP, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW),
                            .root = m->root};
}

void show_heap_free(struct show_heap *part)
{
    own_free(&part->own);
    columns_free(&part->columns);
}

static void fill(const struct view_input *m, struct table *filled)
{
    struct show_heap part;

    show_heap_load(&part, m);
    heap_table_fill(&part.table, filled);
    show_heap_free(&part);
}

static void write(const struct view_input *m, struct next_views *next,
                  const struct show_screen *screen, FILE *out)
{
    const char *sort = m->settings->sort;
    struct table filled;

    fill(m, &filled);
    if (filled.n_rows)
        next->sort = sort && heap_is_column(sort) ? sort : "Bytes";
    show_table(&filled, screen, m->links, out);
}

const struct view_form heap_form = {.fill = fill, .write = write};

/*--- Notes ---*/

#define NAME_ONE "--alloc-function NAME names a function that allocates, NAME:free one that frees"

static void note_options(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_alloc_functions; i++) {
        char *text = text_local(p->alloc_functions[i].pattern);

        if (!p->alloc_functions[i].n_functions)
            message_warning("--alloc-function %s: no function of that name ran, so nothing was "
                            "counted for it; what is inlined is no function",
                            text);
        free(text);
    }
}

void heap_notes(const struct cprof_profile *p)
{
    struct heap_sums s;

    if (!p->has_heap || !heap_is_counted(p))
        return;
    s = heap_sums_of(p, p->totals);
    note_options(p);
    if (!p->heap.known && !s.blocks)
        message_warning("no function that allocates was found in the program: it has no symbols "
                        "for one, or its allocator is inlined; " NAME_ONE);
    else if (!s.blocks)
        message_note("no function that allocates was called; if the program has an allocator of "
                     "its own, " NAME_ONE);
    if (p->heap.unmatched)
        message_note("%s blocks were freed whose allocation was not seen; libc frees some of its "
                     "own so, others come from an allocator that has no name",
                     TEXT_COUNT(p->heap.unmatched));
    if (p->heap.lost)
        message_note("%s allocations were left without a return (longjmp, an exception, the end of "
                     "a thread), and are not counted",
                     TEXT_COUNT(p->heap.lost));
}
