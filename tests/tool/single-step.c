/*
 * single-step PROGRAM [START SIZE]...: runs PROGRAM natively, instruction by instruction, and
 * prints how many instructions it executed at START to START + SIZE (hexadecimal, as nm -S prints
 * them), one line for each range. The processor is the oracle: nothing is translated. An
 * interrupted repeated string instruction counts once for each iteration. Exit status 77: no right
 * to trace.
 */
#include <config.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RANGES = 64 };

struct range {
    unsigned long start, size;
    long count;
};

static _Noreturn void run(char *program)
{
    char *arguments[] = {program, NULL}, *environment[] = {NULL};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        execve(program, arguments, environment);
    _exit(77);
}

static void count_at(unsigned long ip, struct range *ranges, int count)
{
    for (int i = 0; i < count; i++)
        ranges[i].count += ip - ranges[i].start < ranges[i].size;
}

/* The address of the next instruction; 0: there is no process any more. */
static unsigned long next(pid_t pid)
{
    struct user_regs_struct registers;
    struct iovec place = {&registers, sizeof registers};

    if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &place))
        return 0;
#ifdef __aarch64__
    return registers.pc;
#else
    return registers.rip;
#endif
}

/* Under some hypervisors a step over cpuid goes on over the instruction behind it, which is no
 * jump in the programs at hand. */
static int went_beyond_cpuid(pid_t pid, unsigned long from, unsigned long to)
{
#ifdef __aarch64__
    (void)pid, (void)from, (void)to;
    return 0;
#else
    return from && to != from + 2 &&
           (ptrace(PTRACE_PEEKTEXT, pid, (void *)from, NULL) & 0xffff) == 0xa20f;
#endif
}

/* Steps `pid` to its end; 0 when it exited with status 0. */
static int step(pid_t pid, struct range *ranges, int count)
{
    unsigned long last = 0, ip;
    int status;
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        ip = next(pid);
        if (!ip)
            return 1;
        if (went_beyond_cpuid(pid, last, ip))
            count_at(last + 2, ranges, count);
        count_at(ip, ranges, count);
        last = ip;
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
            return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
    struct range ranges[MAX_RANGES];
    int count = 0;
    for (int i = 2; i + 1 < argc && count < MAX_RANGES; i += 2)
        ranges[count++] =
            (struct range){strtoul(argv[i], NULL, 16), strtoul(argv[i + 1], NULL, 16), 0};
    if (argc < 2) {
        fprintf(stderr, "usage: single-step PROGRAM [START SIZE]...\n");
        return 2;
    }
    pid_t pid = fork();
    if (pid < 0)
        return 1;
    if (pid == 0)
        run(argv[1]);
    int status = step(pid, ranges, count);
    for (int i = 0; i < count; i++)
        printf("%ld\n", ranges[i].count);
    return status;
}
