#include <config.h>

#include "profiles/load.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "calls/graph.h"
#include "calls/sound.h"
#include "cprof_internal.h"
#include "derive/copy.h"
#include "diff/same_program.h"
#include "render/text/text.h"
#include "run/sampling_read.h"
#include "run/saved_profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/*--- Loading ---*/

const struct resolve_settings load_compared_names = {.style = NAME_FULL, .inlined_contexts = true};
const struct resolve_settings load_raw_names = {.style = NAME_RAW, .whole_stacks = true};

int load_path(const char *name, const char *example, char **path)
{
    *path = name ? saved_profile_find(name) : saved_profile_last();
    if (*path)
        return 0;
    if (!name)
        return message_usage("no profile given, and no run was kept here; try 'cargo cprof %s'",
                             example);
    return load_unknown(name);
}

int load_paths(const struct string_list *names, const char *example, struct string_list *paths)
{
    size_t n = names->n ? names->n : 1;
    int status = 0;

    *paths = (struct string_list){0};
    for (size_t i = 0; i < n && !status; i++) {
        char *path;

        status = load_path(names->n ? names->items[i] : NULL, example, &path);
        if (!status)
            string_list_add(paths, path);
    }
    return status;
}

int load_unknown(const char *name)
{
    if (!strcmp(name, "last"))
        return message_error("no run was kept here; 'cargo cprof callgrind' keeps one");
    return message_error("no profile '%s': neither a file, nor a baseline or a kept run; 'cargo "
                         "cprof baselines' lists those",
                         name);
}

/* The newest kept run of the program with call paths, or NULL. The caller frees it. */
static char *find_with_paths(const struct cprof_profile *p)
{
    struct string_list runs;
    char *found = NULL;

    saved_runs(&runs);
    for (size_t i = 0; i < runs.n && !found; i++) {
        struct cprof_error error;
        struct cprof_profile *run = profile_load_blocks(runs.items[i], 0, &error);

        if (run && run->n_contexts && same_program(run, p))
            found = xstrdup(runs.items[i]);
        cprof_free(run);
    }
    string_list_free_texts(&runs);
    return found;
}

static void note_instead(const struct cprof_profile *p, const char *path)
{
    char date[32] = "?", *name = program_name(p);
    struct stat facts;
    struct tm local;

    if (stat(path, &facts) == 0 && localtime_r(&facts.st_mtim.tv_sec, &local))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
    message_note(
        "the last run has no call paths; shown is the newest run of '%s' that has them, of %s: %s",
        name ? name : "the program", date, path);
    free(name);
}

bool load_run_with_paths(struct cprof_profile **profile, enum name_quality **qualities, char **path,
                         const struct resolve_settings *settings)
{
    char *other = (*profile)->n_contexts ? NULL : find_with_paths(*profile);

    if (!other)
        return true;
    note_instead(*profile, other);
    cprof_free(*profile);
    free(*qualities);
    free(*path);
    *path = other;
    *profile = load_named_profile(other, settings, qualities);
    return *profile != NULL;
}

void load_note_end(const struct cprof_profile *p)
{
    if (p->exit == CPROF_EXIT_SIGNAL)
        message_note("'%s' is of a run that was interrupted: a signal ended the program, the "
                     "profile is of what ran before",
                     p->source);
}

struct resolve_settings load_brief(const struct resolve_settings *settings)
{
    struct resolve_settings brief = *settings;

    brief.brief_contexts = true;
    return brief;
}

/* Says where the file of a profile contradicts itself. Inclusive costs that do are left out: what
 * its calls cost is added up in their place. A profile that is a part of what its file has is
 * not looked at. Returns the profile, which may be NULL. */
static struct cprof_profile *check_sound(struct cprof_profile *p,
                                         const struct resolve_settings *settings)
{
    bool is_part =
        settings && (settings->section || settings->fold_generics || settings->whole_stacks);
    uint32_t function;
    enum sound_fault fault = p && !is_part ? sound_check(p, &function) : SOUND;

    if (fault == SOUND_CALLS)
        message_warning("'%s' contradicts itself: by its callers '%s' was called another number of "
                        "times than by its call paths; numbers of calls may be wrong",
                        p->source, p->functions[function].name);
    if (fault == SOUND || fault == SOUND_CALLS)
        return p;
    message_warning("'%s' contradicts itself: '%s' with what it calls has more than %s; inclusive "
                    "costs are not known, but added up from calls",
                    p->source, p->functions[function].name,
                    fault == SOUND_COSTS_TOTAL ? "the program" : "its call paths");
    profile_drop_inclusive(p);
    return p;
}

