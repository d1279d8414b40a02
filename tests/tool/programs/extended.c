/*
 * extended.c - long doubles of 80 bits: what is left of them when other code runs in between. Each
 * line is the same natively.
 */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int ticks;
static char *page;
static sigjmp_buf back;

static __attribute__((noinline)) long double series(int n)
{
    long double sum = 0;

    for (int i = 1; i <= n; i++)
        sum += 1.0L / i;
    return sum;
}

static void on_tick(int n)
{
    fesetround(FE_UPWARD);
    ticks += series(20) > 3;
}

static void on_fault(int n)
{
    ticks += series(10) > 2;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void on_jump(int n)
{
    __asm__ volatile("fldpi\n\tfldl2e");
    siglongjmp(back, 1);
}

static void rounding(void)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile long double one = 1, three = 3;

    for (int i = 0; i < 4; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        fesetround(modes[i]);
        printf("%La %La %d\n", one / three, -one / three, fetestexcept(FE_INEXACT) != 0);
    }
    fesetround(FE_TONEAREST);
}

/* A timer interrupts sums that are in registers. */
static void ticking(void)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    long double sum = 0;

    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 10)
        sum = series(3000);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%La %La\n", sum, series(3000));
}

/* A register keeps its value over a fault, a system call that a signal ends, and a jump. */
static void kept(void)
{
    long double pi;

    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, on_fault);
    __asm__ volatile("fldpi\n\tmovb $1, (%1)\n\tfstpt %0" : "=m"(pi) : "r"(page) : "memory");
    printf("%La %d\n", pi, *page);
    signal(SIGALRM, on_tick);
    ualarm(2000, 2000); /* more than once, since the first may come before the pause */
    __asm__ volatile("fldl2t\n\tsyscall\n\tfstpt %0"
                     : "=m"(pi)
                     : "a"(34) /* pause */
                     : "rcx", "r11", "memory");
    ualarm(0, 0);
    printf("%La\n", pi);
    signal(SIGUSR1, on_jump);
    for (int i = 0; i < 300; i++)
        if (!sigsetjmp(back, 1)) {
            __asm__ volatile("fninit");
            raise(SIGUSR1);
        }
    __asm__ volatile("fninit");
    printf("%La\n", series(100));
}

static void *thread(void *mode)
{
    long double *sum = mode;

    fesetround((int)*sum);
    *sum = series(200000);
    return NULL;
}

/* Each thread has a control word and registers of its own. */
static void threads(void)
{
    long double sums[3] = {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST};
    pthread_t ids[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], NULL, thread, &sums[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
    printf("%La %La %La\n", sums[0], sums[1], sums[2]);
}

static void comparing(void)
{
    volatile long double a = 1, b = nextafterl(1, 2), nan = NAN, huge = 1e4000L, tiny = 1e-4000L;

    printf("%d%d%d%d %La %La\n", a<b, a == b, b> a, nan == nan, huge * tiny, remainderl(huge, b));
    printf("%La %Lf %lld\n", sqrtl(b + 1), ldexpl(b, 60), (long long)ldexpl(b, 62));
}

/* MMX has the same registers. */
static void mmx(void)
{
    uint64_t sum;

    __asm__ volatile("movq %1, %%mm0\n\tmovd %2, %%mm1\n\tpunpckldq %%mm1, %%mm1\n\t"
                     "paddd %%mm1, %%mm0\n\tmovl $39, %%eax\n\tsyscall\n\t"
                     "psrlq $4, %%mm0\n\tmovq %%mm0, %0\n\temms"
                     : "=m"(sum)
                     : "m"((uint64_t){0xfedcba9876543210}), "r"(0x11111111)
                     : "rax", "rcx", "r11", "mm0", "mm1");
    printf("%llx\n", (unsigned long long)sum);
}

int main(void)
{
    rounding();
    ticking();
    kept();
    threads();
    comparing();
    mmx();
    printf("%.25Lg %.25Lg\n", sinl(series(9)), powl(1.0000001L, 12345678));
    return 0;
}
