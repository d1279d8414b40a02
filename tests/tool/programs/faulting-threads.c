/*
 * faulting-threads: threads one after the other, of which each reads memory that it may not read
 * until its handler allows that. A vector register, flags and the stack below the stack pointer
 * have to be what they were. Prints a sum.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static char *page;

static void allow(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    mprotect((void *)((uintptr_t)info->si_addr & ~4095UL), 4096, PROT_READ | PROT_WRITE);
}

static __attribute__((noinline)) long read_it(const char *at)
{
    double before = (double)at[-4096] + 1.5, after;
    volatile long below[12];
    long sum = 0;
    for (int i = 0; i < 12; i++)
        below[i] = i;
    after = before + at[0];
    for (int i = 0; i < 12; i++)
        sum += below[i];
    return sum + (long)(after * 2);
}

static void *one(void *sum)
{
    mprotect(page + 4096, 4096, PROT_NONE);
    *(long *)sum += read_it(page + 4096);
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = allow, .sa_flags = SA_SIGINFO};
    long sum = 0;
    page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(page, 3, 8192);
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, one, &sum);
        pthread_join(thread, NULL);
    }
    printf("%ld\n", sum);
    return 0;
}
