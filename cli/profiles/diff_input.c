#include <config.h>

#include "profiles/diff_input.h"

#include "base/message.h"
#include "profiles/load.h"
#include "profiles/save.h"
#include "profiles/warnings.h"
#include "run/baseline.h"

#include <stdlib.h>
#include <string.h>

int diff_input_load(struct diff_input *input, const char *name,
                    const struct resolve_settings *names)
{
    enum name_quality *qualities;
    char *path = saved_profile_find(name);

    if (!path)
        return load_unknown(name);
    input->profile = load_named_profile(path, names, &qualities);
    packages_find(&input->packages, path);
    free(path);
    if (input->profile && input->profile->n_events) {
        if (!input->told)
            (void)profile_warnings_again(input->profile, false);
        load_warn_names(input->profile, qualities);
        load_note_end(input->profile);
    }
    free(qualities);
    if (!input->profile)
        return STATUS_ERROR;
    if (input->profile->n_events == 0)
        return message_error("no events in '%s'", input->profile->source);
    if (load_check_whole(input->profile))
        return STATUS_ERROR;
    return load_noise(&input->noise, input->profile->source, &input->has_noise);
}

const struct noise *diff_input_noise(const struct diff_input *input)
{
    return input->has_noise ? &input->noise : NULL;
}

void diff_input_free(struct diff_input *input)
{
    if (input->has_noise)
        noise_free(&input->noise);
    packages_free(&input->packages);
    cprof_free(input->profile);
    *input = (struct diff_input){.profile = NULL};
}
