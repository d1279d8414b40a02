#include <config.h>

#include "run/tool.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "run/valgrind.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AGAIN "install cargo-cprof again"

/* The program finds its tool by /proc, and Valgrind its own mappings and the file for its log. */
static bool look_at_proc(struct findings *findings)
{
    static const char name[] = "/proc";
    char text[32];
    ssize_t size = readlink("/proc/self", text, sizeof text - 1);
    int error = errno;
    char *denied = size < 0 ? denied_calls() : NULL;

    text[size > 0 ? size : 0] = '\0';
    if (denied)
        findings_add(findings, name, FINDING_ERROR, denied, DENIED_ADVICE);
    else if (size < 0)
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("cannot read '/proc/self': %s", strerror(error)),
                     "mount /proc: mount -t proc proc /proc");
    else if (strtol(text, NULL, 10) != (long)getpid())
        findings_add(findings, name, FINDING_ERROR, xstrdup("'/proc' is of another PID namespace"),
                     "mount it in this one: mount -t proc proc /proc (unshare --mount-proc)");
    else
        findings_add(findings, name, FINDING_OK, xstrdup("is there"), NULL);
    return !findings_error(findings);
}

static char *look_for_folder(struct findings *findings)
{
    static const char name[] = "tool's folder";
    const char *set = getenv("CPROF_TOOL_DIR");
    char *folder = valgrind_folder();

    if (folder && file_is_noexec(folder))
        findings_add(
            findings, name, FINDING_ERROR,
            xasprintf("cannot execute the tool in '%s': its file system is mounted noexec", folder),
            "install cargo-cprof on another one");
    else if (folder)
        findings_add(findings, name, FINDING_OK, xstrdup(folder), NULL);
    else if (set && *set)
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("the Valgrind tool '%s' is missing in '%s'", TOOL_FILE, set),
                     AGAIN ", or unset CPROF_TOOL_DIR");
    else
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("the Valgrind tool '%s' is missing", TOOL_FILE), AGAIN);
    return folder;
}

/* Takes over `path`. */
static void look_at_part(struct findings *findings, const char *name, char *path, bool executed)
{
    if (access(path, executed ? X_OK : R_OK) == 0)
        findings_add(findings, name, FINDING_OK, xstrdup("is there"), NULL);
    else
        findings_add(
            findings, name, FINDING_ERROR,
            xasprintf("cannot %s '%s': %s", executed ? "execute" : "read", path, strerror(errno)),
            AGAIN);
    free(path);
}

static void look_at_parts(struct findings *findings, const char *folder)
{
    look_at_part(findings, TOOL_LAUNCHER, valgrind_launcher(folder), true);
    look_at_part(findings, TOOL_FILE, xasprintf("%s/%s", folder, TOOL_FILE), true);
    look_at_part(findings, "vgpreload_core",
                 xasprintf("%s/vgpreload_core-" VG_PLATFORM ".so", folder), false);
    look_at_part(findings, "default.supp", xasprintf("%s/default.supp", folder), false);
}

/* By what the tool in `folder` said when it was asked for its version. */
static void judge_answer(struct findings *findings, const char *folder, const char *answer,
                         bool ended_well)
{
    static const char name[] = "tool starts", known[] = "valgrind-";
    bool version = answer && ended_well && !strncmp(answer, known, strlen(known));
    char *denied = version ? NULL : denied_calls();

    if (denied)
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("the Valgrind tool does not start: %s", denied), DENIED_ADVICE);
    else if (!version)
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("the Valgrind tool '%s/%s' does not start%s%s", folder, TOOL_FILE,
                               answer ? ": " : "", answer ? answer : ""),
                     limits_advice(AGAIN));
    else if (strcmp(answer, VG_VERSION) != 0)
        findings_add(findings, name, FINDING_ERROR,
                     xasprintf("the tool in '%s' is of %s, but cargo-cprof was built with %s",
                               folder, answer, VG_VERSION),
                     "install both together again");
    else
        findings_add(findings, name, FINDING_OK,
                     xasprintf("%s, as cargo-cprof was built with", answer), NULL);
    free(denied);
}

static void start_tool(struct findings *findings, const char *folder)
{
    char *path = valgrind_launcher(folder), *library = xasprintf("VALGRIND_LIB=%s", folder);
    const char *const words[] = {path, "--command-line-only=yes", "--version", NULL};
    struct string_list environment = {0};
    const struct process_spec spec = {
        .argv = words, .environment = &environment, .no_input = true, .errors_to_output = true};
    char *answer = NULL;
    int status = 0, error;

    string_list_add(&environment, library);
    /* A preloaded library is for the program, and may print. */
    string_list_add(&environment, "LD_PRELOAD");
    error = process_first_line(&spec, &answer, &status);
    if (error)
        findings_add(findings, "tool starts", FINDING_ERROR,
                     xasprintf("cannot execute '%s': %s", path, strerror(error)), AGAIN);
    else
        judge_answer(findings, folder, answer, status == 0);
    free(answer);
    free(library);
    free(path);
    string_list_free(&environment);
}

void tool_look(struct findings *findings)
{
    char *folder;

    if (!look_at_proc(findings) || !(folder = look_for_folder(findings)))
        return;
    if (!findings_error(findings))
        look_at_parts(findings, folder);
    if (!findings_error(findings))
        start_tool(findings, folder);
    free(folder);
}

int tool_check(void)
{
    struct findings findings = {0};
    const struct finding *error;
    int status = 0;

    tool_look(&findings);
    error = findings_error(&findings);
    if (error)
        status = message_error("%s; %s", error->text, error->advice);
    findings_free(&findings);
    return status;
}

const char *tool_licence(void)
{
    unsigned major = 0, minor = 0;

    /* Valgrind itself is under version 3 or later from 3.26 on. */
    sscanf(VG_VERSION, "valgrind-%u.%u", &major, &minor);
    return major > 3 || (major == 3 && minor >= 26) ? "GPL-3.0-or-later" : "GPL-2.0-or-later";
}
