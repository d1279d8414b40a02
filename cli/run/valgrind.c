#include <config.h>

#include "run/valgrind.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "run/machine.h"
#include "run/progress.h"
#include "run/setup.h"
#include "run/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- The log ---*/

/* Bytes of an instruction that are shown: the longest opcode with its operands. */
enum { BYTES_MOST = 6 };

/* Cuts Valgrind's "==PID== " off. */
static const char *text_of(const char *line)
{
    char mark = *line;
    const char *end;

    if (mark != '=' && mark != '-' && mark != '*')
        return line;
    end = strchr(line, ' ');
    return end && end[-1] == mark && end[-2] == mark ? end + 1 : line;
}

/* "0xF 0x38 0xCB" as "0F 38 CB". */
static char *bytes_of(const char *text)
{
    struct strbuf bytes = {.text = NULL};
    char *end;

    for (int i = 0; i < BYTES_MOST; i++) {
        unsigned long byte = strtoul(text, &end, 16);

        if (end == text)
            break;
        strbuf_addf(&bytes, "%s%02lX", i ? " " : "", byte & 0xff);
        text = end;
    }
    return bytes.text;
}

/* "   at 0x10916C: round2 (in /tmp/sha)". Function names may have blanks. */
static char *function_of(const char *text)
{
    const char *name = strstr(text, ": "), *end = name ? strstr(name, " (in ") : NULL;

    return end ? xstrndup(name + 2, (size_t)(end - name - 2)) : NULL;
}

static void add_call(struct valgrind_log *log, const char *text)
{
    long number = strtol(text, NULL, 10);

    for (size_t i = 0; i < log->n_calls; i++)
        if (log->calls[i] == number)
            return;
    if (log->n_calls < LOG_CALLS_MOST)
        log->calls[log->n_calls++] = number;
}

/* Takes what a line says, but for complaints. `*state` is what the next line is about. */
static bool take(struct valgrind_log *log, const char *text, const char **state)
{
    static const char call[] = " syscall: ", bytes[] = "unhandled instruction bytes: ";
    static const char copied[] = "copied instruction bytes: ";
    static const char instruction[] = "instruction", unlike[] = "unlike";
    static const char room[] = "no room for a mapping of ";
    const char *at;

    if (*state == unlike && !log->unlike)
        log->unlike = xstrdup(text + strspn(text, " "));
    if (*state == unlike) {
        *state = NULL;
        return true;
    }
    /* ud2, by which programs end on purpose, is "unrecognised", and not "unhandled". */
    if (((at = strstr(text, bytes)) || !strncmp(text, copied, strlen(copied))) &&
        !log->instruction) {
        log->instruction = bytes_of(at ? at + strlen(bytes) : text + strlen(copied));
        log->copied = !at;
        *state = instruction;
    } else if (*state == instruction && !strncmp(text, "   at 0x", 8)) {
        log->function = function_of(text);
        *state = NULL;
    } else if (!strncmp(text, "WARNING: unhandled ", 19) && (at = strstr(text, call))) {
        add_call(log, at + strlen(call));
    } else if (!strncmp(text, "Emulation warning", 17)) {
        *state = unlike;
    } else if (!strncmp(text, "long doubles of 80 bits ", 24)) {
        log->extended = true;
    } else if (!strncmp(text, "gathers or scatters ", 20)) {
        log->gathers = true;
    } else if (!strncmp(text, room, strlen(room))) {
        log->refused = atoll(text + strlen(room));
    } else {
        return false;
    }
    return true;
}

/* True for what the tool says itself, and for what Valgrind says after pages of its statistics. */
static bool is_reason(const char *text)
{
    return strstr(text, "for the profile") || strstr(text, "the profile '") ||
           strstr(text, "out of memory");
}

/* "    Valgrind's memory management: out of memory:" without its blanks and its colon. */
static char *reason_of(const char *text)
{
    size_t length;

    text += strspn(text, " ");
    length = strlen(text);
    return xstrndup(text, length && text[length - 1] == ':' ? length - 1 : length);
}

/* The line of Valgrind's log that says why there is no profile: a reason, else the first one, but
 * for the heading of what follows it. */
