/*
 * patching.c - programs that change code of files while it runs: their own text, made writable or
 * not protected again, and code in a file that is mapped twice. Each line of output is the sum of
 * what the code said.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEPARATE __attribute__((noinline, noclone, noipa))

enum { PAGE = 4096, TIMES = 40, ROOM = 16 };

SEPARATE long patched(long x)
{
    __asm__ volatile("nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop");
    return x * 3 + 1;
}

SEPARATE long replacement(long x)
{
    return x + 100;
}

SEPARATE long caller(long x)
{
    return patched(x) + 1;
}

/* lea N(%rdi), %rax; ret */
static void write_sum(unsigned char *code, int n)
{
    const unsigned char add[] = {0x48, 0x8d, 0x47, (unsigned char)n, 0xc3};
    memcpy(code, add, sizeof add);
}

static void write_jump(unsigned char *code, long (*to)(long))
{
    int distance = (int)((unsigned char *)to - (code + 5));
    code[0] = 0xe9;
    memcpy(code + 1, &distance, sizeof distance);
}

static unsigned char *page_of(void *address)
{
    return (unsigned char *)((unsigned long)address & ~(PAGE - 1ul));
}

/* Changes its own text, to a sum, to a jump, and back. `protects`: each time it is made writable,
 * and executable afterwards. */
static long patch_text(int protects)
{
    unsigned char saved[ROOM], *code = (unsigned char *)patched, *page = page_of(code);
    int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    long sum = 0;

    memcpy(saved, code, sizeof saved);
    mprotect(page, 2 * PAGE, all);
    for (int i = 0; i < TIMES; i++) {
        if (protects)
            mprotect(page, 2 * PAGE, all);
        if (i % 3 == 0)
            memcpy(code, saved, sizeof saved);
        else if (i % 3 == 1)
            write_sum(code, i);
        else
            write_jump(code, replacement);
        if (protects)
            mprotect(page, 2 * PAGE, PROT_READ | PROT_EXEC);
        sum += caller(i);
    }
    if (protects)
        mprotect(page, 2 * PAGE, all);
    memcpy(code, saved, sizeof saved);
    return sum;
}

/* Changes only a constant, in a loop that goes on. */
static long patch_running(void)
{
    unsigned char *code = (unsigned char *)patched;
    long sum = 0;

    for (int i = 0; i < TIMES; i++) {
        write_sum(code, i);
        for (int k = 0; k < 3; k++)
            sum += patched(k);
    }
    return sum;
}

/* Code in a file that is written by one mapping and run by another. `moves`: that one is moved.
 * `late`: it is made executable later. */
static long patch_file(int moves, int late)
{
    int file = memfd_create("code", 0);
    unsigned char *writable, *code;
    long sum = 0;

    if (file < 0 || ftruncate(file, 2 * PAGE))
        return -1;
    writable = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    code = mmap(NULL, 2 * PAGE, PROT_READ | (late ? 0 : PROT_EXEC), MAP_SHARED, file, 0);
    if (late)
        mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC);
    if (moves)
        code = mremap(code, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
                      mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (int i = 0; i < TIMES; i++) {
        write_sum(writable + PAGE, i);
        sum += ((long (*)(long))(code + PAGE))(i);
    }
    munmap(writable, 2 * PAGE);
    munmap(code, 2 * PAGE);
    close(file);
    return sum;
}

int main(void)
{
    printf("%ld\n", patch_text(0));
    printf("%ld\n", patch_text(1));
    mprotect(page_of((void *)patched), 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    printf("%ld\n", patch_running());
    printf("%ld\n", patch_file(0, 0));
    printf("%ld\n", patch_file(1, 0));
    printf("%ld\n", patch_file(0, 1));
    return 0;
}
