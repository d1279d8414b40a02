#include <config.h>

#include "views/flame_output.h"

#include "base/file.h"
#include "base/message.h"
#include "base/output.h"
#include "names/names.h"
#include "options/column_selection.h"
#include "options/show_options.h"
#include "paths/flame.h"
#include "paths/startup.h"
#include "profiles/load.h"
#include "render/html/flamegraph.h"
#include "render/text/run_header.h"
#include "render/text/text.h"

#include <stdlib.h>

enum { WIDTH_USUAL = 1200, WIDTH_LEAST = 400, WIDTH_MOST = 100000 };
/* Percent. Narrower than a pixel, but one can zoom. */
static const double threshold_usual = 0.01;

/* A profile, and its paths laid out. */
struct drawing {
    const struct cprof_profile *profile;
    struct column_selection selection;
    struct rows rows;
    struct tree tree;
    struct flame flame;
    uint32_t *ids, *first;       /* NULL where nothing is compared */
    const struct crates *crates; /* NULL: nothing is folded */
};

static unsigned width_of(const struct flame_settings *settings)
{
    return settings->width ? (unsigned)settings->width : WIDTH_USUAL;
}

int flame_check(const struct flame_settings *settings)
{
    double threshold;

    if (settings->threads && (settings->full_paths || settings->inverted))
        return message_usage("--threads has no effect with %s",
                             settings->full_paths
                                 ? "--full-paths, which shows each thread; leave it out"
                                 : "--inverted, which adds up all paths; leave it out");
    if (settings->full_paths && settings->inverted)
        return message_usage(
            "--full-paths has no effect with --inverted, which has full paths; leave it out");
    if (settings->width && (settings->width < WIDTH_LEAST || settings->width > WIDTH_MOST))
        return message_usage("--width takes %d to %d pixels, found %ld", WIDTH_LEAST, WIDTH_MOST,
                             settings->width);
    return threshold_read(settings->threshold, &threshold);
}

bool flame_is_known(const struct cprof_profile *p, const char *measure)
{
    struct columns columns;
    const struct column *column;
    bool known = p->n_contexts && p->n_events && !load_has_negative(p);

    columns_load(&columns, events_of(p));
    column = columns_find(&columns, measure);
    known = known && column && column_value(column, p->totals) > 0;
    columns_free(&columns);
    return known;
}

static int load_drawing(struct drawing *s, const struct cprof_profile *profile,
                        const struct flame_settings *settings, struct name_ids *ids)
{
    struct show_settings measured = {.sort = settings->measure};
    const char *name;
    int status;

    s->profile = profile;
    if (profile->n_events == 0)
        return message_error("no events in '%s', so there is nothing to show; name another profile",
                             profile->source);
    /* Widths cannot be negative. */
    if (load_has_negative(profile))
        return message_error(
            "negative counts in '%s': a flame graph cannot have them; 'cargo cprof diff' can",
            profile->source);
    status = selection_load_measure(&s->selection, events_of(profile), &measured);
    if (status != 0)
        return status;
    name = s->selection.measure->name;
    rows_load(&s->rows, profile);
    if (ids) {
        s->ids = name_ids_of(ids, profile);
        s->first = name_ids_first(s->ids, profile->n_functions);
        tree_load_same(&s->tree, &s->rows, s->first);
    } else if (profile->n_contexts) {
        tree_load(&s->tree, profile);
    } else {
        tree_load_flat(&s->tree, &s->rows);
    }
    if (column_value(s->selection.measure, tree_inclusive(&s->tree, 0)) <= 0)
        return message_error("no %s in '%s', so there is nothing to draw; take another --sort",
                             name, profile->source);
    if (!profile->n_contexts)
        message_note("no call paths in '%s': every function stands alone; %s", profile->source,
                     load_paths_hint(profile));
    if (!settings->in_page)
        recursion_note(profile, s->selection.measure);
    return 0;
}

/* Lets the paths begin at own code. A reversed graph has functions with all that is above them, and
 * compared ones have to have the same frames. */
static void fold(struct drawing *s, const struct flame_subject *subject,
                 const struct flame_settings *settings)
{
    if (settings->full_paths || settings->inverted || subject->old || !subject->crates ||
        !s->profile->n_contexts)
        return;
    s->crates = subject->crates;
    startup_fold(&s->tree, s->crates->own, settings->threads);
}

