/* crowd.c - a program of threads, in one of several CASEs: how they meet, and what depends on who
 * comes first. LOOPS has how much more each of four threads does, MORE how much main() does at the
 * end. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 2000, ROOM = 16 };
enum { MUTEX, QUEUE, POOL, APART, BARRIER, RWLOCK };
static const unsigned loops[THREADS] = {LOOPS};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static int taken[THREADS * ROUNDS], n_taken, queue[ROOM], n_queued, given;

__attribute__((noinline)) static unsigned work(unsigned times)
{
    volatile unsigned x = times;
    while (times--)
        x = x * 1664525 + 1013904223;
    return x;
}

/* Work that depends on who came before. */
static void note(int who)
{
    int last = n_taken ? taken[n_taken - 1] : -1;

    taken[n_taken++] = who;
    work(last == who ? 20 : 20 + (unsigned)who * 2);
}

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (n_queued == ROOM)
        pthread_cond_wait(&emptied, &mutex);
    queue[n_queued++] = item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
}

static int get(void)
{
    int item;

    pthread_mutex_lock(&mutex);
    while (!n_queued)
        pthread_cond_wait(&filled, &mutex);
    item = queue[--n_queued];
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
    return item;
}

static int next(void)
{
    int job;

    pthread_mutex_lock(&mutex);
    job = given < THREADS * ROUNDS ? given++ : -1;
    pthread_mutex_unlock(&mutex);
    return job;
}

static void round_of(int who, int i)
{
    switch (CASE) {
    case MUTEX:
        pthread_mutex_lock(&mutex);
        note(who);
        pthread_mutex_unlock(&mutex);
        if (i % 16 == 0)
            sched_yield();
        work(60);
        break;
    case QUEUE:
        if (who % 2)
            put(i);
        else
            work(40 + (unsigned)get() % 7);
        break;
    case BARRIER:
        work(50 * (unsigned)(who + 1));
        if (i % 10 == 0)
            pthread_barrier_wait(&barrier);
        break;
    case RWLOCK:
        if (i % 8 == who)
            pthread_rwlock_wrlock(&rwlock);
        else
            pthread_rwlock_rdlock(&rwlock);
        work(30);
        if (i % 32 == 0)
            sched_yield();
        pthread_rwlock_unlock(&rwlock);
        break;
    default:
        work(100);
    }
}

static void *run(void *argument)
{
    int who = (int)(intptr_t)argument, job;

    work(loops[who]);
    if (CASE == POOL)
        while ((job = next()) >= 0)
            work(50 + (unsigned)(job * (who + 1)) % 20);
    else
        for (int i = 0; i < ROUNDS; i++)
            round_of(who, i);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    work(MORE);
    return 0;
}
