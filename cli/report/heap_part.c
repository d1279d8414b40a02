#include <config.h>

#include "report/heap_part.h"

#include "base/count.h"
#include "base/message.h"
#include "render/text/heap_table.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "report/own_part.h"
#include "table/columns.h"
#include "table/heap.h"

#include <stdlib.h>

/* The functions that memory is put to, in the order of what they are sorted by; bytes, where that
 * is no count of the heap. */
struct heap_part {
    struct cprof_profile view;
    struct columns columns;
    struct own own;
    struct heap_table table;
};

static const struct column *measure_of(const struct columns *columns,
                                       const struct show_settings *settings)
{
    const struct column *sort = settings->sort ? columns_find(columns, settings->sort) : NULL;

    return sort && sort->kind == COLUMN_COUNT && heap_is_event(sort->name)
               ? sort
               : columns_find(columns, "Bytes");
}

static size_t limit_of(const struct show_settings *settings)
{
    if (settings->limit == SHOW_LIMIT_DEFAULT)
        return settings->parts == SHOW_HEAP ? SHOW_LIMIT_TABLE : SHOW_LIMIT_BELOW;
    return (size_t)settings->limit;
}

static void load(struct heap_part *part, const struct cprof_profile *p, const struct crates *crates,
                 const bool *own, const struct show_settings *settings, const char *root)
{
    bool *callers = heap_callers(p, own);
    const struct column *measure;

    part->view = own_view(p);
    columns_load(&part->columns, &part->view);
    measure = measure_of(&part->columns, settings);
    own_load(&part->own, &part->view, crates, callers, measure, false);
    part->own.paths = p->n_contexts > 0;
    part->table = (struct heap_table){
        .own = &part->own, .measure = measure, .limit = limit_of(settings), .root = root};
    free(callers);
}

void heap_part_fill(const struct cprof_profile *p, const struct crates *crates, const bool *own,
                    const struct show_settings *settings, const char *root,
                    struct titled_grid *filled)
{
    struct heap_part part;

    load(&part, p, crates, own, settings, root);
    heap_table_fill(&part.table, filled);
    own_free(&part.own);
    columns_free(&part.columns);
}

void heap_part_write(const struct cprof_profile *p, const struct crates *crates, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *t, const struct show_screen *screen, FILE *out)
{
    struct grid_screen grid;
    struct titled_grid filled;

    if (screen) {
        grid = show_grid(screen);
        grid.links = t->links;
    }
    heap_part_fill(p, crates, own, settings, t->root, &filled);
    titled_grid_write(&filled, screen ? &grid : NULL, out);
    if (screen && settings->parts == SHOW_HEAP && filled.grid.n_rows && !context->file &&
        context->files <= 1)
        own_part_next_by(settings->sort && heap_is_event(settings->sort) ? settings->sort : "Bytes",
                         screen, out);
    titled_grid_free(&filled);
}

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
    if (!p->heap.known && !s.allocs)
        message_warning("no function that allocates was found in the program: it has no symbols "
                        "for one, or its allocator is inlined; " NAME_ONE);
    else if (!s.allocs)
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
