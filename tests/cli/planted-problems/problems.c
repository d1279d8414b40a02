/* Programs with one problem each, PROBLEM, in planted(); decoy() works beside it. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

volatile unsigned long sink;

APART static unsigned long decoy(unsigned long n)
{
    unsigned long s = 1;

    for (unsigned long i = 0; i < n; i++)
        s = s * 31 + (i ^ s >> 7);
    return s;
}

__attribute__((unused)) static void nap(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

#if PROBLEM == 1 /* a search in a list, for each */
APART static void planted(void)
{
    static unsigned seen[12000];
    size_t n = 0;

    for (unsigned i = 0; i < 24000; i++) {
        size_t k = 0;

        while (k < n && seen[k] != i % 12000)
            k++;
        if (k == n)
            seen[n++] = i;
        sink += k;
    }
}
#elif PROBLEM == 2 /* large frames of a library, below a function that is called often */
void build(char seed);

#ifdef LIBRARY
APART static void work(char *room, size_t size)
{
    for (size_t i = 0; i < 40 * size; i++)
        sink += (unsigned char)room[i % size];
}

APART void build(char seed)
{
    char room[45000];

    memset(room, seed, sizeof room);
    work(room, 2000);
    sink += (unsigned char)room[7];
}
#endif

APART static void planted(void)
{
    for (int i = 0; i < 1500; i++)
        build((char)i);
}
#elif PROBLEM == 3  /* recursion */
APART static unsigned long planted_below(unsigned n)
{
    return n < 2 ? n : planted_below(n - 1) + planted_below(n - 2);
}

APART static void planted(void)
{
    sink += planted_below(34);
}
#elif PROBLEM == 4  /* the length of a text, in each step */
APART static void planted(void)
{
    static char text[30000];

    memset(text, 'a', sizeof text - 1);
    for (size_t i = 0; i < strlen(text); i++) {
        __asm__ volatile("" ::: "memory");
        sink += (unsigned char)text[i];
    }
    for (size_t i = 0; i < 300000; i++) {
        __asm__ volatile("" ::: "memory");
        sink += strlen(text + i % 1000);
    }
}
#elif PROBLEM == 5  /* sorted again for each value */
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

APART static void planted(void)
{
    static int values[1000];

    for (int i = 0; i < 1000; i++) {
        values[i] = (i * 7919) % 1000;
        qsort(values, 1000, sizeof *values, compare);
        sink += (unsigned)values[i];
    }
}
#elif PROBLEM == 6  /* a lock that is held for long */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

APART static void *planted_thread(void *unused)
{
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        nap(20);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

APART static void planted(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, planted_thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
#elif PROBLEM == 7  /* looks whether something is ready, every few milliseconds */
APART static void planted(void)
{
    for (int i = 0; i < 60; i++)
        poll(NULL, 0, 10);
}
#elif PROBLEM == 8  /* waits for an answer */
static int ends[2];

static void *answer(void *unused)
{
    nap(500);
    sink += (unsigned long)write(ends[1], "x", 1);
    return unused;
}

APART static void planted(void)
{
    pthread_t thread;
    char byte;

    if (pipe(ends) || pthread_create(&thread, NULL, answer, NULL))
        return;
    sink += (unsigned long)read(ends[0], &byte, 1);
    pthread_join(thread, NULL);
}
#elif PROBLEM == 9  /* column by column */
APART static void planted(void)
{
    enum { N = 2048 };
    static double m[N][N];

    for (int times = 0; times < 2; times++)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                m[i][k] += k;
    sink += (unsigned long)m[3][4];
}
#elif PROBLEM == 10 /* a list in the order of chance */
struct node {
    struct node *next;
    char data[56];
};
static struct node nodes[1 << 18];

static void tie(void)
{
    static unsigned order[1 << 18];
    unsigned state = 1, n = sizeof nodes / sizeof *nodes;

    for (unsigned i = 0; i < n; i++)
        order[i] = i;
    for (unsigned i = n - 1; i; i--) {
        unsigned k = (state = state * 1664525 + 1013904223) % i, t = order[i];

        order[i] = order[k];
        order[k] = t;
    }
    for (unsigned i = 0; i < n; i++)
        nodes[order[i]].next = &nodes[order[(i + 1) % n]];
}

APART static void planted(void)
{
    struct node *n = nodes;

    for (int i = 0; i < 2000000; i++)
        n = n->next;
    sink += n == nodes;
}
#endif

#ifndef LIBRARY
int main(void)
{
#if PROBLEM == 10
    tie();
#endif
    sink += decoy(3000000);
    planted();
    return 0;
}
#endif
