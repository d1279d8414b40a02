/*
 * interrupted none|timer|sender|thread: a fixed amount of work of many kinds, which signals
 * interrupt as often as they can: a timer's, or those of a process or a thread that does nothing
 * else. It prints what it has computed; to stderr, if enough signals came.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

static volatile unsigned long signals;
static char here[4096], there[4096];

/* The handler changes what registers and flags there are. */
SEPARATE static void on_signal(int n)
{
    long double x = (long double)n;

    __asm__ volatile("std\n\tcld\n\tfldpi\n\tfaddp\n\tvpcmpeqd %%ymm0, %%ymm0, %%ymm0\n\t"
                     "vpaddd %%ymm0, %%ymm0, %%ymm7\n\tvzeroupper\n\tcmp $5, %%eax"
                     : "+t"(x)
                     :
                     : "xmm0", "xmm7", "cc");
    signals++;
}

SEPARATE static uint64_t tight(uint64_t n, uint64_t s)
{
    for (; n; n--)
        s = s * 5 + n;
    return s;
}

SEPARATE static uint64_t leaf(uint64_t n)
{
    return n ^ n >> 3;
}

SEPARATE static uint64_t calls(uint64_t n, uint64_t s)
{
    for (; n; n--)
        s += leaf(s + n);
    return s;
}

SEPARATE static uint64_t deep(uint64_t n, uint64_t s)
{
    return n ? deep(n - 1, leaf(s)) + n : s;
}

static uint64_t (*volatile const chosen[])(uint64_t, uint64_t) = {tight, calls, deep};

SEPARATE static uint64_t computed(uint64_t n, uint64_t s)
{
    for (; n; n--)
        s = chosen[(s >> 5) % 3](n % 8, s);
    return s;
}

SEPARATE static uint64_t strings(uint64_t n, uint64_t s)
{
    for (; n; n--) {
        char *to = there;
        const char *from = here;
        uint64_t count = 100 + n % 400;
        here[n % sizeof here] = (char)s;
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        s = s * 3 + (uint64_t)there[n % 99];
    }
    return s;
}

/* The carry goes through a whole loop; vectors and x87's stack are full. */
SEPARATE static uint64_t registers(uint64_t n, uint64_t s)
{
    uint64_t low = s, high = n;
    double sum;

    __asm__ volatile(
        "fldz\n\tfld1\n\tfldpi\n\tvmovq %0, %%xmm7\n\tvpbroadcastq %%xmm7, %%ymm7\n\t"
        "vmovdqa %%ymm7, %%ymm8\n\tclc\n"
        "1:\tadc %0, %1\n\tadc %1, %0\n\tfadd %%st, %%st(2)\n\tvpaddd %%ymm8, %%ymm7, "
        "%%ymm7\n\tlea -1(%2), %2\n\tinc %2\n\tdec %2\n\tjne 1b\n\t"
        "fstp %%st(0)\n\tfstp %%st(0)\n\tfstpl %3\n\tvextracti128 $1, %%ymm7, %%xmm7\n\t"
        "vmovq %%xmm7, %2\n\tadd %2, %0\n\tvzeroupper"
        : "+r"(low), "+r"(high), "+r"(n), "=m"(sum)
        :
        : "xmm7", "xmm8", "cc");
    return low + high + (uint64_t)sum;
}

SEPARATE static uint64_t work(void)
{
    uint64_t s = 1;

    for (int i = 0; i < 40; i++) {
        s = tight(3000, s);
        s = calls(1000, s);
        s = deep(200, s);
        s = computed(300, s);
        s = strings(20, s);
        s = registers(500, s);
    }
    return s;
}

static pid_t begin_sender(void)
{
    pid_t parent = getpid(), child = fork();

    if (!child)
        while (getppid() == parent && !kill(parent, SIGALRM))
            ;
    if (!child)
        _exit(0);
    return child;
}

static volatile int has_ended;

static void *send(void *to)
{
    while (!has_ended && !pthread_kill(*(pthread_t *)to, SIGALRM))
        sched_yield();
    return NULL;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "none";
    const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    pthread_t self = pthread_self(), thread = self;
    pid_t sender = 0;
    uint64_t s;

    signal(SIGALRM, on_signal);
    if (!strcmp(mode, "timer"))
        setitimer(ITIMER_REAL, &often, NULL);
    else if (!strcmp(mode, "sender"))
        sender = begin_sender();
    else if (!strcmp(mode, "thread") && pthread_create(&thread, NULL, send, &self))
        return 2;
    s = work();
    has_ended = 1;
    if (thread != self)
        pthread_join(thread, NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    if (sender > 0 && !kill(sender, SIGKILL))
        waitpid(sender, NULL, 0);
    printf("%llx\n", (unsigned long long)s);
    fprintf(stderr, "%s\n", signals > 20 ? "interrupted" : "quiet");
    return 0;
}
