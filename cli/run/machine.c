#include <config.h>

#include "run/machine.h"

#include "base/memory.h"
#include "run/denied.h"
#include "run/processor.h"
#include "run/saved_profile.h"
#include "run/tempdir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void machine_temporary(struct findings *findings)
{
    struct tempdir dir;
    char *problem = tempdir_open(&dir);

    if (problem) {
        findings_add(findings, "temporary files", FINDING_ERROR, problem, TEMPDIR_ADVICE);
        return;
    }
    findings_add(findings, "temporary files", FINDING_OK,
                 xasprintf("%.*s", (int)(strrchr(dir.path, '/') - dir.path), dir.path), NULL);
    tempdir_remove(&dir);
}

/* A run that was tried says whether it matters. */
void machine_calls(struct findings *findings)
{
    char *denied = denied_calls();

    if (denied)
        findings_add(findings, "system calls", FINDING_NOTE, denied, DENIED_ADVICE);
    else
        findings_add(findings, "system calls", FINDING_OK,
                     xstrdup("those that the tool makes are allowed; it needs no ptrace and no "
                             "personality"),
                     NULL);
}

void machine_processor(struct findings *findings)
{
    if (processor_has_avx512())
        findings_add(findings, "processor", FINDING_NOTE,
                     xstrdup("has AVX-512, which Valgrind does not know"),
                     "where a program ends with SIGILL under --line-use or --engine vex, build it "
                     "with RUSTFLAGS='-C target-cpu=x86-64-v3'");
    else
        findings_add(findings, "processor", FINDING_OK,
                     xstrdup("has nothing that Valgrind does not know"), NULL);
}

/* Why a file below `path` cannot be made: an errno of the nearest folder that is there, or 0. */
static int why_not_below(const char *path)
{
    char *folder = xstrdup(path), *slash;
    int error;

    while ((error = access(folder, W_OK | X_OK) < 0 ? errno : 0) == ENOENT &&
           (slash = strrchr(folder, '/')) && slash != folder)
        *slash = '\0';
    free(folder);
    return error;
}

void machine_kept(struct findings *findings)
{
    static const char name[] = "kept runs";
    char *state = saved_state_folder(), *folders[2];
    int error = state ? why_not_below(state) : 0;

    saved_folders(folders, ".");
    if (folders[0])
        folders[0][strlen(folders[0]) - strlen("/.")] = '\0';
    if (!state)
        findings_add(findings, name, FINDING_OPTIONAL,
                     xstrdup("neither XDG_STATE_HOME nor HOME names a folder for those of programs "
                             "that cargo did not build"),
                     "set HOME");
    else if (error)
        findings_add(findings, name, FINDING_OPTIONAL,
                     xasprintf("cannot write to '%s': %s", state, strerror(error)),
                     "set XDG_STATE_HOME to a folder that can be written to");
    else
        findings_add(findings, name, FINDING_OK,
                     xasprintf("%s%s%s%s", folders[0] ? folders[0] : "",
                               folders[0] ? "; others in " : "", state,
                               folders[1] ? "" : " (none there yet)"),
                     NULL);
    free(folders[0]);
    free(folders[1]);
    free(state);
}
