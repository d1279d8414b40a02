#include <config.h>

#include "bisect/repository.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>

/*--- Git ---*/

/* Variables of a git that has called us, as a hook: they would lead to its work tree. */
static const char *const variables[] = {"GIT_DIR",
                                        "GIT_WORK_TREE",
                                        "GIT_INDEX_FILE",
                                        "GIT_PREFIX",
                                        "GIT_COMMON_DIR",
                                        "GIT_OBJECT_DIRECTORY",
                                        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                        "GIT_NAMESPACE"};

/* Runs git with words up to NULL. `*text` is what it prints, of errors too with `errors`; for the
 * caller to free. Returns whether it ended with 0. */
static bool git(const char *folder, bool errors, const char *const *words, char **text)
{
    struct string_list all = STRING_LIST("git", "-C", folder, "-c", "core.hooksPath=/dev/null");
    struct process_spec spec = {.no_input = true, .no_errors = !errors, .errors_to_output = errors};
    int status = 0, error;

    string_list_append(&all, words);
    spec.argv = all.items;
    error = process_text(&spec, text, &status);
    string_list_free(&all);
    return !error && !status;
}

#define GIT(folder, errors, text, ...) \
    git(folder, errors, (const char *const[]){__VA_ARGS__, NULL}, text)

/* The first line that git prints, for the caller to free; NULL: it failed, or there is none. */
static char *git_line(const char *folder, const char *const *words)
{
    char *text;
    bool done = git(folder, false, words, &text);

    text[strcspn(text, "\n")] = '\0';
    if (done && *text)
        return text;
    free(text);
    return NULL;
}

#define GIT_LINE(folder, ...) git_line(folder, (const char *const[]){__VA_ARGS__, NULL})

int repository_open(struct repository *repository)
{
    char *program = process_find("git"), *text;

    *repository = (struct repository){.top = NULL};
    if (!program)
        return message_usage("there is no git on PATH, which knows the commits; install it");
    free(program);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    repository->top = GIT_LINE(".", "rev-parse", "--show-toplevel");
    if (!repository->top) {
        (void)GIT(".", true, &text, "rev-parse", "--show-toplevel");
        text[strcspn(text, "\n")] = '\0';
        message_error("git finds no repository with a work tree here: %s; go to one", text);
        free(text);
        return STATUS_USAGE;
    }
    repository->folder = GIT_LINE(".", "rev-parse", "--show-prefix");
    if (!repository->folder)
        repository->folder = xstrdup("");
    return 0;
}

void repository_free(struct repository *repository)
{
    free(repository->top);
    free(repository->folder);
    *repository = (struct repository){.top = NULL};
}

bool repository_is_dirty(const struct repository *repository)
{
    char *line = GIT_LINE(repository->top, "status", "--porcelain", "--untracked-files=no");
    bool is_dirty = line != NULL;

    free(line);
    return is_dirty;
}

/*--- Commits ---*/

int repository_find(const struct repository *repository, const char *option, const char *revision,
                    char **commit)
{
    char *text = xasprintf("%s^{commit}", revision), *shallow;
    const char *hint = "'git log' has the commits, 'git tag' the tags";

    *commit =
        GIT_LINE(repository->top, "rev-parse", "--verify", "--quiet", "--end-of-options", text);
    free(text);
    if (*commit)
        return 0;
    shallow = GIT_LINE(repository->top, "rev-parse", "--is-shallow-repository");
    if (shallow && !strcmp(shallow, "true"))
        hint = "this clone is shallow, and 'git fetch --unshallow' brings what it lacks";
    free(shallow);
    return message_usage("'%s' of --%s is no revision that git knows here; %s", revision, option,
                         hint);
}

bool repository_is_before(const struct repository *repository, const char *commit,
                          const char *later)
{
    char *text;
    bool is = GIT(repository->top, false, &text, "merge-base", "--is-ancestor", commit, later);

    free(text);
    return is;
}

char *repository_base(const struct repository *repository, const char *one, const char *other)
{
    return GIT_LINE(repository->top, "merge-base", one, other);
}

char *repository_parent(const struct repository *repository, const char *commit)
{
    char *text = xasprintf("%s^", commit);
    char *parent = GIT_LINE(repository->top, "rev-parse", "--verify", "--quiet", text);

    free(text);
    return parent;
}

