#include <config.h>

#include "runs/run_background.h"

#include "base/memory.h"
#include "base/message.h"
#include "profiles/load.h"
#include "profiles/save.h"
#include "run/baseline.h"
#include "runs/run_load.h"
#include "runs/run_notes.h"
#include "table/columns.h"

#include <stdlib.h>
#include <string.h>

int run_background_gates(struct run_background *background, const struct run_settings *s)
{
    return compare_gates(&s->compare, &background->gates);
}

static int check_gates(const struct gates *gates, const struct columns *columns)
{
    for (size_t i = 0; i < gates->n; i++) {
        const struct column *column = columns_find(columns, gates->items[i].column);

        if (!column || !gate_takes(column))
            return compare_no_count(&gates->items[i], "the baseline has", columns);
    }
    return 0;
}

/* The counts of two commands differ; that is told before a run, not after it. */
static int check_baseline(const struct cprof_profile *baseline, const struct gates *gates,
                          const struct run_settings *s)
{
    const char *sort = s->show.sort ? s->show.sort : columns_subject_event(s->subject);
    struct columns columns;
    int status;

    if (!baseline->n_events)
        return 0;
    columns_load(&columns, events_of(baseline));
    status = check_gates(gates, &columns);
    if (!status && sort && !columns_find(&columns, sort))
        status = message_error(
            "the baseline '%s' has no %s to compare: it is of another command; keep one with "
            "'cargo cprof %s --save-baseline NAME', or take --sort with what both count (%s)",
            s->baseline, sort, s->command, baseline->events[0].name);
    columns_free(&columns);
    return status;
}

int run_background_load(struct run_background *background, const struct run_settings *s,
                        const char *target)
{
    enum name_quality *qualities;
    char *path;
    int status;

    if (!s->baseline)
        return 0;
    path = baseline_find(target, s->baseline);
    if (!path)
        return message_error("no baseline '%s'; --save-baseline '%s' keeps one, 'cargo cprof "
                             "baselines' lists what there is",
                             s->baseline, s->baseline);
    background->baseline = load_named_profile(path, &load_compared_names, &qualities);
    free(qualities);
    packages_find(&background->packages, path);
    status = background->baseline && !load_check_whole(background->baseline)
                 ? load_noise(&background->noise, path, &background->has_noise)
                 : STATUS_ERROR;
    free(path);
    if (status)
        return status;
    load_note_end(background->baseline);
    return check_baseline(background->baseline, &background->gates, s);
}

int run_background_read(const struct run_outcome *outcome, const struct show_settings *show,
                        struct cprof_profile **profile)
{
    enum name_quality *qualities;

    if (outcome->ended_by)
        return run_status(outcome);
    if (!outcome->raw.path)
        return run_failure(outcome);
    *profile = run_load(outcome, show, &qualities);
    free(qualities);
    return *profile ? 0 : STATUS_ERROR;
}

void run_background_add(struct run_background *background, struct cprof_profile *profile)
{
    background->earlier =
        xreallocarray(background->earlier, background->n_earlier + 1, sizeof profile);
    background->earlier[background->n_earlier++] = profile;
}

void run_background_measure(const struct run_background *background,
                            const struct cprof_profile *profile, struct noise *noise)
{
    size_t n = background->n_earlier;
    const struct cprof_profile **all = xreallocarray(NULL, n + 1, sizeof *all);

    for (size_t i = 0; i < n; i++)
        all[i] = background->earlier[i];
    all[n] = profile;
    noise_measure(noise, all, n + 1);
    free(all);
}

void run_background_free(struct run_background *background)
{
    for (size_t i = 0; i < background->n_earlier; i++)
        cprof_free(background->earlier[i]);
    free(background->earlier);
    cprof_free(background->baseline);
    packages_free(&background->packages);
    if (background->has_noise)
        noise_free(&background->noise);
    gates_free(&background->gates);
    *background = (struct run_background){.n_earlier = 0};
}
