/* rewriting.c - code made at run time, run, overwritten and unmapped: counts of code that is gone
 * stay. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __aarch64__

/* mov w0, #N; 1: subs w0, w0, #1; b.ne 1b; mov w0, #N; ret */
static const unsigned loop[] = {0x52800000, 0x71000400, 0x54ffffe1, 0x52800000, 0xd65f03c0};
/* add w0, w0, #N; orr x9, x0, x0; ret */
static const unsigned line[] = {0x11000000, 0xaa000009, 0xd65f03c0};

static void write_code(unsigned char *code, int i)
{
    unsigned *word = (unsigned *)(void *)code, n = (unsigned)i;
    if (i % 3) {
        memcpy(code, loop, sizeof loop);
        word[0] |= n << 5;
        word[3] |= n << 5;
    } else {
        memcpy(code, line, sizeof line);
        word[0] |= n << 10;
    }
    __builtin___clear_cache((char *)code, (char *)code + sizeof loop);
}

#else

/* mov $N, %eax; 1: dec %eax; jnz 1b; mov $N, %eax; ret */
static const unsigned char loop[] = {0xb8, 0,    0, 0, 0, 0xff, 0xc8, 0x75,
                                     0xfc, 0xb8, 0, 0, 0, 0,    0xc3};
/* lea N(%rdi), %eax; push %rdi; pop %rcx; ret */
static const unsigned char line[] = {0x8d, 0x87, 0, 0, 0, 0, 0x57, 0x59, 0xc3};

static void write_code(unsigned char *code, int i)
{
    if (i % 3) {
        memcpy(code, loop, sizeof loop);
        memcpy(code + 1, &i, sizeof i);
        memcpy(code + 10, &i, sizeof i);
    } else {
        memcpy(code, line, sizeof line);
        memcpy(code + 2, &i, sizeof i);
    }
}

#endif

#ifndef TIMES
#define TIMES 20
#endif

int main(void)
{
    long sum = 0;
    for (int page = 0; page < 3; page++) {
        unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (code == MAP_FAILED)
            return 1;
        for (int i = 1; i <= TIMES; i++) {
            int (*function)(int) = (int (*)(int))(void *)code;
            write_code(code, i);
            sum += function(page) + function(i);
        }
        munmap(code, 4096);
    }
    printf("%ld\n", sum);
    return 0;
}
