/*
 * filter ANSWER: sets a filter by which getppid has the answer, calls it, and says what came of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, long value)
{
    char line[100];
    int n = snprintf(line, sizeof line, "%s: %ld, %s\n", what, value,
                     value < 0 ? strerror(errno) : "well");

    (void)!write(1, line, (size_t)n);
}

static __attribute__((noinline)) long work(void)
{
    volatile long sum = 0;

    for (long i = 0; i < 1000; i++)
        sum += i;
    return sum;
}

static void trapped(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)context;
    say("trapped", info->si_code);
    say("its call", info->si_syscall == SYS_getppid);
    say("its data", info->si_errno);
}

static void *thread(void *data)
{
    say("a thread's call", syscall(SYS_getppid) > 0);
    return data;
}

/* getppid has the answer; all calls but a few are denied by `others`. */
static long set(unsigned answer, int by_seccomp)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_STMT(BPF_ST, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof code / sizeof *code, code};

    return by_seccomp ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                      : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    const char *answer = argc > 1 ? argv[1] : "";
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
    pthread_t t;

    sigaction(SIGSYS, &action, NULL);
    say("without the right", getuid() ? set(SECCOMP_RET_ALLOW, 0) : 0);
    say("the right", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    say("a wrong address", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL));
    if (!strcmp(answer, "strict"))
        say("strict", prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
    else if (!strcmp(answer, "errno"))
        say("set", set(SECCOMP_RET_ERRNO | ENOTTY, 0));
    else if (!strcmp(answer, "trap"))
        say("set", set(SECCOMP_RET_TRAP | 77, 1));
    else if (!strcmp(answer, "trace"))
        say("set", set(SECCOMP_RET_TRACE, 1));
    else if (!strcmp(answer, "kill"))
        say("set", set(SECCOMP_RET_KILL_PROCESS, 1));
    else
        say("set", set(SECCOMP_RET_ERRNO | EPERM, 0) | set(SECCOMP_RET_ALLOW, 1));
    say("sum", work());
    if (!strcmp(answer, "strict"))
        syscall(SYS_exit, 0);
    say("mode", prctl(PR_GET_SECCOMP));
    say("call", !strcmp(answer, "trap") ? (syscall(SYS_getppid), 0) : syscall(SYS_getppid));
    say("pid", syscall(SYS_getpid) > 0);
    if (*answer && pthread_create(&t, NULL, thread, NULL) == 0)
        pthread_join(t, NULL);
    if (fork() == 0)
        _exit(syscall(SYS_getppid) > 0 ? 1 : 0);
    wait(NULL);
    _exit(0);
}
