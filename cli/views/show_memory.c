#include <config.h>

/* Tables of memory: the heap, data, the use of lines, types, miss curves. */
#include "base/counts.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "render/html/html.h"
#include "render/text/curve_table.h"
#include "render/text/data_table.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/heap.h"
#include "views/view_form.h"

#include <stdlib.h>
#include <string.h>

/*--- The heap ---*/

void show_heap_load(struct show_heap *heap, const struct view_input *m)
{
    const struct cprof_profile *p = m->profile;
    const struct column *measure;

    columns_load(&heap->columns, events_of(p));
    measure = heap_measure(&heap->columns, m->settings->sort);
    own_load(&heap->own, profile_paths(p), m->crates, m->callers->is, measure, false);
    heap->table =
        (struct heap_table){.own = &heap->own,
                            .n = m->filter ? own_filter(&heap->own, m->filter) : heap->own.n,
                            .measure = measure,
                            .limit = view_limit(m, VIEW_HEAP, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW),
                            .root = m->root};
}

void show_heap_free(struct show_heap *heap)
{
    own_free(&heap->own);
    columns_free(&heap->columns);
}

static void heap_fill(const struct view_input *m, struct next_views *next, struct table *filled)
{
    const char *sort = m->settings->sort;
    struct show_heap heap;

    show_heap_load(&heap, m);
    heap_table_fill(&heap.table, filled);
    show_heap_free(&heap);
    if (filled->n_rows)
        next->sort = sort && heap_is_column(sort) ? sort : "Bytes";
}

const struct view_form heap_form = {.needs_callers = true, .fill = heap_fill};

/*--- Notes ---*/

#define NAME_ONE "--alloc-function NAME names a function that allocates, NAME:free one that frees"

static void note_options(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_alloc_functions; i++)
        if (!p->alloc_functions[i].n_functions)
            message_warning("--alloc-function %s: no function of that name ran, so nothing was "
                            "counted for it; what is inlined is no function",
                            p->alloc_functions[i].pattern);
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

/*--- One type as it lies in memory ---*/

enum { TYPES_SHOWN = 8 };

/* True where more misses are in blocks and variables whose fields are not known than in others. A
 * standard library may have types where the program has none. */
static bool show_layout_is_missing(const struct cprof_profile *p)
{
    uint64_t known = 0, unknown = 0;

    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *touch = &p->touches[i];
        const struct cprof_datum *datum = &p->data[touch->datum];
        uint64_t misses = touch->misses[CPROF_D1MR] + touch->misses[CPROF_D1MW];

        if (datum->kind != CPROF_DATA_BLOCKS && datum->kind != CPROF_DATA_VARIABLE)
            continue;
        if (datum->type != CPROF_NONE && p->types[datum->type].size)
            known += misses;
        else
            unknown += misses;
    }
    return unknown > known;
}

static bool has_allocator(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (strstr(p->functions[i].name, "GlobalAlloc>::alloc"))
            return true;
    return false;
}

#define HOW                                                                                       \
    "fields of types are not known: 'cargo cprof data' builds with them (debug=2), unless it is " \
    "told to leave the build alone; for C and C++ build with -g, and name the type in the line "  \
    "that allocates: a cast, sizeof, new"

/* Why that may be, and what to do. */
static const char *show_layout_how(const struct cprof_profile *p)
{
    return has_allocator(p) ? HOW "; blocks of an allocator of the program's own (GlobalAlloc) may "
                                  "begin with something else, so theirs are not known"
                            : HOW;
}

/* "Particle, Node and 3 more", of types with members; the caller frees it. */
static char *names_of(const struct cprof_profile *p, const uint32_t *types, size_t n)
{
    struct strbuf text = {NULL, 0, 0};

    for (size_t i = 0; i < n && i < TYPES_SHOWN; i++)
        strbuf_add_item(&text, ", ", p->types[types[i]].name);
    if (n > TYPES_SHOWN)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(n - TYPES_SHOWN));
    return strbuf_take(&text);
}

static bool has_no_members(const struct cprof_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_types; i++)
        if (!p->types[i].n_members && !strcmp(p->types[i].name, name))
            return true;
    return false;
}

/* The error where no type is called so: those that there are, most misses first. */
static int fail_unknown(const struct cprof_profile *p, const char *name)
{
    size_t n;
    uint32_t *types = type_rows_find(p, NULL, &n);
    char *names = names_of(p, types, n);
    int status;

    if (show_layout_is_missing(p))
        status = message_error("no type '%s' in '%s': %s", name, p->source, show_layout_how(p));
    else if (!n)
        status = message_error("no type '%s' in '%s': no data of a type with members missed; "
                               "--view data lists the data that did",
                               name, p->source);
    else if (has_no_members(p, name))
        status =
            message_error("type '%s' in '%s' has no members; types that have some, and missed: %s",
                          name, p->source, names);
    else
        status = message_error("no data of type '%s' missed in '%s'; types whose data missed: %s",
                               name, p->source, names);
    free(names);
    free(types);
    return status;
}

