#include <config.h>

#include "worker.h"

#include <sched.h>
#include <signal.h>

static void *work(void *data)
{
    struct worker *w = data;

    pthread_mutex_lock(&w->lock);
    for (;;) {
        struct worker_job job;

        while (!w->n && !w->ending)
            pthread_cond_wait(&w->changed, &w->lock);
        if (!w->n)
            break;
        job = w->jobs[w->first];
        pthread_mutex_unlock(&w->lock);
        job.run(job.data);
        pthread_mutex_lock(&w->lock);
        w->first = (w->first + 1) % WORKER_JOBS;
        w->n--;
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Tells if this process may run on two processors. It may where nobody knows: there are more
 * processors than a set has room for. */
static int has_processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) || CPU_COUNT(&set) > 1;
}

void worker_begin(struct worker *w)
{
    sigset_t all, old;

    *w = (struct worker){.n = 0};
    if (!has_processors())
        return;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    w->threaded = !pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!w->threaded) {
        pthread_mutex_destroy(&w->lock);
        pthread_cond_destroy(&w->changed);
    }
}

void worker_do(struct worker *w, void (*run)(void *data), void *data)
{
    if (!w->threaded) {
        run(data);
        return;
    }
    pthread_mutex_lock(&w->lock);
    while (w->n == WORKER_JOBS)
        pthread_cond_wait(&w->changed, &w->lock);
    w->jobs[(w->first + w->n++) % WORKER_JOBS] = (struct worker_job){run, data};
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void worker_wait(struct worker *w)
{
    if (!w->threaded)
        return;
    pthread_mutex_lock(&w->lock);
    while (w->n)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void worker_end(struct worker *w)
{
    if (!w->threaded)
        return;
    pthread_mutex_lock(&w->lock);
    w->ending = 1;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    w->threaded = 0;
}
