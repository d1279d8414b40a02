/*
 * named.c WHAT [N] - a program that names its sections. burn(n) costs a fixed part, and a step for
 * each of its n rounds.
 */
#define _GNU_SOURCE
#include "cprof-sections.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#ifdef CPROF_ENABLE
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#define CALLGRIND_DUMP_STATS_AT(name)
#define CALLGRIND_ZERO_STATS
#endif

#define SEPARATE __attribute__((noinline, noclone, noipa))

static volatile long sink;

/* Sections before it may not move its loop, which compilers align. */
__attribute__((aligned(64))) SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

/* One inside of the other, n times. */
SEPARATE void inner(long i)
{
    CPROF_BEGIN("inner");
    burn(i);
    CPROF_EVENT("rows-read_2", 2 * i);
    CPROF_END("inner");
}

static void nested(long n)
{
    CPROF_BEGIN("outer");
    for (long i = 0; i < n; i++)
        inner(i);
    CPROF_END("outer");
    burn(7);
}

/* Begins in one function and ends in another; beginning and end are in callees of main. */
SEPARATE void begin_it(void)
{
    CPROF_BEGIN("carried");
    burn(1);
}

SEPARATE void end_it(void)
{
    burn(2);
    CPROF_END("carried");
    burn(4);
}

static void carried(long n)
{
    begin_it();
    burn(n);
    end_it();
    burn(8);
}

SEPARATE void dive(long depth)
{
    CPROF_BEGIN("dive");
    burn(10);
    if (depth)
        dive(depth - 1);
    CPROF_END("dive");
}

static void crossed(long n)
{
    CPROF_BEGIN("first");
    burn(n);
    CPROF_BEGIN("second");
    burn(20);
    CPROF_END("first");
    burn(30);
    CPROF_END("second");
}

static void stray(long n)
{
    CPROF_END("never");
    burn(n);
    CPROF_BEGIN("open");
    burn(1);
}

/* Leaves a section by longjmp(), as often as asked. */
static jmp_buf back;
SEPARATE void leave(void)
{
    CPROF_BEGIN("left");
    burn(5);
    longjmp(back, 1);
}

static void jumped(long n)
{
    for (volatile long i = 0; i < n; i++)
        if (!setjmp(back))
            leave();
    burn(3);
}

/* A handler has a section of its own, and one interrupts a section. */
static void on_signal(int number)
{
    (void)number;
    CPROF_BEGIN("handler");
    burn(3);
    CPROF_END("handler");
    CPROF_BEGIN("forgotten");
}

static void signals(long n)
{
    signal(SIGUSR1, on_signal);
    CPROF_BEGIN("interrupted");
    burn(n);
    raise(SIGUSR1);
    CPROF_END("interrupted");
}

/* Threads take turns within one section. */
static pthread_barrier_t turn;
static void *work(void *n)
{
    CPROF_BEGIN("thread");
    burn((long)n);
    pthread_barrier_wait(&turn);
    burn((long)n);
    CPROF_END("thread");
    pthread_barrier_wait(&turn);
    if ((long)n == 10)
        CPROF_BEGIN("abandoned");
    return NULL;
}

static void *end_other(void *unused)
{
    CPROF_END("elsewhere");
    return unused;
}

static void threads(long n)
{
    pthread_t a, b;

    pthread_barrier_init(&turn, NULL, 2);
    pthread_create(&a, NULL, work, (void *)10);
    pthread_create(&b, NULL, work, (void *)n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    CPROF_BEGIN("elsewhere");
    pthread_create(&a, NULL, end_other, NULL);
    pthread_join(a, NULL);
    burn(1);
}

/* A fibre gives way within a section of its own, while its resumer is in another one. */
static ucontext_t of_main, of_fibre;
static char stack[65536];
SEPARATE void fibre(void)
{
    CPROF_BEGIN("fibre");
    burn(10);
    swapcontext(&of_fibre, &of_main);
    burn(20);
    CPROF_END("fibre");
}

static void fibres(long n)
{
    getcontext(&of_fibre);
    of_fibre.uc_stack.ss_sp = stack;
    of_fibre.uc_stack.ss_size = sizeof stack;
    of_fibre.uc_link = &of_main;
    makecontext(&of_fibre, fibre, 0);
    swapcontext(&of_main, &of_fibre);
    burn(n);
    swapcontext(&of_main, &of_fibre);
}

/* Nothing is counted for a while within a section, and parts are written. */
static void switched(long n)
{
    CPROF_BEGIN("switched");
    burn(n);
    CALLGRIND_TOGGLE_COLLECT;
    burn(1000);
    CPROF_BEGIN("off");
    CPROF_EVENT("rows-read_2", 1);
    CPROF_END("off");
    CALLGRIND_TOGGLE_COLLECT;
    burn(1);
    CPROF_END("switched");
}

static void parts(long n)
{
    CPROF_BEGIN("whole");
    burn(n);
    CPROF_EVENT("rows-read_2", 5);
    CALLGRIND_DUMP_STATS_AT("within");
    burn(1);
    CPROF_EVENT("rows-read_2", 3);
    CPROF_END("whole");
}

/* Requests as no macro makes them. */
static void wrong(long n)
{
#ifdef CPROF_ENABLE
    static char name[5000] = "a\nb", events[64][8];
    unsigned long words[6] = {CPROF_REQUEST_BEGIN, (unsigned long)name, 3, 0, 0, 0};

    cprof_ask(words);
    words[2] = 0;
    cprof_ask(words);
    words[1] = 16;
    words[2] = 4;
    cprof_ask(words);
    words[1] = (unsigned long)name;
    memset(name, 'x', sizeof name);
    words[2] = sizeof name;
    cprof_ask(words);
    words[2] = ~0ul;
    cprof_ask(words);
    /* An entry that goes on, stops and ends under numbers that nobody gave. */
    for (unsigned long code = 3; code < 7; code++)
        for (unsigned long number = 0; number < 100; number += 33) {
            words[0] = CPROF_REQUEST_BASE + code;
            words[2] = 4;
            words[3] = number;
            cprof_ask(words);
        }
    for (int i = 0; i < 64; i++) {
        events[i][0] = 'e';
        events[i][1] = (char)('A' + i);
        words[0] = CPROF_REQUEST_EVENT;
        words[1] = (unsigned long)events[i];
        words[2] = 2;
        words[3] = 1;
        cprof_ask(words);
    }
    CPROF_EVENT("Ir", 1);
    CPROF_EVENT("d1MR", 1);
    CPROF_EVENT("eA", ~0ul);
    CPROF_EVENT("eA", 0x7ffffffffffffffe);
    CPROF_EVENT("eA", 1);
#endif
    burn(n);
}

/* Many different costs: more than are kept apart. */
static void spread(long n)
{
    for (long i = 1; i <= n; i++) {
        CPROF_BEGIN("many");
        burn(i);
        CPROF_END("many");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(long n);
    } all[] = {{"nested", nested},     {"carried", carried}, {"dive", dive},
               {"crossed", crossed},   {"stray", stray},     {"jumped", jumped},
               {"signals", signals},   {"threads", threads}, {"fibres", fibres},
               {"switched", switched}, {"parts", parts},     {"wrong", wrong},
               {"spread", spread}};

    for (size_t i = 0; argc > 2 && i < sizeof all / sizeof *all; i++)
        if (!strcmp(argv[1], all[i].name))
            all[i].run(atol(argv[2]));
    return 0;
}
