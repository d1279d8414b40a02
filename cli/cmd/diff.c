#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cmd/command.h"
#include "cmd/compare.h"
#include "cmd/load.h"
#include "cmd/save.h"
#include "run/baseline.h"

#define AT(member) offsetof(struct show_settings, member)

static const struct option_def diff_options[] = {
    {"limit", 'n', OPTION_NUMBER, "N",
     "show the first N functions that changed, 0 for all (20; JSON: all)", AT(limit), NULL},
    {"sort", 0, OPTION_STRING, "COLUMN", "compare this count, greatest change first: Ir, Dr, ...",
     AT(sort), NULL},
    {"inclusive", 0, OPTION_FLAG, NULL,
     "compare what was spent in a function and in all that it called", AT(inclusive), NULL},
    {"filter", 0, OPTION_STRING, "REGEX", "show functions whose name matches (extended expression)",
     AT(filter), NULL},
    {"file", 0, OPTION_STRING, "REGEX", "show functions whose file, or else object, matches",
     AT(file), NULL},
    {"color", 0, OPTION_CHOICE, "WHEN",
     "Colours: auto (on a terminal without NO_COLOR), always, never", AT(color), show_color_names},
    {"output", 'o', OPTION_STRING, "FILE", "write to a file, whole or not at all", AT(output),
     NULL},
    {"format", 0, OPTION_CHOICE, "FORMAT",
     "write a table for people, or one of Markdown: table, md", AT(format), show_format_names},
    {"summary", 0, OPTION_FLAG, NULL,
     "append it as Markdown to the file that $GITHUB_STEP_SUMMARY names, too", AT(summary), NULL},
    {"html", 0, OPTION_FLAG, NULL,
     "write a page for a browser: table and flame graph of what changed, in one file", AT(html),
     NULL},
    {"json", 0, OPTION_OPTIONAL, NULL, "write JSON (schema cprof-diff/1) instead of a table",
     AT(json), NULL},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

/* One side: its profile, and whether its names could be had. */
struct side {
    struct cprof_profile *profile;
    enum name_quality *qualities;
};

/* A raw profile whose program was built anew since has lost its names. */
static void warn_names(const struct side *side)
{
    const struct cprof_profile *p = side->profile;

    for (uint32_t i = 0; side->qualities && i < p->n_objects; i++)
        if (side->qualities[i] == NAMES_MISSING && p->program &&
            !strcmp(p->objects[i].path, p->program)) {
            message_warning("'%s' has no names: its program '%s' is gone or was built anew; a run "
                            "with --save-baseline keeps them",
                            p->source, p->program);
            return;
        }
}

static int load_side(struct side *side, const char *name)
{
    char *path = kept_profile_find(name);

    if (!path)
        return message_error(
            "no profile '%s': neither a file, nor a baseline or a kept run; 'cargo "
            "cprof baselines' lists those",
            name);
    side->profile = load_named_profile(path, &load_full_names, &side->qualities);
    free(path);
    if (!side->profile)
        return STATUS_ERROR;
    if (side->profile->n_events == 0)
        return message_error("no events in '%s'", side->profile->source);
    (void)show_warnings(side->profile, false);
    warn_names(side);
    return 0;
}

static void free_side(struct side *side)
{
    cprof_free(side->profile);
    free(side->qualities);
}

static int compare_files(const struct string_list *names, const struct show_settings *show,
                         const struct compare_settings *settings, const struct gates *gates)
{
    struct side old = {NULL, NULL}, new = {NULL, NULL};
    struct output_file file;
    struct noise old_noise, new_noise;
    char *root = getcwd(NULL, 0);
    bool has_old = false, has_new = false;
    int status = show_begin(&file, show), held = 0;

    if (!status)
        status = load_side(&old, names->items[0]);
    if (!status)
        status = load_side(&new, names->items[1]);
    if (!status)
        status = load_noise(&old_noise, old.profile->source, &has_old);
    if (!status)
        status = load_noise(&new_noise, new.profile->source, &has_new);
    if (!status) {
        const struct noise *noise[] = {has_old ? &old_noise : NULL, has_new ? &new_noise : NULL};

        status = held = compare_profiles(old.profile, new.profile, noise, show, settings, gates,
                                         root, file.stream, show->output != NULL);
    }
    if (has_old)
        noise_free(&old_noise);
    if (has_new)
        noise_free(&new_noise);
    /* What fails a gate is shown all the same. */
    status = show_end(&file, show, held == STATUS_GATE ? 0 : status);
    free_side(&old);
    free_side(&new);
    free(root);
    return status ? status : held;
}

static int check(const struct string_list *operands, const struct show_settings *show)
{
    if (operands->n != 2)
        return message_usage("diff takes two profiles, OLD and NEW, found %zu; each is a file, or "
                             "the name of a baseline or of a kept run",
                             operands->n);
    if (show->json && *show->json)
        return message_usage("--json takes no value, found '%s'; -o names a file", show->json);
    return show_check(show);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct show_settings show = SHOW_SETTINGS_INIT;
    struct compare_settings settings = {.lines = false};
    const struct option_group groups[] = {{"What is compared", diff_options, &show},
                                          {"And how", compare_options, &settings},
                                          {NULL, NULL, NULL}};
    struct option_result result;
    struct gates gates = {.n = 0};
    int status = options_parse(self->name, argc, argv, groups, &result);

    if (!status && result.help) {
        status = command_help_of(self, groups);
    } else if (!status) {
        for (char **rest = result.rest; rest && *rest; rest++)
            string_list_add(&result.operands, *rest);
        status = check(&result.operands, &show);
        if (!status)
            status = compare_gates(&settings, &gates);
        if (!status)
            status = compare_files(&result.operands, &show, &settings, &gates);
    }
    gates_free(&gates);
    string_list_free(&settings.fail_if);
    string_list_free(&result.operands);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "compare two profiles, function by function",
    .usage = "[OPTIONS] OLD NEW",
    .examples =
        "  cargo cprof diff old.callgrind new.callgrind   what changed, greatest change first\n"
        "  cargo cprof diff main last                     a baseline and the last run\n"
        "  cargo cprof diff --lines main last             with the lines that changed\n"
        "  cargo cprof diff --fail-if 'ir>+2%' main last  status 3 if Ir grew by more than 2 %\n"
        "  cargo cprof diff --html -o diff.html main last a page for a browser\n"
        "  cargo cprof diff --json a.out b.out            the same for scripts\n",
    .run = run,
};
