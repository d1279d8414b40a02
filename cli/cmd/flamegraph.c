#include <config.h>

/* The command flamegraph: call paths as a picture. */
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "diff/same_program.h"
#include "options/open_file.h"
#include "profiles/load.h"
#include "views/flame_output.h"
#include "views/show.h"

#include <stdlib.h>

struct settings {
    struct show_settings show; /* first: rows of its options are of this struct, too */
    struct flame_settings flame;
    const char *old; /* --diff; NULL: nothing is compared */
    bool open;
};

#define AT(member) offsetof(struct settings, member)

static const struct option_def options[] = {
    SHOW_OPTION_OUTPUT(0, 0),
    {.name = "open", .kind = OPTION_FLAG, .help = OPEN_HELP, .offset = AT(open)},
    SHOW_OPTION_SORT(AT(show), 0, "the cost that widths are of: Ir, Dr, D1mr, ..."),
    {.name = "inverted",
     .kind = OPTION_FLAG,
     .help = "from the top: each function, by own cost, with the callers below",
     .offset = AT(flame.inverted)},
    {.name = "diff",
     .kind = OPTION_STRING,
     .value = "OLD",
     .help = "compare with this profile or baseline: red is more than there, blue less",
     .offset = AT(old)},
    {.name = "threshold",
     .kind = OPTION_STRING,
     .value = "PERCENT",
     .help = "leave out paths that cost less than this of the program (0.01)",
     .offset = AT(flame.threshold)},
    {.name = "full-paths",
     .kind = OPTION_FLAG,
     .help = "draw " FLAME_FULL_PATHS_HELP,
     .offset = AT(flame.full_paths)},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .help = "draw threads apart, also threads that run equal code",
     .offset = AT(flame.threads)},
    {.name = "width",
     .kind = OPTION_NUMBER,
     .value = "PIXELS",
     .help = "the picture's width (1200)",
     .offset = AT(flame.width)},
    SHOW_OPTIONS_NAMES(struct settings, show.names),
    {.name = NULL},
};

/* The profile, or where it is the last run and has no call paths another of its program. */
static struct cprof_profile *load(const struct resolve_settings *names, char **path, bool last,
                                  enum name_quality **qualities)
{
    struct cprof_profile *profile = load_named_profile(*path, names, qualities);

    if (profile && last && !load_run_with_paths(&profile, qualities, path, names))
        return NULL;
    return profile;
}

static struct resolve_settings names_of(const struct settings *settings)
{
    struct resolve_settings names = load_brief(&settings->show.names);

    names.whole_stacks = true;
    return names;
}

static int draw_to(const struct settings *settings, char **path, bool last, FILE *out)
{
    struct resolve_settings names = names_of(settings);
    enum name_quality *qualities = NULL, *old_qualities = NULL;
    struct cprof_profile *profile = load(&names, path, last, &qualities), *old = NULL;
    struct packages packages = {0};
    struct flame_settings flame = settings->flame;
    struct crates crates;
    int status = STATUS_ERROR;

    flame.measure = settings->show.sort;
    if (profile && settings->old) {
        char *old_path;

        if (load_path(settings->old, NULL, &old_path) == 0)
            old = load_named_profile(old_path, &names, &old_qualities);
        free(old_path);
    }
    if (profile) {
        (void)profile_warnings(profile, false);
        load_warn_names(profile, qualities);
        load_note_end(profile);
    }
    if (old) {
        load_warn_names(old, old_qualities);
        load_note_end(old);
        same_program_note(old, profile);
    }
    if (profile && settings->old && (!old || load_check_whole(old) || load_check_whole(profile))) {
        status = STATUS_ERROR;
    } else if (profile) {
        packages_find(&packages, *path);
        crates_load(&crates, profile, &packages, NULL);
        status = flame_write(&(struct flame_subject){profile, old, &crates, NULL}, &flame, out);
        crates_free(&crates);
        packages_free(&packages);
    }
    cprof_free(profile);
    cprof_free(old);
    free(qualities);
    free(old_qualities);
    return status;
}

/* `profile` may be NULL: the last run's. */
static int draw(const struct settings *settings, const char *profile)
{
    char *path;
    struct output_file file = {.stream = NULL};
    int status = load_path(profile, "flamegraph -o flame.svg nnet.cprof", &path);

    if (status == 0)
        status = output_begin(&file, settings->show.output);
    if (status == 0)
        status = draw_to(settings, &path, !profile, file.stream);
    free(path);
    return output_end(&file, settings->show.output, status);
}

static int check(const struct settings *settings, const struct string_list *operands)
{
    int status = 0;

    if (operands->n > 1)
        status = message_usage("unexpected '%s'; one profile is drawn at a time%s",
                               operands->items[1], settings->old ? "" : ", --diff compares two");
    if (status == 0 && settings->old && (settings->flame.full_paths || settings->flame.threads))
        status = message_usage(
            "%s has no effect with --diff, which compares each path in full; leave it out",
            settings->flame.full_paths ? "--full-paths" : "--threads");
    if (status == 0)
        status = flame_check(&settings->flame);
    return status ? status : show_check(&settings->show);
}

static int work(void *data, struct option_result *result)
{
    struct settings *settings = data;
    const struct string_list *operands = &result->operands;
    const char *picture = "";
    char *kept_picture;
    int status;

    options_take_rest(result);
    status = open_page("flamegraph.svg", settings->open, &picture, &settings->show.output,
                       &kept_picture);
    settings->show.output = picture;
    if (status == 0)
        status = check(settings, operands);
    if (status == 0)
        status = draw(settings, operands->n ? operands->items[0] : NULL);
    if (status == 0 && kept_picture)
        message_status("Wrote", "%s", kept_picture);
    if (status == 0 && settings->open)
        status = open_file(settings->show.output);
    free(kept_picture);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.show = SHOW_SETTINGS_INIT};

    return command_run_plain(self, options, argc, argv, work, &settings);
}

const struct command command_flamegraph = {
    .name = "flamegraph",
    .summary = "draw the call paths as a picture to look around in",
    .usage = "[OPTIONS] [FILE]",
    .examples = "  cargo cprof flamegraph -o flame.svg              of the last run\n"
                "  cargo cprof flamegraph --inverted -o flame.svg   who is behind what costs most\n"
                "  cargo cprof flamegraph --sort d1mr -o flame.svg  cache misses\n"
                "  cargo cprof flamegraph --diff old.cprof new.cprof -o flame.svg\n"
                "                                                   what changed\n",
    .run = run,
};
