/* storm.c - a timer's signals while a loop works; every handler counts. Ends after 200 of them. */
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile long sink;
static volatile sig_atomic_t seen;

__attribute__((noinline, noclone, noipa)) void leaf(void)
{
    sink++;
}

__attribute__((noinline, noclone, noipa)) void on_signal(int number)
{
    (void)number;
    leaf();
    seen++;
}

__attribute__((noinline, noclone, noipa)) long turn(long n)
{
    leaf();
    return n ? turn(n - 1) + 1 : 0;
}

int main(void)
{
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    long turns = 0;
    signal(SIGALRM, on_signal);
    setitimer(ITIMER_REAL, &often, NULL);
    while (seen < 200)
        turns += turn(20);
    setitimer(ITIMER_REAL, &never, NULL);
    return turns == 0;
}