static char *shown(const struct repository *repository, const char *commit, const char *format)
{
    char *option = xasprintf("--format=%s", format);
    char *line = GIT_LINE(repository->top, "log", "-1", "--no-show-signature", "--date=short",
                          option, commit);

    free(option);
    return line ? line : xstrdup("");
}

void commit_name_load(struct commit_name *name, const struct repository *repository,
                      const char *commit)
{
    *name =
        (struct commit_name){shown(repository, commit, "%h"), shown(repository, commit, "%s"),
                             shown(repository, commit, "%an"), shown(repository, commit, "%ad")};
}

void commit_name_free(struct commit_name *name)
{
    free(name->brief);
    free(name->subject);
    free(name->author);
    free(name->date);
    *name = (struct commit_name){.brief = NULL};
}

/*--- Search ---*/

/* Lines of "COMMIT (dist=N)", those that divide best first, or "COMMIT", the newest first. */
static void read_range(struct bisection *s, const char *order)
{
    struct string_list words = STRING_LIST("rev-list", order, s->bad, "--not");
    char *text, *rest, *line;

    string_list_append(&words, s->good.items);
    string_list_free_texts(&s->range);
    if (git(s->repository->top, false, words.items, &text))
        for (rest = text; (line = strsep(&rest, "\n"));)
            if (*line)
                string_list_add(&s->range, xstrndup(line, strcspn(line, " ")));
    free(text);
    string_list_free(&words);
}

const char *bisection_next(struct bisection *s)
{
    const char **open;
    const char *next = NULL;
    size_t n = 0, n_skipped = 0;
    double place;

    read_range(s, "--bisect-all");
    open = xcalloc(s->range.n + 1, sizeof *open);
    for (size_t i = 0; i < s->range.n; i++) {
        bool skipped = string_list_has(&s->skipped, s->range.items[i]);

        n_skipped += skipped;
        if (!skipped && strcmp(s->range.items[i], s->bad) != 0)
            open[n++] = s->range.items[i];
    }
    /* Multiples of the golden ratio, without what is before the point, are spread evenly; squares
     * of them are small more often, and so near to the middle. */
    place = (double)n_skipped * 0.6180339887;
    place -= (double)(long)place;
    if (n)
        next = open[(size_t)(place * place * (double)n)];
    else
        read_range(s, "--topo-order");
    free(open);
    return next;
}

unsigned bisection_left(const struct bisection *s)
{
    unsigned left = 0;

    for (size_t n = s->range.n; n > 1; n -= n / 2)
        left++;
    return left;
}

void bisection_free(struct bisection *s)
{
    string_list_free(&s->good);
    string_list_free(&s->skipped);
    string_list_free_texts(&s->range);
}

/*--- A work tree ---*/

/* Says what git said, in one line. */
static int fail(const char *what, const char *path, char *text)
{
    size_t size = strlen(text);

    while (size && text[size - 1] == '\n')
        text[--size] = '\0';
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return message_error("cannot %s the work tree '%s': %s; see what 'git worktree list' says",
                         what, path, *text ? text : "git failed");
}

int repository_tree_make(const struct repository *repository, const char *path)
{
    char *text;
    int status = 0;

    repository_tree_remove(repository, path);
    if (!GIT(repository->top, true, &text, "worktree", "add", "--force", "--detach",
             "--no-checkout", path))
        status = fail("make", path, text);
    free(text);
    return status;
}

int repository_tree_set(const char *path, const char *commit)
{
    char *text;
    bool done = GIT(path, true, &text, "checkout", "--quiet", "--force", "--detach", commit);
    int status = 0;

    if (done) {
        free(text);
        done = GIT(path, true, &text, "clean", "--quiet", "-ffdx");
    }
    if (!done)
        status = fail("set", path, text);
    free(text);
    return status;
}

/* Git may know the work tree that a killed run has left, or not any more. */
void repository_tree_remove(const struct repository *repository, const char *path)
{
    char *text;

    (void)GIT(repository->top, false, &text, "worktree", "remove", "--force", "--force", path);
    free(text);
    (void)folder_remove(path, NULL, NULL);
}