struct cprof_profile *load_resolve(const struct cprof_profile *raw,
                                   const struct resolve_settings *settings,
                                   enum name_quality *qualities, struct cprof_error *error)
{
    unsetenv("DEBUGINFOD_URLS");
    return check_sound(resolve_profile(raw, settings, qualities, error), settings);
}

/* As profile_load_blocks(), of a file that perf record wrote. NULL, and no error in `error`: it has
 * been said. */
static struct cprof_profile *load_perf_data(const char *path, struct cprof_error *error)
{
    struct cprof_profile *profile = NULL;
    char *raw = NULL;
    size_t size = 0;

    *error = (struct cprof_error){.code = CPROF_OK};
    if (sampling_read_perf_data(path, &raw, &size) == 0)
        profile = profile_read_blocks(raw, size, path, 0, error);
    free(raw);
    return profile;
}

/* Tells whether the functions of a profile that are in files are called as their addresses: those
 * of gperftools and jemalloc, and what samply has saved without names. */
static bool has_addresses_alone(const struct cprof_profile *p)
{
    bool any = false;

    if ((p->format != CPROF_FORMAT_GPERFTOOLS && p->format != CPROF_FORMAT_FIREFOX) ||
        !p->n_contexts)
        return false;
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];
        uint64_t address;

        if (samples_address(p, i, &address))
            any = true;
        else if (f->object != CPROF_NONE && p->objects[f->object].path[0] == '/')
            return false;
    }
    return any;
}

/* True if files can give the samples names: some are there, and none was built since, as far as
 * their times tell, since the profile has no build-ids. */
static bool are_as_then(const char *path, const struct cprof_profile *p)
{
    struct stat file, object;
    bool any = false;

    if (stat(path, &file) != 0)
        return false;
    for (uint32_t i = 0; i < p->n_objects; i++) {
        if (p->objects[i].path[0] != '/' || stat(p->objects[i].path, &object) != 0)
            continue;
        any = true;
        if (object.st_mtime > file.st_mtime) {
            message_warning("'%s' is newer than '%s': the profile's addresses get no names",
                            p->objects[i].path, path);
            return false;
        }
    }
    return any;
}

/* Puts the same with addresses that get names in the place of samples that have these alone. */
static struct cprof_profile *load_places(const char *path, struct cprof_profile *read,
                                         struct cprof_error *error)
{
    struct code_places *places;
    struct samples_source source = {.locate = sample_places_find};
    struct cprof_profile *raw = NULL;
    struct builder *b;

    if (!has_addresses_alone(read) || !are_as_then(path, read) || !(b = builder_new(error)))
        return read;
    source.places = places = code_places_new();
    copy_header(b, read);
    (void)samples_locate(read, &source, b, error);
    raw = builder_finish(b);
    code_places_free(places);
    cprof_free(read);
    return raw;
}

struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *read = profile_load_blocks(path, 0, &error), *named = NULL;

    if (qualities)
        *qualities = NULL;
    file_note_input(path);
    if (!read && error.code == CPROF_ERROR_FOREIGN && sampling_is_perf_data(path))
        read = load_perf_data(path, &error);
    if (read)
        read = load_places(path, read, &error);
    if (read && read->format != CPROF_FORMAT_RAW) {
        named = check_sound(resolve_names(read, settings, &error), settings);
        read = NULL;
    }
    if (read) {
        if (qualities)
            *qualities = xcalloc(read->n_objects, sizeof **qualities);
        named = load_resolve(read, settings, qualities ? *qualities : NULL, &error);
        cprof_free(read);
    }
    if (!named && error.code != CPROF_OK)
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
                         "must be whole; run it again",
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

/* False where a sum of Ir would be by two rules. */
static bool have_one_rule(struct cprof_profile *const *profiles, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!profiles[i]->rep_one != !profiles[0]->rep_one)
            return false;
    return true;
}

