#include <config.h>

#include "base/output.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- The pager ---*/

enum { LESS_WITH_LINKS = 590 /* the oldest version that was tried */ };

/* The pager that runs, and what standard error was; -1: none, unchanged. */
static struct {
    pid_t pid;
    int errors;
    const char *command;
    bool asked, links; /* what pager_shows_links() found */
} pager = {.pid = -1, .errors = -1};

static void ignore(int sig)
{
    (void)sig;
}

/* The pager has the terminal's keys: what interrupts there is its. A write to a pager that has quit
 * fails, and ends nothing. Handlers, since other programs would inherit SIG_IGN. */
static void leave_signals(void)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* The words of a command, which `text` is cut into; or sh and the command, where that has more than
 * words. The caller frees the array. */
static const char **words_of(char *text)
{
    const char **words = xcalloc(strlen(text) + 4, sizeof *words);
    size_t n = 0;

    if (strpbrk(text, "|&;<>()$`\\\"'*?[#~=%")) {
        words[0] = "sh";
        words[1] = "-c";
        words[2] = text;
        return words;
    }
    for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t"))
        words[n++] = word;
    return words;
}

/* Starts the command with `input` as its standard input. */
static int start(const char *command, int input)
{
    struct string_list environment = {0};
    char *text = xstrdup(command);
    const char **words = words_of(text);
    const struct process_spec spec = {.argv = words, .environment = &environment, .input = input};
    int error;

    if (!getenv("LESS"))
        string_list_add(&environment, "LESS=FRX");
    if (!getenv("LV"))
        string_list_add(&environment, "LV=-c");
    error = words[0] ? process_start(&spec, &pager.pid) : -1;
    string_list_free(&environment);
    free(words);
    free(text);
    return error;
}

/* Waits until the pager has ended. Standard output has been closed. */
static void pager_end(void)
{
    if (pager.pid < 0)
        return;
    fflush(stderr);
    if (pager.errors >= 0)
        dup2(pager.errors, STDERR_FILENO);
    (void)process_wait(pager.pid);
    pager.pid = -1;
}

static void end_at_exit(void)
{
    if (pager.pid > 0)
        fclose(stdout);
    pager_end();
}

/* Lets standard output, and standard error on the terminal, lead to `to`. */
static void redirect(int to)
{
    terminal_keep(STDOUT_FILENO);
    dup2(to, STDOUT_FILENO);
    if (isatty(STDERR_FILENO)) {
        pager.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        terminal_keep(STDERR_FILENO);
        dup2(to, STDERR_FILENO);
    }
}

void pager_begin(void)
{
    const char *command = getenv("PAGER"), *term = getenv("TERM");
    int ends[2];

    if (pager.pid > 0 || !isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb"))
        return;
    if (!command)
        command = "less";
    if (!*command || !strcmp(command, "cat") || pipe2(ends, O_CLOEXEC) != 0)
        return;
    fflush(stdout);
    if (start(command, ends[0]) == 0) {
        pager.command = command;
        leave_signals();
        redirect(ends[1]);
        atexit(end_at_exit);
    } else {
        pager.pid = -1;
    }
    close(ends[0]);
    close(ends[1]);
}

/* Asks less for its version. */
static bool less_shows_links(void)
{
    char *first = process_line((const char *const[]){"less", "--version", NULL});
    int version = 0;

    if (first)
        (void)sscanf(first, "less %d", &version);
    free(first);
    return version >= LESS_WITH_LINKS;
}

bool pager_shows_links(void)
{
    const char *options = getenv("LESS");

    if (!pager.command)
        return true;
    if (!pager.asked && !strcmp(pager.command, "less") && (!options || strchr(options, 'R')))
        pager.links = less_shows_links();
    pager.asked = true;
    return pager.links;
}

/*--- Output ---*/

/* The first error of writing; stdio forgets it. */
static int first_error;

void output_flush(void)
{
    if (fflush(stdout) && !first_error)
        first_error = errno;
}

int output_failed(FILE *out)
{
    if (!ferror(out))
        return message_error("cannot write all of the output: %s; %s", strerror(errno),
                             file_advice(errno));
    if (out == stdout && !first_error)
        first_error = errno;
    return STATUS_OK;
}

/* Says that `path` cannot be written, by errno. Returns STATUS_ERROR. */
static int output_refused(const char *path)
{
    int error = errno;
    char target[PATH_MAX];
    ssize_t size = error == ENOENT ? readlink(path, target, sizeof target - 1) : -1;

    if (size > 0) {
        target[size] = '\0';
        return message_error("cannot write '%s': it is a link to '%s', whose folder is not there; "
                             "make that first, or name another file",
                             path, target);
    }
    errno = error;
    return message_error("cannot write '%s': %s; %s", path, strerror(errno), file_advice(errno));
}

static int refuse_dash(void)
{
    return message_usage("'-' is no file to write: leave the option out for standard output, or "
                         "name './-'");
}

static bool is_dash(const char *path)
{
    return !strcmp(path, "-");
}

int output_check(const char *path)
{
    if (is_dash(path))
        return refuse_dash();
    return file_check(path) == 0 ? STATUS_OK : output_refused(path);
}

int output_begin(struct output_file *file, const char *path)
{
    *file = (struct output_file){.stream = stdout};
    if (path && is_dash(path)) {
        file->stream = NULL;
        return refuse_dash();
    }
    if (path && file_begin(file, path) != 0) {
        file->stream = NULL;
        return output_refused(path);
    }
    return STATUS_OK;
}

int output_end(struct output_file *file, const char *path, int status)
{
    if (!path || !file->stream)
        return status;
    if (status != STATUS_OK) {
        file_abort(file);
        return status;
    }
    if (file_is_input(path)) {
        file_abort(file);
        return message_error("'%s' is what was read, and is left as it is; name another file for "
                             "the output",
                             path);
    }
    if (file_commit(file) != 0)
        return message_error("cannot write '%s': %s; nothing was left of it, %s", path,
                             strerror(errno), file_advice(errno));
    return STATUS_OK;
}

int output_close(int status)
{
    int failed;

    output_flush();
    failed = ferror(stdout);
    errno = 0;
    if ((fclose(stdout) || failed) && !first_error)
        first_error = errno ? errno : EIO;
    pager_end();
    if (!first_error || first_error == EPIPE)
        return status;
    message_error("cannot write to standard output: %s; %s", strerror(first_error),
                  file_advice(first_error));
    return status ? status : STATUS_ERROR;
}
