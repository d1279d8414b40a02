#include <config.h>

#include "raw.h"

#include "cp_format.h"
#include "error.h"

#include <stdlib.h>

static const struct framed raw_kind = {CP_RAW_MAGIC, CP_RAW_VERSION, "the raw format"};

static int end_record(struct raw *w)
{
    w->have_end = 1;
    return framed_last_line(&w->r, input_line_number(w->r.in) - 1 - w->lines_before);
}

/* Contexts need no cost records where the caller knows of basic blocks and the file is one profile
 * without names that tell instructions apart. */
static int can_keep_blocks(const struct raw *w)
{
    return w->may_keep_blocks && w->n_contexts && !w->n_before && !w->names.count;
}

/* Hands all that was read to the builder. `more`: another profile follows in the file. */
static int finish_one(struct raw *w, int more)
{
    int contexts = w->n_contexts > 0, curves = w->curve_sizes.count > 0;

    if (raw_catch_up(w) || reader_need_events(&w->r) || raw_check_data(w) || raw_check_curves(w))
        return -1;
    if (w->n_before && w->have_counts && contexts != w->contexts_before)
        return framed_bad(&w->r, NULL, "profiles with and without call paths in one file");
    w->contexts_before = contexts;
    if (w->n_before && w->have_counts && curves != w->curves_before)
        return framed_bad(&w->r, NULL, "profiles with and without miss curves in one file");
    w->curves_before = curves;
    if ((more || w->n_before || w->part.part >= 0 || w->part.trigger || w->part.left) &&
        builder_part(w->r.builder, &w->part))
        return -1;
    w->keep_blocks = !more && can_keep_blocks(w);
    return raw_expand(w, !w->keep_blocks);
}

static void start_one(struct raw *w)
{
    w->objects.count = w->instructions.count = w->blocks.count = w->names.count = 0;
    w->sums.count = w->runs.count = w->first_runs.count = w->large.count = 0;
    w->misses.count = w->miss_rows.count = w->contexts.count = w->sections.count = 0;
    w->counted_args.count = w->data_files.count = w->data.count = 0;
    memset(w->data_sums, 0, sizeof w->data_sums);
    w->curve_sizes.count = 0;
    memset(w->reuse_sums, 0, sizeof w->reuse_sums);
    map_release(&w->name_map);
    w->name_map = (struct map){0};
    w->n_contexts = w->keys_seen = w->n_toggles = w->n_alloc_functions = w->n_heap = 0;
    w->is_below_peak = 0;
    w->has_data = w->has_line_use = w->have_counts = w->in_body = w->have_end = w->r.have_events =
        0;
    w->part = (struct cprof_part){.pid = -1, .thread = -1, .part = -1};
    memset(w->cut, 0, sizeof w->cut);
}

/* The first line of another profile: of the next process, or part, of the same run. */
static int next_one(struct raw *w)
{
    if (finish_one(w, 1))
        return -1;
    start_one(w);
    w->n_before++;
    w->lines_before = input_line_number(w->r.in) - 1;
    return framed_first_line(&w->r, &raw_kind);
}