static void lay_out(struct drawing *s, bool inverted, double percent)
{
    const struct column *measure = s->selection.measure;
    double total = (double)column_value(measure, tree_inclusive(&s->tree, 0));
    int64_t least = (int64_t)(total * percent / 100);

    if (inverted)
        flame_load_reversed(&s->flame, &s->tree, measure, least);
    else if (s->crates)
        flame_load_chains(&s->flame, &s->tree, measure, least, s->crates);
    else
        flame_load(&s->flame, &s->tree, measure, least);
}

/* There is one frame, the root, where all paths are left out. */
static int check_frames(const struct drawing *s, double threshold)
{
    if (s->flame.n > 1)
        return 0;
    return message_error("nothing to draw: no %s in '%s' costs %g %% of %s; take a smaller "
                         "--threshold",
                         s->flame.reversed ? "function" : "path", s->profile->source, threshold,
                         s->selection.measure->name);
}

/* The cost of the old one's paths that are not in the new one at all, however narrow. */
static int64_t find_gone(struct drawing *drawing, struct drawing *old_drawing, bool inverted)
{
    int64_t gone;

    lay_out(old_drawing, inverted, 0);
    lay_out(drawing, inverted, 0);
    gone = flame_compare(&drawing->flame, &old_drawing->flame, drawing->ids, old_drawing->ids);
    flame_free(&drawing->flame);
    return gone;
}

static void unload_drawing(struct drawing *s)
{
    flame_free(&s->flame);
    tree_free(&s->tree);
    rows_free(&s->rows);
    selection_free(&s->selection);
    free(s->ids);
    free(s->first);
}

static int draw(const struct drawing *s, struct flamegraph *graph,
                const struct flame_subject *subject, FILE *out)
{
    const struct cprof_profile *p = s->profile;
    struct flame_kinds kinds = {.of_function = NULL};
    struct labels labels;
    char *title, *part;
    int status = 0;

    if (!graph->compared)
        flame_kinds_load(&kinds, p, subject->crates, s->selection.measure);
    labels_load(&labels, &s->rows, text_shown);
    graph->flame = &s->flame;
    graph->kinds = &kinds;
    graph->labels = &labels;
    part = part_heading_text(p);
    title = profile_title(p, subject->title, part);
    graph->title = title;
    graph->measure = s->selection.measure->name;
    graph->n_paths = s->flame.reversed ? 0 : s->tree.n - 1;
    if (flamegraph_write(graph, out) != 0)
        status = output_failed(out);
    free(title);
    free(part);
    labels_free(&labels);
    flame_kinds_free(&kinds);
    return status;
}

int flame_write(const struct flame_subject *subject, const struct flame_settings *settings,
                FILE *out)
{
    const struct cprof_profile *profile = subject->profile, *old = subject->old;
    struct drawing drawing = {.profile = profile}, old_drawing = {.profile = old};
    struct name_ids ids = {.n = 0};
    struct flamegraph graph = {
        .width = width_of(settings), .compared = old != NULL, .in_page = settings->in_page};
    int status = load_drawing(&drawing, profile, settings, old ? &ids : NULL);

    graph.threshold = threshold_usual;
    if (status == 0 && settings->threshold)
        status = threshold_read(settings->threshold, &graph.threshold);
    if (status == 0 && old)
        status = load_drawing(&old_drawing, old, settings, &ids);
    if (status == 0) {
        fold(&drawing, subject, settings);
        if (old)
            graph.gone = find_gone(&drawing, &old_drawing, settings->inverted);
        lay_out(&drawing, settings->inverted, graph.threshold);
        status = check_frames(&drawing, graph.threshold);
    }
    if (status == 0) {
        if (old) {
            flame_compare(&drawing.flame, &old_drawing.flame, drawing.ids, old_drawing.ids);
            graph.than = old->source;
        }
        status = draw(&drawing, &graph, subject, out);
    }
    unload_drawing(&drawing);
    unload_drawing(&old_drawing);
    name_ids_free(&ids);
    return status;
}

int flame_write_file(const struct flame_subject *subject, const struct flame_settings *settings)
{
    struct output_file file;
    int status = output_begin(&file, settings->output);

    if (status == 0)
        status = flame_write(subject, settings, file.stream);
    return output_end(&file, settings->output, status);
}
