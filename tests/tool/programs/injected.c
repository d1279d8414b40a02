/*
 * injected.c - a timer's handler that has the interrupted code call a function, as that of Go's
 * runtime does. work() is called 300,000 times, whatever comes between. Prints how often that was.
 * Needs -mno-red-zone, since the return address is put right under the stack pointer; on arm64
 * -ffixed-x18.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

#ifdef __aarch64__
#define IP(registers) (registers)->pc
#else
#define IP(registers) (registers)->gregs[REG_RIP]
#endif

long n_injected;
static volatile long sink;
void injected(void);

/* Keeps every register, and the flags; on arm64 all but x18. */
#ifdef __aarch64__
__asm__(".globl injected\n.type injected, @function\ninjected:\n"
        "stp x0, x1, [sp, #-32]!\nmrs x0, nzcv\nstp x0, x30, [sp, #16]\nbl in_between\n"
        "ldp x0, x18, [sp, #16]\nmsr nzcv, x0\nldp x0, x1, [sp], #32\nldr x30, [sp], #16\n"
        "br x18\n.size injected, . - injected\n"
        ".globl in_between\n.type in_between, @function\nin_between:\n"
        "adrp x0, n_injected\nldr x1, [x0, :lo12:n_injected]\nadd x1, x1, #1\n"
        "str x1, [x0, :lo12:n_injected]\nret\n.size in_between, . - in_between\n");
#else
__asm__(".globl injected\n.type injected, @function\ninjected:\n"
        "pushf\npush %rax\ncall in_between\npop %rax\npopf\nret\n.size injected, . - injected\n"
        ".globl in_between\n.type in_between, @function\nin_between:\n"
        "incq n_injected(%rip)\nret\n.size in_between, . - in_between\n");
#endif

__attribute__((noinline, noclone, noipa)) long work(long n)
{
    long sum = 0;

    for (long i = 0; i < 5; i++)
        sum += i ^ n;
    return sum;
}

__attribute__((noinline, noclone, noipa)) void drive(long (*volatile work_by)(long))
{
    for (long i = 0; i < 750000; i++)
        sink += work(i) + work_by(i);
}

static void nothing(int number)
{
    (void)number;
}

static void on_timer(int number, siginfo_t *info, void *context)
{
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    unsigned long at = IP(registers), own = (unsigned long)work, driver = (unsigned long)drive;

    (void)number;
    (void)info;
    /* Only out of these two, which spare no red zone. */
    if ((at < own || at >= own + 32) && (at < driver || at >= driver + 64))
        return;
    /* As many more as the tool still knows the interrupted place after. */
    for (int i = 0; i < 7; i++)
        raise(SIGUSR1);
#ifdef __aarch64__
    registers->sp -= 16;
    *(unsigned long *)registers->sp = registers->regs[30];
    registers->regs[30] = at;
#else
    registers->gregs[REG_RSP] -= 8;
    *(unsigned long *)registers->gregs[REG_RSP] = at;
#endif
    IP(registers) = (long)injected;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct itimerval timer = {{0, 500}, {0, 500}}, none = {{0, 0}, {0, 0}};

    signal(SIGUSR1, nothing);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    do
        drive(work);
    while (0);
    setitimer(ITIMER_REAL, &none, NULL);
    printf("%ld\n", n_injected);
    return 0;
}
