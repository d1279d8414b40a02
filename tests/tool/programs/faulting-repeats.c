/*
 * faulting-repeats: repeated string instructions of x86-64 that fault in the middle, until a
 * handler allows the access. Prints a sum.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void allow(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    mprotect((void *)((uintptr_t)info->si_addr & ~4095UL), 4096, PROT_READ | PROT_WRITE);
}

static __attribute__((noinline)) void copy(char *to, const char *from, long n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static __attribute__((noinline)) void fill(char *to, long n)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(5) : "memory");
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = allow, .sa_flags = SA_SIGINFO};
    char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static char to[8192];
    long sum = 0;
    memset(page, 3, 3 * 4096);
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 50; i++) {
        mprotect(page + 4096, 8192, PROT_NONE);
        copy(to, page + 10 * i, 8000);
        mprotect(page + 4096, 8192, PROT_NONE);
        fill(page + 4090 - i, 20 + 2 * i);
        sum += to[7999] + page[4096];
    }
    printf("%ld\n", sum);
    return 0;
}
