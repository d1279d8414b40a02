/*
 * single-step PROGRAM [START SIZE]...: runs PROGRAM natively, instruction by instruction, and
 * prints how many steps and how many instructions it executed at START to START + SIZE
 * (hexadecimal, as nm -S prints them), one line for each range. The processor is the oracle:
 * nothing is translated. Each repetition of a repeated string instruction is a step, and all of
 * them are one instruction. Exit status 77: no right to trace.
 */
#include <config.h>

#include <elf.h>
#include <stdbool.h>
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
    long steps, instructions;
};

static _Noreturn void run(char *program)
{
    char *arguments[] = {program, NULL}, *environment[] = {NULL};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        execve(program, arguments, environment);
    _exit(77);
}

static void count_step(unsigned long ip, bool begins, struct range *ranges, int count)
{
    for (int i = 0; i < count; i++) {
        bool is_here = ip - ranges[i].start < ranges[i].size;

        ranges[i].steps += is_here;
        ranges[i].instructions += is_here && begins;
    }
}

static void count_at(unsigned long ip, struct range *ranges, int count)
{
    count_step(ip, true, ranges, count);
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

/* True if the step has made one more repetition of a string instruction, where it has begun. */
static bool goes_on_repeating(pid_t pid, unsigned long from, unsigned long to)
{
#ifdef __aarch64__
    (void)pid, (void)from, (void)to;
    return false;
#else
    unsigned long bytes;
    unsigned op;

    if (from != to)
        return false;
    bytes = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, (void *)from, NULL);
    op = bytes >> ((bytes >> 8 & 0xf0) == 0x40 ? 16 : 8) & 0xff; /* behind a REX prefix */
    return (bytes & 0xfe) == 0xf2 && ((op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf));
#endif
}

#ifdef __aarch64__

enum { LONGEST = 16 }; /* instructions of an exclusive sequence */

static unsigned fetch(pid_t pid, unsigned long at)
{
    unsigned long words = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, (void *)(at & ~7ul), NULL);

    return (unsigned)(words >> (at & 4) * 8);
}

static void put(pid_t pid, unsigned long at, unsigned instruction)
{
    unsigned long words = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, (void *)(at & ~7ul), NULL);
    unsigned long shift = (at & 4) * 8;

    words = (words & ~(0xfffffffful << shift)) | (unsigned long)instruction << shift;
    ptrace(PTRACE_POKETEXT, pid, (void *)(at & ~7ul), (void *)words);
}

/* Exclusive loads and stores, but not CASP; bit 22 is set for loads. */
static int is_exclusive(unsigned instruction)
{
    return (instruction & 0x3f800000) == 0x08000000 && (instruction & 0x80200000) != 0x00200000;
}

/* Where the conditional branch at `at` goes; 0: it is none. */
static unsigned long branch_target(unsigned long at, unsigned instruction)
{
    int shift = (instruction & 0xff000010) == 0x54000000 || (instruction & 0x7e000000) == 0x34000000
                    ? 19
                : (instruction & 0x7e000000) == 0x36000000 ? 14
                                                           : 0;
    long distance = (long)(instruction >> 5) & ((1l << shift) - 1);

    if (!shift)
        return 0;
    if (distance >> (shift - 1))
        distance -= 1l << shift;
    return at + (unsigned long)(4 * distance);
}

/*
 * An exclusive store fails where the process has stopped since the load, and a loop around the two
 * would go on for ever. So the process runs from the load to behind the store, or to where it
 * branches out, at one go; what lies between is counted here. 0: it has not come there.
 */
static int run_exclusive(pid_t pid, unsigned long load, struct range *ranges, int count)
{
    const unsigned breakpoint = 0xd4200000;
    unsigned long store = load, branch = 0, target = 0, end;
    unsigned at_store, at_target = 0;
    int status;

    for (int i = 0; i < LONGEST; i++) {
        unsigned instruction = fetch(pid, store += 4);
        if (is_exclusive(instruction))
            break;
        if (!target && (target = branch_target(store, instruction)))
            branch = store;
    }
    at_store = fetch(pid, store + 4);
    if (target)
        at_target = fetch(pid, target);
    put(pid, store + 4, breakpoint);
    if (target)
        put(pid, target, breakpoint);
    if (ptrace(PTRACE_CONT, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid ||
        !WIFSTOPPED(status))
        return 0;
    end = next(pid);
    put(pid, store + 4, at_store);
    if (target)
        put(pid, target, at_target);
    for (unsigned long at = load + 4; at <= (end == store + 4 ? store : branch); at += 4)
        count_at(at, ranges, count);
    return end == store + 4 || end == target;
}

/* Goes on by one instruction, or by an exclusive sequence. */
static int go_on(pid_t pid, unsigned long ip, struct range *ranges, int count)
{
    unsigned instruction = fetch(pid, ip);

    while (is_exclusive(instruction) && instruction >> 22 & 1) {
        if (!run_exclusive(pid, ip, ranges, count))
            return 0;
        ip = next(pid);
        count_at(ip, ranges, count);
        instruction = fetch(pid, ip);
    }
    return ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) == 0;
}

#else

static int go_on(pid_t pid, unsigned long ip, struct range *ranges, int count)
{
    (void)ip, (void)ranges, (void)count;
    return ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) == 0;
}

#endif

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
        count_step(ip, !goes_on_repeating(pid, last, ip), ranges, count);
        last = ip;
        if (!go_on(pid, ip, ranges, count))
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
            (struct range){strtoul(argv[i], NULL, 16), strtoul(argv[i + 1], NULL, 16), 0, 0};
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
        printf("%ld %ld\n", ranges[i].steps, ranges[i].instructions);
    return status;
}