static void valgrind_log_read(struct valgrind_log *log, int fd)
{
    FILE *in = fdopen(fd, "r");
    char *line = NULL;
    const char *state = NULL;
    size_t room = 0;
    bool own = false;

    if (in)
        rewind(in);
    while (in && getline(&line, &room, in) > 0) {
        const char *text;

        line[strcspn(line, "\n")] = '\0';
        text = text_of(line);
        if (take(log, text, &state) && !strstr(text, "unhandled instruction"))
            continue;
        if (*text && !own && !strstr(text, "the 'impossible' happened:") &&
            (!log->complaint || (own = is_reason(text)))) {
            free(log->complaint);
            log->complaint = reason_of(text);
        }
    }
    free(line);
    if (in)
        fclose(in);
    else
        close(fd);
}

const char *valgrind_log_extension(const char *instruction)
{
    static const struct {
        const char *opcode, *extension;
    } known[] = {{"62", "AVX-512"},      {"0F 38 C8", "SHA"},  {"0F 38 C9", "SHA"},
                 {"0F 38 CA", "SHA"},    {"0F 38 CB", "SHA"},  {"0F 38 CC", "SHA"},
                 {"0F 38 CD", "SHA"},    {"0F 3A CC", "SHA"},  {"0F 38 CF", "GFNI"},
                 {"0F 3A CE", "GFNI"},   {"0F 3A CF", "GFNI"}, {"0F 38 F8", "MOVDIR64B"},
                 {"0F 38 F9", "MOVDIRI"}};

#ifndef __x86_64__
    return NULL;
#endif
    /* Prefixes. */
    while (!strncmp(instruction, "66 ", 3) || !strncmp(instruction, "F2 ", 3) ||
           !strncmp(instruction, "F3 ", 3) || *instruction == '4')
        instruction += 3;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(instruction, known[i].opcode, strlen(known[i].opcode)))
            return known[i].extension;
    return NULL;
}

const char *valgrind_log_call_name(long number)
{
    /* From 424 on all processors have the same numbers. */
    enum { FIRST = 424 };
    static const char names[] =
        "pidfd_send_signal\0io_uring_setup\0io_uring_enter\0io_uring_register\0open_tree\0"
        "move_mount\0fsopen\0fsconfig\0fsmount\0fspick\0pidfd_open\0clone3\0close_range\0"
        "openat2\0pidfd_getfd\0faccessat2\0process_madvise\0epoll_pwait2\0mount_setattr\0"
        "quotactl_fd\0landlock_create_ruleset\0landlock_add_rule\0landlock_restrict_self\0"
        "memfd_secret\0process_mrelease\0futex_waitv\0set_mempolicy_home_node\0cachestat\0"
        "fchmodat2\0map_shadow_stack\0futex_wake\0futex_wait\0futex_requeue\0statmount\0"
        "listmount\0lsm_get_self_attr\0lsm_set_self_attr\0lsm_list_modules\0mseal\0"
        "setxattrat\0getxattrat\0listxattrat\0removexattrat\0open_tree_attr\0file_getattr\0"
        "file_setattr\0";
    const char *name = names;
    static const struct {
        long number;
        const char *name;
    } older[] = {{SYS_seccomp, "seccomp"},
                 {SYS_bpf, "bpf"},
                 {SYS_userfaultfd, "userfaultfd"},
                 {SYS_membarrier, "membarrier"},
                 {SYS_rseq, "rseq"},
                 {SYS_kcmp, "kcmp"},
                 {SYS_pkey_mprotect, "pkey_mprotect"},
                 {SYS_pkey_alloc, "pkey_alloc"},
                 {SYS_pkey_free, "pkey_free"},
                 {SYS_pivot_root, "pivot_root"},
                 {SYS_fanotify_mark, "fanotify_mark"}};

    for (long i = FIRST; i < number && *name; i++)
        name += strlen(name) + 1;
    if (number >= FIRST)
        return *name ? name : NULL;
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (older[i].number == number)
            return older[i].name;
    return NULL;
}

static void valgrind_log_free(struct valgrind_log *log)
{
    free(log->complaint);
    free(log->instruction);
    free(log->function);
    free(log->unlike);
    *log = (struct valgrind_log){.complaint = NULL};
}

/*--- What there is ---*/

/* `folder` with the tool in it, or NULL; takes over `folder`. */
static char *with_tool(char *folder)
{
    char *file = xasprintf("%s/%s", folder, TOOL_FILE);
    char *absolute = access(file, F_OK) == 0 ? realpath(folder, NULL) : NULL;

    free(file);
    free(folder);
    return absolute;
}

