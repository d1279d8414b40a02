/*
 * sections.c WHAT - a program that says itself what is to be counted. burn(n) costs the same for
 * each of its n rounds, so what was counted can be told from its cost.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

/* The requests of Valgrind 3.22's cachegrind.h; older ones lack the file. */
#define CACHEGRIND(n) \
    VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'G') + (n), 0, 0, 0, 0, 0)

#define SEPARATE __attribute__((noinline, noclone, noipa))

static volatile long sink;

SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE void wanted(long n)
{
    burn(n);
    sink++;
}

/* Goes on until its third activation, where the request is made. */
SEPARATE void dive(int depth, void (*request)(void))
{
    burn(1000);
    if (depth < 3)
        dive(depth + 1, request);
    else
        request();
    burn(10);
    sink++;
}

SEPARATE void wanted_dive(int depth)
{
    burn(10);
    if (depth < 3)
        wanted_dive(depth + 1);
    burn(1);
    sink++;
}

SEPARATE void start(void)
{
    CALLGRIND_START_INSTRUMENTATION;
}

SEPARATE void stop(void)
{
    CALLGRIND_STOP_INSTRUMENTATION;
}

SEPARATE void toggle(void)
{
    CALLGRIND_TOGGLE_COLLECT;
}

SEPARATE void zero(void)
{
    CALLGRIND_ZERO_STATS;
}

SEPARATE void dump(void)
{
    CALLGRIND_DUMP_STATS;
}

SEPARATE void *worker(void *n)
{
    wanted((long)n);
    CALLGRIND_DUMP_STATS_AT("in a thread");
    wanted(10 * (long)n);
    return NULL;
}

/* One after the other, while the first one waits. */
static void threads(void)
{
    for (long i = 1; i <= 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, (void *)(100 * i));
        pthread_join(thread, NULL);
    }
    CALLGRIND_DUMP_STATS_AT("behind them");
    wanted(5);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "measure")) {
        burn(argc > 2 ? atol(argv[2]) : 1);
    } else if (!strcmp(what, "instrumentation")) {
        burn(1);
        start();
        burn(10);
        stop();
        burn(100);
        start();
        start();
        burn(1000);
        stop();
        stop();
        burn(10000);
    } else if (!strcmp(what, "cachegrind")) {
        burn(1);
        CACHEGRIND(0);
        burn(10);
        CACHEGRIND(1);
        burn(100);
        CACHEGRIND(0);
        burn(1000);
    } else if (!strcmp(what, "unended")) {
        start();
        stop();
        start();
        stop();
        start();
        burn(1000);
    } else if (!strcmp(what, "toggle")) {
        burn(1);
        toggle();
        burn(10);
        toggle();
        burn(100);
    } else if (!strcmp(what, "both")) {
        /* Counted where both switches let it through. */
        burn(1);
        start();
        burn(10);
        toggle();
        burn(100);
        stop();
        burn(1000);
        start();
        toggle();
        burn(10000);
    } else if (!strcmp(what, "zero")) {
        burn(1);
        zero();
        burn(10);
    } else if (!strcmp(what, "dump")) {
        burn(1);
        dump();
        burn(10);
        CALLGRIND_DUMP_STATS_AT("the second");
        burn(100);
    } else if (!strcmp(what, "start-stop")) {
        start();
        burn(1000);
        dump();
        stop();
        burn(1);
        start();
        burn(10);
        dump();
        stop();
    } else if (!strcmp(what, "zero-dive")) {
        dive(1, zero);
    } else if (!strcmp(what, "dump-dive")) {
        dive(1, dump);
    } else if (!strcmp(what, "stop-dive")) {
        dive(1, stop);
    } else if (!strcmp(what, "start-dive")) {
        dive(1, start);
    } else if (!strcmp(what, "wanted")) {
        burn(1);
        wanted(10);
        burn(100);
        wanted(1000);
    } else if (!strcmp(what, "wanted-dive")) {
        burn(1000);
        wanted_dive(1);
    } else if (!strcmp(what, "threads")) {
        threads();
    }
    return 0;
}
