#include <config.h>

#include "views/compare_own.h"

#include "base/message.h"
#include "views/own_part.h"

/* True where own code is to be shown if there is some; if it is not asked for, if some of it
 * changed. What is of functions alone, columns and
 * inclusive costs, has it left out unless it is asked for. */
static bool is_wanted(const struct show_settings *show, const struct column *sort)
{
    if (show->parts == VIEW_FUNCTIONS)
        return false;
    if (show->json || show->parts != VIEW_UNSAID)
        return true;
    return column_adds_up(sort) && !show->columns;
}

int compare_own_load(struct compare_own *own, const struct diff *diff,
                     const struct compare_input inputs[DIFF_SIDES], const struct columns *columns,
                     const struct column *sort, const struct show_settings *show,
                     const struct filters *filters)
{
    const struct crates *crates[DIFF_SIDES] = {&own->crates[DIFF_OLD], &own->crates[DIFF_NEW]};

    if (show->parts == VIEW_OWN && !column_adds_up(sort))
        return message_usage("--view own compares what your code is charged with, not '%s'; leave "
                             "out --inclusive, or take --view functions",
                             sort->name);
    for (int side = 0; side < DIFF_SIDES; side++)
        crates_load(&own->crates[side], inputs[side].profile, inputs[side].packages, NULL);
    if (!is_wanted(show, sort))
        return 0;
    own_diff_load(&own->own, diff, crates, &columns->items[sort->self]);
    own_diff_filter(&own->own, filters->has_function ? &filters->function : NULL,
                    filters->has_file ? &filters->file : NULL);
    own->loaded = own->own.n > 0 &&
                  (show->json || show->parts != VIEW_UNSAID || own_diff_changed(&own->own) > 0);
    own_part_note_none(show, own->loaded);
    return 0;
}

void compare_own_free(struct compare_own *own)
{
    own_diff_free(&own->own);
    for (int side = 0; side < DIFF_SIDES; side++)
        crates_free(&own->crates[side]);
    *own = (struct compare_own){.loaded = false};
}

bool compare_shows_functions(const struct compare_own *own, const struct show_settings *show)
{
    return !own->loaded || show->parts == VIEW_BOTH || show->parts == VIEW_FUNCTIONS;
}
