#include <config.h>

#include "report/load.h"

#include "base/count.h"
#include "base/memory.h"
#include "base/message.h"
#include "cprof_internal.h"
#include "derive/merge.h"
#include "run/saved_profile.h"

#include <stdlib.h>
#include <string.h>

const struct resolve_settings load_full_names = {.style = NAME_FULL};
const struct resolve_settings load_raw_names = {.style = NAME_RAW};

char *load_path(const char *path, const char *example)
{
    char *found = path ? xstrdup(path) : saved_profile_last();

    if (!found)
        message_usage("no profile given, and no run was kept here; try 'cargo cprof %s'", example);
    return found;
}

struct resolve_settings load_brief(const struct resolve_settings *settings)
{
    struct resolve_settings brief = *settings;

    brief.brief_contexts = true;
    return brief;
}

struct cprof_profile *load_resolve(const struct cprof_profile *raw,
                                   const struct resolve_settings *settings,
                                   enum name_quality *qualities, struct cprof_error *error)
{
    unsetenv("DEBUGINFOD_URLS");
    return resolve_profile(raw, settings, qualities, error);
}

struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *read = profile_load_blocks(path, 0, &error), *named = NULL;

    *qualities = NULL;
    if (read && read->format != CPROF_FORMAT_RAW) {
        named = resolve_names(read, settings, &error);
        read = NULL;
    }
    if (read) {
        *qualities = xcalloc(read->n_objects, sizeof **qualities);
        named = load_resolve(read, settings, *qualities, &error);
        cprof_free(read);
    }
    if (!named)
        message_library_error(&error);
    return named;
}

bool load_lost_names(const struct cprof_profile *p, const enum name_quality *qualities)
{
    for (uint32_t i = 0; qualities && i < p->n_objects; i++)
        if (qualities[i] == NAMES_MISSING && p->program && !strcmp(p->objects[i].path, p->program))
            return true;
    return false;
}

void load_warn_names(const struct cprof_profile *p, const enum name_quality *qualities)
{
    if (load_lost_names(p, qualities))
        message_warning("'%s' has no names: its program '%s' is gone or was built anew; a run "
                        "with --save-baseline keeps them",
                        p->source, p->program);
}

int load_check_whole(const struct cprof_profile *p)
{
    if (!p->may_be_cut)
        return 0;
    return message_error("'%s' may be cut short: its end is missing, and what is compared or kept "
                         "must be whole",
                         p->source);
}

/* One of several. */
static struct cprof_profile *load_one(const char *path, const struct resolve_settings *settings,
                                      bool whole, enum name_quality **qualities)
{
    struct cprof_profile *profile = load_named_profile(path, settings, qualities);

    if (profile && whole && load_check_whole(profile)) {
        cprof_free(profile);
        return NULL;
    }
    return profile;
}

struct cprof_profile *load_merged_profile(const struct string_list *files,
                                          const struct resolve_settings *settings, bool whole,
                                          enum name_quality **qualities)
{
    struct cprof_profile **profiles, *merged = NULL;
    enum name_quality *its = NULL;
    struct cprof_error error;
    size_t n = 0;

    if (qualities)
        *qualities = NULL;
    if (files->n == 1) {
        merged = load_one(files->items[0], settings, whole, &its);
        if (qualities)
            *qualities = its;
        else
            free(its);
        return merged;
    }
    profiles = xcalloc(files->n, sizeof *profiles);
    for (; n < files->n; n++) {
        profiles[n] = load_one(files->items[n], settings, whole, &its);
        if (profiles[n])
            load_warn_names(profiles[n], its);
        free(its);
        if (!profiles[n])
            break;
    }
    if (n == files->n && !(merged = merge_profiles(profiles, n, &error)))
        message_error("cannot add up %s profiles: %s", TEXT_COUNT(n), error.text);
    for (size_t i = 0; i < n; i++)
        cprof_free(profiles[i]);
    free(profiles);
    return merged;
}

static const char *hint(const struct cprof_profile *p, const char *of_others)
{
    bool own = p->format == CPROF_FORMAT_RAW || p->format == CPROF_FORMAT_NAMED;

    return own ? "'cargo cprof callgrind' and 'cachegrind --contexts' count them" : of_others;
}

const char *load_paths_hint(const struct cprof_profile *p)
{
    return hint(p, "profiles of cargo-cprof have them");
}

const char *load_calls_hint(const struct cprof_profile *p)
{
    return hint(p, "profiles of callgrind and cargo-cprof have them");
}