struct cprof_profile *load_merged_profile(const struct string_list *files,
                                          const struct resolve_settings *settings, bool whole,
                                          enum name_quality **qualities)
{
    struct cprof_profile **profiles, *merged = NULL;
    struct cprof_error error;
    size_t n = 0;

    if (qualities)
        *qualities = NULL;
    if (files->n == 1)
        return load_one(files->items[0], settings, whole, qualities);
    profiles = xcalloc(files->n, sizeof *profiles);
    for (; n < files->n; n++) {
        enum name_quality *name_qualities;

        profiles[n] = load_one(files->items[n], settings, whole, &name_qualities);
        if (profiles[n])
            load_warn_names(profiles[n], name_qualities);
        free(name_qualities);
        if (!profiles[n])
            break;
    }
    if (n == files->n && !have_one_rule(profiles, n))
        message_error("cannot add up %s profiles: some count rep movs and the like once (--rep "
                      "one), and others each repetition; count all by one rule",
                      TEXT_COUNT(n));
    else if (n == files->n && !(merged = merge_profiles(profiles, n, &error)))
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

bool load_has_negative(const struct cprof_profile *p)
{
    for (size_t i = 0; i < (size_t)p->n_costs * p->n_events; i++)
        if (p->cost_values[i] < 0)
            return true;
    return false;
}

/*--- Warnings ---*/

enum { WARNINGS_MAX = 5 /* of a profile, said one by one */ };

/* Says one warning of the library, or the error that it is. */
static void say_warning(const struct cprof_profile *p, const struct cprof_warning *w, bool strict)
{
    char *source = p->source ? saved_profile_name(p->source) : xstrdup("profile");
    char *place = w->line && !strstr(w->text, CPROF_STACKS_CUT) ? xasprintf(", line %lu", w->line)
                                                                : xstrdup("");
    char *times = w->count > 1 ? xasprintf(" (%s times)", TEXT_COUNT(w->count)) : xstrdup("");

    if (strict)
        message_error("'%s'%s: %s%s; without --strict it is read", source, place, w->text, times);
    else
        message_warning("'%s'%s: %s%s", source, place, w->text, times);
    free(source);
    free(place);
    free(times);
}

static int say_warnings(const struct cprof_profile *p, bool strict, bool of_stacks)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_warnings; i++)
        if ((of_stacks || !strstr(p->warnings[i].text, CPROF_STACKS_CUT)) && n++ < WARNINGS_MAX)
            say_warning(p, &p->warnings[i], strict);
    if (n > WARNINGS_MAX)
        message_warning("'%s': %u more kinds of warnings are not shown",
                        p->source ? p->source : "profile", (unsigned)(n - WARNINGS_MAX));
    return strict && n ? STATUS_ERROR : 0;
}

int profile_warnings(const struct cprof_profile *p, bool strict)
{
    return say_warnings(p, strict, true);
}

int profile_warnings_again(const struct cprof_profile *p, bool strict)
{
    return say_warnings(p, strict, strict || p->format != CPROF_FORMAT_RAW);
}

/*--- Folded recursion ---*/

/* The functions that are called within themselves, directly or not, for 1 % of the program or more:
 * how many, and the one whose call costs most. */
struct recursive {
    uint32_t n, function;
    int64_t most;
};

static struct recursive find(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.most = column_value(measure, p->totals) / 100};
    uint32_t *cycles = cycles_find(p);
    bool *known = xcalloc((size_t)p->n_functions + 1, sizeof *known);
    int64_t least = found.most;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];
        int64_t cost = column_value(measure, cprof_call_values(p, i));

        if (c->inlined || cycles[c->caller] != cycles[c->callee] || cost <= least)
            continue;
        found.n += !known[c->callee];
        known[c->callee] = true;
        if (cost > found.most) {
            found.most = cost;
            found.function = c->callee;
        }
    }
    free(known);
    free(cycles);
    return found;
}

void recursion_note(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.n = 0};

    if (!p->sampled && p->n_contexts)
        found = find(p, measure);
    if (found.n == 1)
        message_note("recursion is folded where calls are counted: '%s', called within itself, is "
                     "on a path once, and goes on there",
                     p->functions[found.function].name);
    else if (found.n)
        message_note("recursion is folded where calls are counted: %s functions, such as '%s', "
                     "called within themselves, are on a path once, and go on there",
                     TEXT_COUNT(found.n), p->functions[found.function].name);
}
