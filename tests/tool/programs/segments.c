/*
 * segments.c [threads] - memory by way of GS, and of FS at another base, on x86-64: reads, writes,
 * calls, pushes, in a handler, and in threads if they are asked for. Each line is the same
 * natively.
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t areas[4][8];

static uint64_t nine(void)
{
    return 9;
}

static void use_area(int i)
{
    syscall(SYS_arch_prctl, ARCH_SET_GS, areas[i]);
}

__attribute__((noinline)) static uint64_t work(int n)
{
    uint64_t sum = 0, from;

    for (int i = 0; i < n; i++) {
        uint64_t is, result;
        __asm__ volatile("mov %%gs:8, %0\n\taddq $3, %%gs:8\n\tadd %%gs:(%2), %0\n\t"
                         "mov %0, %%gs:16\n\tmov %%gs:24, %1\n\tpushq %%gs:8\n\tpopq %%gs:32"
                         : "=&r"(is), "=&r"(result)
                         : "r"((uint64_t)16)
                         : "memory", "cc");
        sum += is + result;
    }
    __asm__ volatile("call *%%gs:40"
                     : "=a"(from)
                     :
                     : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
    return sum + from;
}

/* The base of FS is somewhere else for a while, where nothing of libc runs. */
__attribute__((noinline)) static uint64_t elsewhere(void)
{
    uint64_t base, sum = 0, number;

    syscall(SYS_arch_prctl, ARCH_GET_FS, &base);
    for (int i = 0; i < 20; i++) {
        __asm__ volatile("syscall"
                         : "=a"(number)
                         : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(areas[i & 3])
                         : "rcx", "r11", "memory");
        __asm__ volatile("mov %%fs:48, %0\n\tincq %%fs:48" : "=&r"(number) : : "memory", "cc");
        sum = sum * 3 + number;
        __asm__ volatile("syscall"
                         : "=a"(number)
                         : "a"(SYS_arch_prctl), "D"(ARCH_SET_FS), "S"(base)
                         : "rcx", "r11", "memory");
    }
    return sum;
}

static void *in_thread(void *area)
{
    uint64_t *sum = area;

    use_area((int)*sum);
    *sum = work(100);
    return NULL;
}

static void use_threads(void)
{
    uint64_t sums[2] = {2, 3};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, in_thread, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%lu %lu\n", (unsigned long)sums[0], (unsigned long)sums[1]);
}

static void on_signal(int n)
{
    areas[0][6] += work(n);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 4; i++) {
        areas[i][1] = (uint64_t)i * 1000;
        areas[i][5] = (uintptr_t)nine;
    }
    use_area(0);
    printf("%lu\n", (unsigned long)work(1000));
    use_area(1);
    printf("%lu\n", (unsigned long)work(1000));
    if (argc > 1 && !strcmp(argv[1], "threads"))
        use_threads();
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    printf("%lu %lu\n", (unsigned long)work(10), (unsigned long)areas[0][6]);
    printf("%lu\n", (unsigned long)elsewhere());
    return 0;
}
