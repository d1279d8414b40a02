/*
 * vast-code.c - 2.5 GB of code of x86-64, of a file that is all but empty: 2,560 functions, a
 * megabyte from each other. Half a gigabyte lies below the address of 2 GB, where that is free.
 * Each function calls the one behind it, but for each eighth one. Prints a sum.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEP = 1 << 20, LOW = 512, HIGH = 2048, ROUNDS = 3 };

typedef uint64_t Code(uint64_t n);

/* lea N(%rdi), %rax; ret */
static void put_last(unsigned char *at, int n)
{
    memcpy(at, "\x48\x8d\x87____\xc3", 8);
    memcpy(at + 3, &n, sizeof n);
}

/* sub $8, %rsp; add $N, %rdi; call the next one; add $8, %rsp; ret */
static void put_calling(unsigned char *at, int n)
{
    const int distance = STEP - 16;

    memcpy(at, "\x48\x83\xec\x08\x48\x81\xc7____\xe8____\x48\x83\xc4\x08\xc3", 21);
    memcpy(at + 7, &n, sizeof n);
    memcpy(at + 12, &distance, sizeof distance);
}

static uint64_t use(int file, void *where, int n)
{
    unsigned char *code = mmap(where, (size_t)n * STEP, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    uint64_t sum = 0;

    if (code == MAP_FAILED)
        return 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            Code *f = (Code *)(uintptr_t)(code + (size_t)i * STEP);
            sum = sum * 31 + f(sum & 0xff);
        }
    return sum;
}

int main(void)
{
    int file = memfd_create("code", 0);

    if (file < 0 || ftruncate(file, (off_t)HIGH * STEP))
        return 2;
    for (int i = 0; i < HIGH; i++) {
        unsigned char code[32] = "";
        (i % 8 == 7 ? put_last : put_calling)(code, i);
        if (pwrite(file, code, sizeof code, (off_t)i * STEP) != sizeof code)
            return 2;
    }
    printf("%lu\n", (unsigned long)use(file, (void *)0x10000000, LOW));
    printf("%lu\n", (unsigned long)use(file, NULL, HIGH));
    return 0;
}