char *valgrind_folder(void)
{
    const char *set = environment_or("CPROF_TOOL_DIR", NULL);
    char *self = realpath("/proc/self/exe", NULL), *folder = self ? path_folder(self) : NULL;
    char *found = set ? with_tool(xstrdup(set)) : NULL;

    if (folder && !set) {
        /* The build tree; then what was installed or unpacked, and perhaps moved since, as a whole.
         */
        found = with_tool(xasprintf("%s/vgtool/in-place", folder));
        if (!found)
            found = with_tool(xasprintf("%s/../libexec/%s", folder, PACKAGE));
    }
    free(folder);
    free(self);
    return found || set ? found : with_tool(xstrdup(PKGLIBEXECDIR));
}

char *valgrind_launcher(const char *folder)
{
    const char *path = environment_or("CPROF_LAUNCHER", NULL);

    return path ? xstrdup(path) : xasprintf("%s/%s", folder, TOOL_LAUNCHER);
}

/*--- The run ---*/

/* The core takes 16 MB for the main stack where the limit is higher. The stack grows as it is used,
 * and has to leave addresses for the core's own memory, which has 64 GB together with it. */
static void add_stack_size(struct string_list *words)
{
    const rlim_t usual = 16 << 20, most = (rlim_t)16 << 30;
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur <= usual)
        return;
    string_list_add(words,
                    xasprintf("--main-stacksize=%llu",
                              (unsigned long long)(limit.rlim_cur < most ? limit.rlim_cur : most)));
}

/* The launcher and the options, all in memory of their own. `log` is where messages go, as an
 * option. */
static struct string_list tool_words(const char *folder, const struct measure *m,
                                     const struct tempdir *dir, const char *log,
                                     const char *progress)
{
    struct string_list w = {0};

    string_list_add(&w, valgrind_launcher(folder));
    string_list_add(&w, xasprintf("--parent=%ld:%llu", (long)getpid(), process_size_limit()));
    string_list_add(&w, xstrdup("--tool=cprof"));
    /* VALGRIND_OPTS and .valgrindrc may hold options of another tool, which would end the run. */
    string_list_add(&w, xstrdup("--command-line-only=yes"));
    string_list_add(&w, xstrdup("--vgdb=no"));
    string_list_add(&w, xstrdup("-q"));
    /* Which -q would switch off: valgrind_log_read() looks for them. */
    string_list_add(&w, xstrdup("--sigill-diagnostics=yes"));
    string_list_add(&w, xstrdup("--show-emwarns=yes"));
    string_list_add(&w, xstrdup(log));
    string_list_add(&w, xasprintf("--cprof-out-file=%s/%s%%p", dir->path, RAWSET_NAME));
    if (progress)
        string_list_add(&w, xasprintf("--progress-file=%s", progress));
    add_stack_size(&w);
    measure_words(m, &w);
    return w;
}

/* `environment` as setup_run_texts() has it. */
static void add_setup(struct string_list *words, const struct program *program,
                      const struct measure *m, const struct string_list *environment)
{
    struct string_list setup = {0};

    setup_texts(program, &setup);
    setup_run_texts(m, environment, m->deterministic, &setup);
    for (size_t i = 0; i < setup.n; i++)
        string_list_add(words, xasprintf("--setup=%s", setup.items[i]));
    string_list_free_texts(&setup);
}

/* All words, NULL-terminated. `log` is a file descriptor of ours. */
static struct string_list command_words(const char *folder, const struct program *program,
                                        char **arguments, const struct measure *m,
                                        const struct tempdir *dir, int log, int socket,
                                        const struct progress *progress,
                                        const struct string_list *environment)
{
    char *option = xasprintf("--log-fd=%d", log);
    struct string_list w = tool_words(folder, m, dir, option, progress->path);

    free(option);
    add_setup(&w, program, m, environment);
    string_list_add(&w, xasprintf("--cprof-out-fd=%d", socket));
    string_list_add(&w, xstrdup("--"));
    string_list_add(&w, xstrdup(program->path));
    for (; arguments && *arguments; arguments++)
        string_list_add(&w, xstrdup(*arguments));
    if (program->is_bench)
        string_list_add(&w, xstrdup("--bench"));
    return w;
}

