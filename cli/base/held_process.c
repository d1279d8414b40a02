#include <config.h>

#include "base/held_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void change_environment(const struct string_list *changes)
{
    for (size_t i = 0; changes && i < changes->n; i++) {
        const char *text = changes->items[i];

        if (strchr(text, '='))
            (void)putenv((char *)text);
        else
            (void)unsetenv(text);
    }
}

/* In the new process. */
_Noreturn static void begin(const struct process_spec *spec, int gate, int error)
{
    char byte;
    int problem = 0;

    (void)prctl(PR_SET_NAME, HELD_PROCESS_NAME);
    if (read(gate, &byte, 1) != 1)
        _exit(0);
    close(gate);
    if (spec->only_environment)
        (void)clearenv();
    change_environment(spec->environment);
    if (spec->folder && chdir(spec->folder) < 0)
        problem = errno;
    if (!problem && spec->output >= 0 && dup2(spec->output, STDOUT_FILENO) < 0)
        problem = errno;
    if (spec->blocked)
        sigprocmask(SIG_SETMASK, spec->blocked, NULL);
    if (!problem) {
        execvp(spec->argv[0], (char *const *)spec->argv);
        problem = errno;
    }
    (void)!write(error, &problem, sizeof problem);
    _exit(127);
}

/* The handlers of the parent would be called until the exec, with what it knows. */
static void reset_signals(void)
{
    static const int caught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction action;

        if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)signal(caught[i], SIG_DFL);
    }
}

int held_process_start(const struct process_spec *spec, struct held_process *process)
{
    int gate[2], error[2], problem;

    if (pipe2(gate, O_CLOEXEC) < 0)
        return errno;
    if (pipe2(error, O_CLOEXEC) < 0) {
        problem = errno;
        close(gate[0]);
        close(gate[1]);
        return problem;
    }
    process->pid = fork();
    problem = process->pid < 0 ? errno : 0;
    if (process->pid == 0) {
        close(gate[1]);
        close(error[0]);
        reset_signals();
        begin(spec, gate[0], error[1]);
    }
    close(gate[0]);
    close(error[1]);
    process->gate = gate[1];
    process->error = error[0];
    if (problem) {
        close(gate[1]);
        close(error[0]);
    }
    return problem;
}

int held_process_release(struct held_process *process)
{
    int problem = 0;

    (void)!write(process->gate, "", 1);
    close(process->gate);
    if (read(process->error, &problem, sizeof problem) != sizeof problem)
        problem = 0;
    close(process->error);
    process->error = -1;
    if (problem)
        process_wait(process->pid);
    return problem;
}

void held_process_drop(struct held_process *process)
{
    close(process->gate);
    close(process->error);
    process_wait(process->pid);
}
