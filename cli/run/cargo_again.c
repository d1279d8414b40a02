#include <config.h>

#include "run/cargo_again.h"

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "run/cargo_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names with their versions, each once. */
struct crates_seen {
    size_t n, room;
    char **items;
};

/* One line of `cargo tree`: "name v1.2.3 (/folder)". */
static void add_crate(void *data, char *line)
{
    struct crates_seen *seen = data;
    char *space = strchr(line, ' '), *end = space ? strchr(space + 1, ' ') : NULL;

    if (!space || space[1] != 'v')
        return;
    if (end)
        *end = '\0';
    for (size_t i = 0; i < seen->n; i++)
        if (!strcmp(seen->items[i], line))
            return;
    GROW(seen->items, seen->n, seen->room);
    seen->items[seen->n++] = xstrdup(line);
}

static void add_pair(struct string_list *words, const char *option, const char *value)
{
    if (!value)
        return;
    string_list_add(words, option);
    string_list_add(words, value);
}

/* The options that decide what is built. */
static void add_words(const struct build_request *r, const struct cargo_target *target,
                      struct string_list *words)
{
    bool dev = target->harness || !strcmp(target->kind, "test") || !strcmp(target->kind, "bench") ||
               !strcmp(target->kind, "example");

    add_pair(words, "--edges", dev ? "normal,build,dev" : "normal,build");
    add_pair(words, "--package", r->package);
    for (size_t i = 0; i < r->features.n; i++)
        add_pair(words, "--features", r->features.items[i]);
    if (r->workspace)
        string_list_add(words, "--workspace");
    if (r->all_features)
        string_list_add(words, "--all-features");
    if (r->no_default_features)
        string_list_add(words, "--no-default-features");
    add_pair(words, "--target", r->target);
    add_pair(words, "--manifest-path", r->manifest_path);
    if (r->offline || r->frozen)
        string_list_add(words, "--offline");
}

/* How many crates `cargo tree` knows that the program is built from, besides its own package; 0:
 * it does not tell. */
static size_t count_crates(const struct build_request *request, const struct cargo_target *target)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct string_list words = {0};
    struct crates_seen seen = {.n = 0};
    int status = 0;
    size_t n;

    string_list_add(&words, cargo_path());
    string_list_add(&words, "tree");
    add_pair(&words, "--prefix", "none");
    add_words(request, target, &words);
    spec.argv = words.items;
    spec.no_input = spec.no_errors = true;
    if (process_capture(&spec, add_crate, &seen, &status) || status)
        n = 0;
    else
        n = seen.n ? seen.n - 1 : 0;
    for (size_t i = 0; i < seen.n; i++)
        free(seen.items[i]);
    free(seen.items);
    string_list_free(&words);
    return n;
}

/* True where the file has the line. */
static bool has_line(const char *path, const char *wanted)
{
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;

    while (in && !found && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = !strcmp(line, wanted);
    }
    free(line);
    if (in)
        fclose(in);
    return found;
}

static void say(const struct build_request *request, const struct cargo_target *target, size_t n,
                bool debug_on)
{
    const char *profile = cargo_profile_name(request, target);
    const char *crates =
        n == 1 ? "crate that yours depends on is" : "crates that yours depend on are";

    if (request->frame_pointers)
        message_note("%zu %s built apart from those of other builds, with frame pointers, for "
                     "--call-graph fp alone",
                     n, crates);
    else if (debug_on)
        message_note("%zu %s built apart from those of 'cargo build', with debug=1, since "
                     "[profile.%s] has less: 'debug = 1' there avoids that, --no-debuginfo, too",
                     n, crates, profile);
}

void cargo_again_begin(struct cargo_again *again, const struct build_request *request,
                       const struct cargo_target *target, const char *target_folder, bool debug_on)
{
    size_t n;

    *again = (struct cargo_again){.file = NULL};
    if (!target_folder || (!debug_on && !request->frame_pointers))
        return;
    again->file = xasprintf("%s/cprof/" CARGO_AGAIN_FILE, target_folder);
    again->kind = xasprintf("%s%s%s", cargo_profile_name(request, target), debug_on ? " 1" : "",
                            request->frame_pointers ? " fp" : "");
    n = has_line(again->file, again->kind) ? 0 : count_crates(request, target);
    if (n) {
        say(request, target, n, debug_on);
        return;
    }
    free(again->file);
    again->file = NULL;
}

void cargo_again_end(struct cargo_again *again, bool failed)
{
    char *slash = again->file ? strrchr(again->file, '/') : NULL;
    FILE *out = NULL;

    if (slash && !failed) {
        *slash = '\0';
        (void)folder_make(again->file, 0777);
        *slash = '/';
        out = fopen(again->file, "ae");
    }
    /* Without it the same is told once more, which does no harm. */
    if (out) {
        fprintf(out, "%s\n", again->kind);
        fclose(out);
    }
    free(again->file);
    free(again->kind);
    *again = (struct cargo_again){.file = NULL};
}