/* Where Valgrind's core has files of its own, as the program's environment has it. */
static const char *core_folder(const struct string_list *environment, bool only)
{
    const char *folder = only ? NULL : getenv("TMPDIR");

    for (size_t i = 0; i < environment->n; i++)
        if (!strncmp(environment->items[i], "TMPDIR=", strlen("TMPDIR=")))
            folder = environment->items[i] + strlen("TMPDIR=");
        else if (!strcmp(environment->items[i], "TMPDIR"))
            folder = NULL;
    return folder && *folder ? folder : TEMPDIR_DEFAULT;
}

/* Valgrind would give up on this in many lines. */
static int check_folder(const char *folder)
{
    if (access(folder, W_OK | X_OK) < 0)
        return message_error("Valgrind cannot make a file in '%s': %s; name another folder by "
                             "--env TMPDIR=FOLDER",
                             folder, strerror(errno));
    return 0;
}

/* The core makes two files as it starts, and takes each one's name away at once. A signal that
 * ends it between the two leaves the name. */
static void remove_core_files(const char *folder, pid_t pid)
{
    char *prefix = xasprintf("valgrind_proc_%ld_", (long)pid);
    DIR *list = opendir(folder);
    struct dirent *entry;

    while (list && (entry = readdir(list)))
        if (!strncmp(entry->d_name, prefix, strlen(prefix)))
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    free(prefix);
}

/* The value of VALGRIND_LIB: `folder`, or a link to it. The core puts the path of its preload
 * library into LD_PRELOAD, where ld.so ends a path at a space or colon and expands '$'. NULL after
 * having said what is wrong. */
static char *library_folder(const char *folder, const struct tempdir *dir)
{
    static const char special[] = " :;$";
    char *link;

    if (!folder[strcspn(folder, special)])
        return xstrdup(folder);
    if (dir->path[strcspn(dir->path, special)]) {
        message_error("the tool in '%s' cannot be preloaded because of the '%c' in its path; set "
                      "TMPDIR to a folder without one",
                      folder, folder[strcspn(folder, special)]);
        return NULL;
    }
    link = xasprintf("%s/" TEMPDIR_TOOL, dir->path);
    if (symlink(folder, link) == 0 || errno == EEXIST)
        return link;
    message_error("cannot make '%s': %s; set TMPDIR to a folder with room", link, strerror(errno));
    free(link);
    return NULL;
}

/* Begins to receive profiles. NULL after having said what is wrong. */
static struct raw_receiver *begin_receiver(const struct tempdir *dir, int *tool)
{
    struct raw_receiver *receiver = raw_receiver_begin(dir, tool);

    if (!receiver)
        message_error("cannot receive profiles: %s; %s", strerror(errno),
                      limits_advice("run it again"));
    return receiver;
}

/* For Valgrind's messages. -1 after having said what is wrong. */
static int open_log(const struct tempdir *dir)
{
    int log = tempdir_log(dir);

    if (log < 0)
        message_error("cannot keep Valgrind's messages: %s; " TEMPDIR_ADVICE, strerror(errno));
    return log;
}

/* `tool` is the end of the socket that the program's processes alone keep. */
static int start_and_wait(const struct process_spec *spec, int tool, struct progress *progress,
                          struct run_outcome *outcome)
{
    struct handlers handlers;
    int error;

    child_times_begin(&outcome->times);
    error = pass_on_start(&handlers, spec, &outcome->pid);
    close(tool);
    if (!error)
        outcome->wait_status = progress_wait(progress, outcome->pid, &outcome->times);
    outcome->ended_by = pass_on_end(&handlers).ended_by;
    return error;
}