static int any_line(struct raw *w)
{
    const char *line = w->r.line;

    if (w->have_end)
        return LEX_STARTS(line, w->r.end, CP_RAW_MAGIC " ")
                   ? next_one(w)
                   : framed_bad(&w->r, NULL, "lines after 'end'");
    if (LEX_STARTS(line, w->r.end, CP_RAW_END " "))
        return end_record(w);
    if (w->r.end - line < 2 || line[1] != ' ')
        return w->in_body ? framed_bad(&w->r, NULL, "unknown record") : raw_header_line(w);
    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "records before 'events:'");
    w->in_body = 1;
    if (*line != CP_REC_COUNT && *line != CP_REC_MISSES && *line != CP_REC_HEAP &&
        *line != CP_REC_CONTEXT && raw_catch_up(w))
        return -1;
    switch (*line) {
    case CP_REC_OBJECT:
        return raw_object_record(w, line + 2);
    case CP_REC_RANGE:
        return raw_range_record(w, line + 2);
    case CP_REC_BLOCK:
        return raw_block_record(w, line + 2);
    case CP_REC_COUNT:
        return raw_count_record(w, line + 2);
    case CP_REC_MISSES:
        return raw_miss_record(w, line + 2);
    case CP_REC_HEAP:
        return raw_heap_record(w, line + 2);
    case CP_REC_HEAP_INCLUSIVE:
        return raw_heap_inclusive_record(w, line + 2);
    case CP_REC_HEAP_EDGE:
        return raw_heap_edge_record(w, line + 2);
    case CP_REC_HEAP_SECTION:
        return raw_heap_section_record(w, line + 2);
    case CP_REC_DATA_FILE:
        return raw_data_file_record(w, line + 2);
    case CP_REC_DATA:
        return raw_datum_record(w, line + 2);
    case CP_REC_TOUCH:
        return raw_touch_record(w, line + 2);
    case CP_REC_CURVE:
        return raw_curve_record(w, line + 2);
    case CP_REC_DATA_CURVE:
        return raw_data_curve_record(w, line + 2);
    case CP_REC_NAME:
        return raw_name_record(w, line + 2);
    case CP_REC_KEPT_NAME:
        return raw_kept_name_record(w, line + 2);
    case CP_REC_CONTEXT:
        return raw_context_record(w, line + 2);
    case CP_REC_ROOT:
        return raw_root_record(w, line + 2);
    case CP_REC_INCLUSIVE:
        return raw_inclusive_record(w, line + 2);
    case CP_REC_EDGE:
        return raw_edge_record(w, line + 2);
    case CP_REC_SECTION:
        return raw_section_record(w, line + 2);
    case CP_REC_SECTION_COST:
        return raw_section_cost_record(w, line + 2);
    case CP_REC_SPREAD:
        return raw_spread_record(w, line + 2);
    case CP_REC_EXTREMES:
        return raw_extremes_record(w, line + 2);
    case CP_REC_ENTERED:
        return raw_entered_record(w, line + 2);
    case CP_REC_ARGUMENTS:
        return raw_arguments_record(w, line + 2);
    default:
        return framed_bad(&w->r, NULL, "unknown record");
    }
}

/* Takes lines of basic blocks and call paths up to the first odd one: they are most of the file.
 * 0 or -1. */
static int quick_lines(struct raw *w)
{
    int taken = 1;

    while (taken > 0) {
        const char *end, *line = input_rest(w->r.in, &end);

        if (end - line < 2 || line[1] != ' ')
            return 0;
        taken = *line == CP_REC_COUNT     ? raw_quick_counts(w, line, end)
                : *line == CP_REC_CONTEXT ? raw_quick_context(w, line, end)
                : *line == CP_REC_BLOCK   ? raw_quick_block(w, line, end)
                                          : 0;
    }
    return taken;
}

static int lines(struct reader *r)
{
    struct raw *w = (struct raw *)r;

    return any_line(w) || (w->in_body && !w->have_end && quick_lines(w)) ? -1 : 0;
}

/* The reader and the builder report apart while both may be at work. */
static int read_all(struct reader *r)
{
    struct raw *w = (struct raw *)r;
    int result;

    w->behind = *r->error;
    raw_begin_batches(w);
    builder_report_to(r->builder, &w->behind);
    start_one(w);
    result = framed_lines(r, &raw_kind, lines, &w->have_end) ? -1 : finish_one(w, 0);
    raw_wait(w);
    builder_report_to(r->builder, r->error);
    if (result && r->error->code == CPROF_OK)
        *r->error = w->behind;
    return result;
}

static void release(struct raw *w)
{
    raw_release_batches(w);
    free(w->objects.data);
    free(w->instructions.data);
    free(w->blocks.data);
    free(w->names.data);
    free(w->sums.data);
    free(w->runs.data);
    free(w->first_runs.data);
    free(w->large.data);
    free(w->misses.data);
    free(w->miss_rows.data);
    free(w->sections.data);
    free(w->counted_args.data);
    free(w->contexts.data);
    free(w->data_files.data);
    free(w->data.data);
    free(w->curve_sizes.data);
    free(w->functions.data);
    map_release(&w->function_map);
    map_release(&w->name_map);
    free(w);
}

struct cprof_profile *raw_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct raw *w = reader_new(sizeof *w, error);
    struct cprof_profile *profile;

    if (!w)
        return NULL;
    w->may_keep_blocks = (flags & READER_BLOCKS) != 0;
    profile = reader_run(&w->r, in, flags, error, CPROF_FORMAT_RAW, read_all);
    if (profile && w->keep_blocks && raw_keep_blocks(w, profile)) {
        cprof_free(profile);
        profile = NULL;
    }
    release(w);
    return profile;
}