int show_layout_find(const struct cprof_profile *p, const char *name, uint32_t *type)
{
    size_t n;
    uint32_t *types = type_rows_find(p, name, &n);
    int status = 0;

    if (n == 1) {
        *type = types[0];
    } else if (n) {
        char *names = names_of(p, types, n);

        status = message_error("'%s' is several types; take one of: %s", name, names);
        free(names);
    } else {
        status = fail_unknown(p, name);
    }
    free(types);
    return status;
}

static void layout_fill(const struct view_input *m, struct next_views *next, struct table *filled)
{
    struct type_rows rows;
    uint32_t type = CPROF_NONE;

    (void)next;
    (void)show_layout_find(m->profile, m->settings->layout, &type); /* as show_write() has before */
    type_rows_load(&rows, type, m->callers);
    type_table_fill(&rows, filled);
    type_rows_free(&rows);
}

const struct view_form layout_form = {.needs_callers = true, .fill = layout_fill};

/*--- Data, and the use of lines ---*/

enum { DATA_LIMIT = 10, TOUCHES = 4, TOUCHES_BESIDE = 2 };

/* The name of the type that misses most, of those that the program has laid out; NULL: there is
 * none. The caller frees it. */
static char *type_to_look_at(const struct data_table *t)
{
    enum { SHARE = 20 }; /* of which one is worth a look */
    const struct cprof_profile *p = t->profile;
    int64_t least = data_row_misses(t->misses, t->measure) / SHARE;

    for (size_t i = 0; i < t->n && data_row_misses(t->rows[i].misses, t->measure) > least; i++)
        if (t->rows[i].type != CPROF_NONE && fields_are_own(p, t->rows[i].type))
            return fields_type_name(p->types[t->rows[i].type].name);
    return NULL;
}

/* True where nothing is left out within the rows, either. */
static bool is_whole(const struct view_input *m)
{
    return !m->settings->limit || show_is_data(m->settings);
}

static void data_fill(const struct view_input *m, struct next_views *next, struct table *filled)
{
    struct data_table table;
    const struct data_view view = {.table = &table,
                                   .limit = view_limit(m, VIEW_DATA, DATA_LIMIT, DATA_LIMIT),
                                   .brief = view_is_brief(m),
                                   .touches = is_whole(m)            ? 0
                                              : m->view == VIEW_DATA ? TOUCHES
                                                                     : TOUCHES_BESIDE,
                                   .root = m->root};

    data_table_load(&table, m->callers, data_measure_of(m->settings->sort));
    if (m->filter)
        data_table_filter(&table, m->filter);
    data_view_fill(&view, filled);
    if (filled->n_rows)
        next->sort = table.measure == DATA_LL ? "DLm" : "D1m";
    next->line_use = !m->profile->has_line_use;
    next->type = type_to_look_at(&table);
    next->hint = show_layout_is_missing(m->profile) ? show_layout_how(m->profile) : NULL;
    data_table_free(&table);
}

const struct view_form data_form = {.needs_callers = true, .fill = data_fill};

/*--- The use of lines by function: the table of data has it, too ---*/

static void lines_fill(const struct view_input *m, struct next_views *next, struct table *filled)
{
    struct line_table table;
    struct line_view view = {.table = &table,
                             .limit = view_limit(m, VIEW_LINES, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW),
                             .brief = view_is_brief(m),
                             .root = m->root};

    line_table_load(&table, m->callers);
    if (m->filter)
        line_table_filter(&table, m->filter);
    line_view_fill(&view, filled);
    line_table_free(&table);
    if (filled->n_rows)
        next->sort = "D1m";
}

const struct view_form line_use_form = {.needs_callers = true, .fill = lines_fill};

/*--- Miss curves ---*/

enum { FUNCTIONS = 10, FUNCTIONS_BESIDE = 5 };

/* Loads the curves, which the caller frees, and says what is shown of them. */
static struct curve_view curves_of(const struct view_input *input, struct curves *curves)
{
    curves_load(curves, input->callers);
    if (input->filter)
        curves_filter(curves, input->filter);
    return (struct curve_view){.curves = curves,
                               .all_sizes = is_whole(input),
                               .brief = view_is_brief(input),
                               .limit = view_limit(input, VIEW_CURVES, FUNCTIONS, FUNCTIONS_BESIDE),
                               .root = input->root};
}

static void curves_write(const struct view_input *input, const struct text_screen *screen,
                         FILE *out)
{
    struct curves curves;
    const struct curve_view view = curves_of(input, &curves);

    curve_view_write(&view, screen, out);
    curves_free(&curves);
}

/* The program's curve alone: text has a table for functions, too, and one for data. */
static void curves_fill(const struct view_input *input, struct next_views *next,
                        struct table *filled)
{
    struct curves curves;
    const struct curve_view view = curves_of(input, &curves);

    (void)next;
    curve_sizes_fill(&view, filled);
    curves_free(&curves);
}

static void curves_page(const struct view_input *input, const struct function_table *functions,
                        FILE *out)
{
    struct curves curves;

    (void)functions;
    curves_load(&curves, input->callers);
    html_curves(&curves, out);
    curves_free(&curves);
}

const struct view_form curves_form = {
    .needs_callers = true, .fill = curves_fill, .write = curves_write, .page = curves_page};
