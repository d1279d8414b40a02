#include <config.h>

#include "profiles/sources.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "names/crates.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*--- Files that are missing ---*/

/* The first file in that state, and how many there are. */
static const struct source *first_in(const struct source_finder *f, enum source_state state,
                                     size_t *n)
{
    const struct source *first = NULL;

    *n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->sources[i]->state == state) {
            first = first ? first : f->sources[i];
            ++*n;
        }
    return first;
}

static void say_missing(const struct source_finder *f)
{
    size_t n;
    const struct source *s = first_in(f, SOURCE_MISSING, &n);
    char *more;

    if (!s)
        return;
    more = n > 1 ? xasprintf(" and %s more", TEXT_COUNT(n - 1)) : xstrdup("");
    message_note("no source file '%s'%s; --source-map OLD=NEW says where sources are that were "
                 "built below OLD",
                 s->recorded, more);
    free(more);
}

static void say_std(const struct source_finder *f)
{
    size_t n;

    if (first_in(f, SOURCE_MISSING_STD, &n))
        message_note("the standard library's source is not there%s; install it with 'rustup "
                     "component add rust-src' (Debian: rust-src)",
                     f->sysroot ? "" : ": no rustc to ask for it");
    if (first_in(f, SOURCE_OTHER_STD, &n))
        message_note("the standard library was built from commit %.9s, and this rustc is of %.9s: "
                     "its lines would be wrong; set RUSTC to the one that built the program",
                     first_in(f, SOURCE_OTHER_STD, &n)->recorded + strlen("/rustc/"), f->commit);
}

static void say_unreadable(const struct source_finder *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct source *s = f->sources[i];

        if (s->state == SOURCE_UNREADABLE)
            message_warning("cannot read '%s': %s", s->path, strerror(s->error));
        else if (s->state == SOURCE_TOO_LARGE)
            message_warning("cannot show '%s': it is larger than %d MB", s->path, SOURCE_MAX >> 20);
    }
}

/*--- Files that are newer than the program ---*/

/* An object that has costs at lines of the file, or CPROF_NONE. */
static uint32_t object_of(const struct cprof_profile *p, const char *path)
{
    uint32_t file = 0;

    while (file < p->n_files && strcmp(p->files[file], path) != 0)
        file++;
    for (uint32_t i = 0; i < p->n_costs; i++)
        if (p->costs[i].file == file)
            return p->functions[p->costs[i].function].object;
    return CPROF_NONE;
}

/* The object, or the profile where that is not known or has been written later. */
static const char *built_from(const struct cprof_profile *p, const char *file,
                              struct timespec *when)
{
    uint32_t object = object_of(p, file);
    const char *path = object == CPROF_NONE ? NULL : p->objects[object].path;
    struct stat file_state, run;
    bool has_run = p->source && strcmp(p->source, "-") != 0 && stat(p->source, &run) == 0;

    if (path && path[0] == '/' && stat(path, &file_state) == 0 &&
        !(has_run && file_is_later(&file_state.st_mtim, &run.st_mtim))) {
        *when = file_state.st_mtim;
        return path;
    }
    if (!has_run)
        return NULL;
    *when = run.st_mtim;
    return p->source;
}

static void say_newer(const struct source_finder *f, const struct cprof_profile *p)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct source *s = f->sources[i];
        struct timespec when;
        const char *than;

        if (s->state != SOURCE_FOUND || s->fixed)
            continue;
        than = built_from(p, s->recorded, &when);
        if (than && file_is_later(&s->modified, &when))
            message_warning(
                "'%s' is newer than '%s': its lines may have moved; build and run it again",
                s->path, than);
    }
}

void sources_say(const struct source_finder *finder, const struct cprof_profile *profile)
{
    output_flush();
    say_newer(finder, profile);
    say_unreadable(finder);
    say_missing(finder);
    say_std(finder);
}

/*--- Costs without a file ---*/

static const char *what_is_missing(const char *path, enum name_quality quality)
{
    switch (quality) {
    case NAMES_MISSING:
    case NAMES_KEPT:
        return "is gone or has changed since the run";
    case NAMES_LINES:
        return "has no lines for that code";
    default:
        return crates_is_libc(path)
                   ? "has no debug information; install the package " CRATES_LIBC_PACKAGES
                   : "has no debug information; build it with debug=1 (-g)";
    }
}

void sources_say_unknown(const struct annotation *a, const struct annotation_subject *subject,
                         const struct column *measure, const enum name_quality *qualities)
{
    const struct cprof_profile *p = a->profile;
    int64_t *values = xcalloc((size_t)p->n_objects + 1, sizeof *values), sum = 0;
    int64_t own = column_value(measure, a->own);
    uint32_t most = 0;
    char percent[TEXT_NUMBER];

    for (uint32_t i = 0; i < p->n_costs && !subject->files; i++) {
        const struct cprof_cost *c = &p->costs[i];
        uint32_t object = p->functions[c->function].object;
        int64_t value = column_value(measure, cprof_cost_values(p, i));

        if ((subject->functions && !subject->functions[c->function]) ||
            (c->file != CPROF_NONE && strcmp(p->files[c->file], "???") != 0))
            continue;
        object = object == CPROF_NONE ? p->n_objects : object;
        count_add(&values[object], value);
        count_add(&sum, value);
        most = values[object] > values[most] ? object : most;
    }
    text_percent(percent, sum, own, 1);
    if (sum > 0 && sum > own / 1000 && most < p->n_objects && qualities) {
        const char *path = p->objects[most].path;

        message_note("no lines for %s %% of %s: '%s' %s", percent, measure->name, path,
                     path[0] == '[' ? "is no file" : what_is_missing(path, qualities[most]));
    }
    free(values);
}
