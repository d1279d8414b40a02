#include <config.h>

#include "report/diff_input.h"

#include "base/message.h"
#include "report/load.h"
#include "report/save.h"
#include "report/show.h"
#include "run/baseline.h"

#include <stdlib.h>
#include <string.h>

int side_load(struct side *side, const char *name)
{
    enum name_quality *qualities;
    char *path = kept_profile_find(name);

    if (!path)
        return message_error(
            "no profile '%s': neither a file, nor a baseline or a kept run; 'cargo "
            "cprof baselines' lists those",
            name);
    side->profile = load_named_profile(path, &load_full_names, &qualities);
    free(path);
    if (side->profile && side->profile->n_events) {
        (void)show_warnings(side->profile, false);
        load_warn_names(side->profile, qualities);
    }
    free(qualities);
    if (!side->profile)
        return STATUS_ERROR;
    if (side->profile->n_events == 0)
        return message_error("no events in '%s'", side->profile->source);
    if (load_check_whole(side->profile))
        return STATUS_ERROR;
    return load_noise(&side->noise, side->profile->source, &side->has_noise);
}

const struct noise *side_noise(const struct side *side)
{
    return side->has_noise ? &side->noise : NULL;
}

void side_free(struct side *side)
{
    if (side->has_noise)
        noise_free(&side->noise);
    cprof_free(side->profile);
    *side = (struct side){.profile = NULL};
}
