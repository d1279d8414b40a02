/*
 * handlers.c - signals: handlers that return, that leave by siglongjmp, on the same stack and on
 * one of their own, after a call of a null pointer, and between such a call and its arrival
 * elsewhere. Each has its own leaf.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static sigjmp_buf jump;
static volatile long sink;
static void (*volatile nowhere)(void), (*volatile again)(long);

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE void leaf(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void returning(int number)
{
    leaf(number);
    sink++;
}

SEPARATE void leaving(int number)
{
    leaf(number);
    siglongjmp(jump, 1);
}

SEPARATE void returning_aside(int number)
{
    leaf(number);
    sink++;
}

SEPARATE void leaving_aside(int number)
{
    leaf(number);
    siglongjmp(jump, 1);
}

SEPARATE void work(long n)
{
    leaf(n);
    sink++;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

SEPARATE void send(int number)
{
    raise(number);
    work(3);
}

SEPARATE void send_and_land(int number)
{
    if (!sigsetjmp(jump, 1))
        raise(number);
    work(4);
}

SEPARATE void call_nowhere(void)
{
    if (!sigsetjmp(jump, 1))
        nowhere();
    work(5);
}

SEPARATE void landed(void)
{
    leaf(7);
    sink++;
}

SEPARATE void landed_again(long n)
{
    if (n)
        again(n - 1);
    leaf(8);
    sink++;
}

/* The call of a null pointer goes on as one of `target`. */
static void (*volatile target)(void);

SEPARATE void directing(int number, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    leaf(number);
#ifdef __aarch64__
    interrupted->uc_mcontext.pc = (unsigned long)target;
#else
    interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)target;
#endif
    (void)info;
}

SEPARATE void call_and_land(void)
{
    target = landed;
    nowhere();
    target = (void (*)(void))landed_again;
    again(3);
    sink++;
}

int main(void)
{
    stack_t aside = {.ss_sp = malloc(65536), .ss_size = 65536};

    sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = directing, .sa_flags = SA_SIGINFO},
              NULL);
    for (int i = 0; i < 10; i++)
        call_and_land();
    sigaltstack(&aside, NULL);
    handle(SIGUSR1, returning, 0);
    handle(SIGUSR2, leaving, 0);
    handle(SIGHUP, returning_aside, SA_ONSTACK);
    handle(SIGALRM, leaving_aside, SA_ONSTACK);
    for (int i = 0; i < 20; i++) {
        send(SIGUSR1);
        send(SIGHUP);
        send_and_land(SIGUSR2);
        send_and_land(SIGALRM);
    }
    handle(SIGSEGV, leaving, SA_NODEFER);
    for (int i = 0; i < 10; i++)
        call_nowhere();
    work(6);
    return 0;
}
