#include <config.h>

#include "run/valgrind_log.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
void valgrind_log_read(struct valgrind_log *log, int fd)
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
    static const char *const names[] = {"pidfd_send_signal",
                                        "io_uring_setup",
                                        "io_uring_enter",
                                        "io_uring_register",
                                        "open_tree",
                                        "move_mount",
                                        "fsopen",
                                        "fsconfig",
                                        "fsmount",
                                        "fspick",
                                        "pidfd_open",
                                        "clone3",
                                        "close_range",
                                        "openat2",
                                        "pidfd_getfd",
                                        "faccessat2",
                                        "process_madvise",
                                        "epoll_pwait2",
                                        "mount_setattr",
                                        "quotactl_fd",
                                        "landlock_create_ruleset",
                                        "landlock_add_rule",
                                        "landlock_restrict_self",
                                        "memfd_secret",
                                        "process_mrelease",
                                        "futex_waitv",
                                        "set_mempolicy_home_node",
                                        "cachestat",
                                        "fchmodat2",
                                        "map_shadow_stack",
                                        "futex_wake",
                                        "futex_wait",
                                        "futex_requeue",
                                        "statmount",
                                        "listmount",
                                        "lsm_get_self_attr",
                                        "lsm_set_self_attr",
                                        "lsm_list_modules",
                                        "mseal",
                                        "setxattrat",
                                        "getxattrat",
                                        "listxattrat",
                                        "removexattrat",
                                        "open_tree_attr",
                                        "file_getattr",
                                        "file_setattr"};
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

    if (number >= FIRST && (size_t)(number - FIRST) < sizeof names / sizeof *names)
        return names[number - FIRST];
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (older[i].number == number)
            return older[i].name;
    return NULL;
}

void valgrind_log_free(struct valgrind_log *log)
{
    free(log->complaint);
    free(log->instruction);
    free(log->function);
    free(log->unlike);
    *log = (struct valgrind_log){.complaint = NULL};
}
