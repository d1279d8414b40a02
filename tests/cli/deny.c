/*
 * deny ERROR CALL[,CALL...] COMMAND [ARGUMENT...]: runs a command with system calls denied by a
 * seccomp filter, as a container may have one. ERROR is EPERM or ENOSYS, or "kill". Status 77:
 * there is no seccomp here.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
#ifdef SYS_open
    {"open", SYS_open},
    {"pipe", SYS_pipe},
    {"rename", SYS_rename},
#else
    {"openat", SYS_openat},
    {"pipe2", SYS_pipe2},
    {"renameat", SYS_renameat},
#endif
    {"gettid", SYS_gettid},
    {"memfd_create", SYS_memfd_create},
    {"ptrace", SYS_ptrace},
    {"personality", SYS_personality},
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"perf_event_open", SYS_perf_event_open},
    {"seccomp", SYS_seccomp}};
enum { N_CALLS = sizeof calls / sizeof *calls, SKIPPED = 77, ROOM = 2 * N_CALLS + 2 };

/* A comparison and a verdict for each call. Returns 0, or -1 for a name that is not known. */
static int fill(struct sock_filter *filter, unsigned short *n, char *names, unsigned verdict)
{
    const struct sock_filter load =
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

    filter[(*n)++] = load;
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        size_t i = 0;

        while (i < N_CALLS && strcmp(calls[i].name, name) != 0)
            i++;
        if (i == N_CALLS || *n + 3 > ROOM)
            return -1;
        const struct sock_filter compare =
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
        const struct sock_filter deny = BPF_STMT(BPF_RET | BPF_K, verdict);

        filter[(*n)++] = compare;
        filter[(*n)++] = deny;
    }
    filter[(*n)++] = allow;
    return 0;
}

int main(int argc, char **argv)
{
    struct sock_filter filter[ROOM];
    struct sock_fprog program = {.filter = filter};
    unsigned verdict;

    if (argc < 4)
        return 2;
    verdict = !strcmp(argv[1], "kill")     ? SECCOMP_RET_KILL_PROCESS
              : !strcmp(argv[1], "ENOSYS") ? SECCOMP_RET_ERRNO | ENOSYS
                                           : SECCOMP_RET_ERRNO | EPERM;
    if (fill(filter, &program.len, argv[2], verdict) != 0) {
        fprintf(stderr, "deny: a name that is not known: add it to the table\n");
        return 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return SKIPPED;
    execvp(argv[3], argv + 3);
    return 2;
}
