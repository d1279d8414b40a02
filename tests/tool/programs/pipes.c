/*
 * pipes.c - threads that hand over by pipes: one runs while all others sleep in read(). The pauses
 * let each settle in its system call before the next one goes on; but what is executed does not
 * depend on them, however late a thread is: all have ended when the program does.
 *
 * They are no pthreads. From 2.41 on glibc writes a thread's number into a name for its stack,
 * which takes longer for a longer number; and pthread_join() executes more where it comes early.
 */
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3, STACK = 1 << 16 };

static int up[2], down[THREADS][2];
static char stacks[THREADS][STACK] __attribute__((aligned(64)));
static int alive[THREADS]; /* the kernel clears it when the thread is no more */

__attribute__((noinline)) static long spin(long n)
{
    static long cells[1 << 14];
    volatile long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += i;
        cells[i * 7919 & 0x3fff] += sum;
    }
    return sum;
}

static void settle(void)
{
    struct timespec pause = {0, 30000000};
    nanosleep(&pause, NULL);
}

static int worker(void *argument)
{
    long number = (long)argument;
    char token;
    while (read(down[number][0], &token, 1) == 1 && token) {
        spin(20000 * (number + 1));
        settle();
        if (write(up[1], &token, 1) != 1)
            break;
    }
    return 0;
}

static int start(long number)
{
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                      CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
    alive[number] = 1;
    return clone(worker, stacks[number] + STACK, flags, (void *)number, NULL, NULL, &alive[number]);
}

/* One system call, whether the thread has ended already or not. */
static void await(long number)
{
#ifdef __aarch64__
    register long place __asm__("x0") = (long)&alive[number], wait __asm__("x1") = FUTEX_WAIT;
    register long value __asm__("x2") = 1, timeout __asm__("x3") = 0;
    register long call __asm__("x8") = SYS_futex;
    __asm__ volatile("svc #0"
                     : "+r"(place)
                     : "r"(wait), "r"(value), "r"(timeout), "r"(call)
                     : "memory");
#else
    register long timeout __asm__("r10") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(&alive[number]), "S"(FUTEX_WAIT), "d"(1), "r"(timeout)
                     : "rcx", "r11", "memory");
#endif
}

int main(void)
{
    char token = 1, last = 0;
    if (pipe(up))
        return 1;
    for (long i = 0; i < THREADS; i++) {
        if (pipe(down[i]) || start(i) < 0)
            return 1;
        settle();
    }
    for (int round = 0; round < ROUNDS; round++)
        for (long i = 0; i < THREADS; i++) {
            if (write(down[i][1], &token, 1) != 1 || read(up[0], &token, 1) != 1)
                return 1;
            settle();
        }
    for (long i = 0; i < THREADS; i++) {
        if (write(down[i][1], &last, 1) != 1)
            return 1;
        await(i);
    }
    spin(1000);
    _exit(0);
}
