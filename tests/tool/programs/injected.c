/*
 * injected.c - a timer's handler that has the interrupted code call a function, as that of Go's
 * runtime does. work() is called 300,000 times, whatever comes between. Prints how often that was.
 * Needs -mno-red-zone: the return address is put right under the stack pointer.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

long n_injected;
static volatile long sink;
void injected(void);

/* Keeps every register, and the flags. */
__asm__(".globl injected\n.type injected, @function\ninjected:\n"
        "pushf\npush %rax\ncall in_between\npop %rax\npopf\nret\n.size injected, . - injected\n"
        ".globl in_between\n.type in_between, @function\nin_between:\n"
        "incq n_injected(%rip)\nret\n.size in_between, . - in_between\n");

__attribute__((noinline, noclone, noipa)) long work(long n)
{
    long sum = 0;

    for (long i = 0; i < 5; i++)
        sum += i ^ n;
    return sum;
}

__attribute__((noinline, noclone, noipa)) void drive(long (*volatile work_by)(long))
{
    for (long i = 0; i < 150000; i++)
        sink += work(i) + work_by(i);
}

static void nothing(int number)
{
    (void)number;
}

static void on_timer(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    greg_t at = registers[REG_RIP], own = (greg_t)work, driver = (greg_t)drive;

    (void)number;
    (void)info;
    /* Only out of these two, which spare no red zone. */
    if ((at < own || at >= own + 32) && (at < driver || at >= driver + 64))
        return;
    /* As many more as the tool still knows the interrupted place after. */
    for (int i = 0; i < 7; i++)
        raise(SIGUSR1);
    registers[REG_RSP] -= 8;
    *(greg_t *)registers[REG_RSP] = at;
    registers[REG_RIP] = (greg_t)injected;
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