int valgrind_run(const struct program *program, char **arguments, const struct measure *measure,
                 const struct tempdir *dir, struct run_outcome *outcome)
{
    struct string_list words, environment = {0};
    struct process_spec spec;
    struct progress progress;
    char *folder = valgrind_folder(), *library = NULL;
    struct raw_receiver *receiver = NULL;
    int error, log, tool;

    *outcome = (struct run_outcome){.had_options = measure->vg_options.n > 0};
    if (!folder)
        folder = xstrdup(PKGLIBEXECDIR);
    measure_environment(measure, &environment);
    log = check_folder(core_folder(&environment, measure->deterministic)) ? -1 : open_log(dir);
    if (log >= 0)
        library = library_folder(folder, dir);
    if (library)
        receiver = begin_receiver(dir, &tool);
    if (!receiver) {
        if (log >= 0)
            close(log);
        free(folder);
        free(library);
        string_list_free_texts(&environment);
        return STATUS_ERROR;
    }
    string_list_add(&environment, xasprintf("VALGRIND_LIB=%s", library));
    free(library);
    progress_begin(&progress, dir->path, measure->quiet);
    if (program->libraries)
        string_list_add(&environment, xstrdup(program->libraries));
    /* --env and --deterministic come from the command line. */
    for (size_t i = 0; i < program->environment.n && !measure->deterministic; i++)
        measure_default(&environment, program->environment.items[i]);
    words =
        command_words(folder, program, arguments, measure, dir, log, tool, &progress, &environment);
    spec = (struct process_spec){.argv = words.items,
                                 .environment = &environment,
                                 .only_environment = measure->deterministic,
                                 .folder = program->folder,
                                 .inherited = {log, tool},
                                 .output = measure->output_to_errors ? STDERR_FILENO : 0};
    /* Our output stands before the program's. */
    fflush(NULL);
    error = start_and_wait(&spec, tool, &progress, outcome);
    outcome->log.complaint = raw_receiver_end(receiver, &outcome->goes_on);
    progress_end(&progress);
    if (!error && WIFSIGNALED(outcome->wait_status))
        remove_core_files(core_folder(&environment, measure->deterministic), outcome->pid);
    if (error)
        message_error("cannot execute '%s': %s; 'cargo cprof doctor' says what is missing",
                      words.items[0], strerror(error));
    else
        error = rawset_collect(&outcome->raw, dir, outcome->pid);
    valgrind_log_read(&outcome->log, log);
    string_list_free_texts(&words);
    string_list_free_texts(&environment);
    free(folder);
    return error ? STATUS_ERROR : 0;
}

void run_outcome_free(struct run_outcome *outcome)
{
    rawset_free(&outcome->raw);
    valgrind_log_free(&outcome->log);
    *outcome = (struct run_outcome){0};
}

/*--- Programs that others start ---*/

/* A word as a shell reads it, and a blank. */
static void put_word(FILE *out, const char *text)
{
    char *word = shell_word(text);

    fprintf(out, "%s ", word);
    free(word);
}

static void put_script(FILE *out, const struct string_list *words,
                       const struct string_list *environment, const struct tempdir *dir, bool only)
{
    fputs("#!/bin/sh\nprogram=$1\nshift\ncopy=", out);
    put_word(out, dir->path);
    fputs("\ncopy=$copy/" VALGRIND_COPY "$$\n"
          "cp -- \"$program\" \"$copy\" || exit 125\nexec env ",
          out);
    if (only)
        fputs("-i ", out);
    for (size_t i = 0; i < environment->n; i++)
        if (strchr(environment->items[i], '='))
            put_word(out, environment->items[i]);
    put_word(out, words->items[0]);
    fputs("--parent=$PPID ", out); /* in place of ours */
    for (size_t i = 2; i < words->n; i++)
        put_word(out, words->items[i]);
    fputs("\"$copy\" \"$@\"\n", out);
}

char *valgrind_script(const struct program *program, const struct measure *measure,
                      const struct tempdir *dir)
{
    char *folder = valgrind_folder(), *path = xasprintf("%s/run", dir->path);
    char *log = xasprintf("--log-file=%s/log.%%p", dir->path), *library;
    struct string_list words, environment = {0};
    FILE *out = NULL;

    if (!folder)
        folder = xstrdup(PKGLIBEXECDIR);
    library = library_folder(folder, dir);
    measure_environment(measure, &environment);
    words = tool_words(folder, measure, dir, log, NULL);
    /* Who starts the program gives it more variables, where it may. */
    add_setup(&words, program, measure, measure->deterministic ? &environment : NULL);
    string_list_add(&words, xstrdup("--"));
    if (library) {
        string_list_add(&environment, xasprintf("VALGRIND_LIB=%s", library));
        out = fopen(path, "we");
        if (out)
            put_script(out, &words, &environment, dir, measure->deterministic);
        if (!out || fchmod(fileno(out), 0700) < 0 || fclose(out) != 0) {
            message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, path, strerror(errno));
            out = NULL;
        }
    }
    string_list_free_texts(&words);
    string_list_free_texts(&environment);
    free(folder);
    free(library);
    free(log);
    if (out)
        return path;
    free(path);
    return NULL;
}
