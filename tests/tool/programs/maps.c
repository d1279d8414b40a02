/*
 * maps.c TIMES - writes a function to a fresh mapping, calls it, unmaps it; by turns one mapping is
 * kept and written again. With -DSHAPES each function has instructions of other lengths, with
 * -DLENGTHS more or fewer of them, none of which reaches a second line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __aarch64__
enum { NOP = 0xd503201f, LOAD = 0xb94003e9, RET = 0xd65f03c0, RETURN = 10 };

static unsigned code[16];
static unsigned size;

/* mov w0, #N */
static void write_code(int n)
{
    unsigned at = 0;
    code[at++] = 0x52800000 | (unsigned)n << 5;
#ifdef SHAPES
    /* 13 times nop, or ldr w9, [sp]; ret */
    for (int bit = 0; bit < 13; bit++)
        code[at++] = n >> bit & 1 ? LOAD : NOP;
#elif defined LENGTHS
    /* up to 7 times nop; b 1f; 1: ret */
    for (int i = n % 8; i; i--)
        code[at++] = NOP;
    code[at] = 0x14000000 | (RETURN - at);
    at = RETURN;
#else
    /* cmp w0, #0; b.eq 1f; add w0, w0, #1; 1: ret */
    code[at++] = 0x7100001f;
    code[at++] = 0x54000040;
    code[at++] = 0x11000400;
#endif
    code[at++] = RET;
    size = at * sizeof *code;
}
#elif defined SHAPES
/* mov $N, %eax; 15 times nop, of one byte or of two; ret */
static unsigned char code[64];
static unsigned size;

static void write_code(int n)
{
    size = 5;
    code[0] = 0xb8;
    memcpy(code + 1, &n, sizeof n);
    for (int bit = 0; bit < 15; bit++) {
        if (n >> bit & 1)
            code[size++] = 0x66;
        code[size++] = 0x90;
    }
    code[size++] = 0xc3;
}
#elif defined LENGTHS
/* mov $N, %eax; up to 15 times nop; jmp 1f; 1: ret, always in the same place: of what changes only
 * the number of instructions does */
static unsigned char code[64];
static unsigned size;

enum { RETURN = 40 };

static void write_code(int n)
{
    size = 5;
    code[0] = 0xb8;
    memcpy(code + 1, &n, sizeof n);
    for (int i = n % 16; i; i--)
        code[size++] = 0x90;
    code[size++] = 0xeb;
    code[size] = (unsigned char)(RETURN - size - 1);
    code[RETURN] = 0xc3;
    size = RETURN + 1;
}
#else
/* mov $N, %eax; cmp $0, %eax; je 1f; inc %eax; 1: ret */
static unsigned char code[] = {0xb8, 0, 0, 0, 0, 0x83, 0xf8, 0x00, 0x74, 0x02, 0xff, 0xc0, 0xc3};

static const unsigned size = sizeof code;

static void write_code(int n)
{
    memcpy(code + 1, &n, sizeof n);
}
#endif

static unsigned char *mapped(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

__attribute__((noinline, noclone, noipa)) int call(unsigned char *where, int n)
{
    write_code(n);
    memcpy(where, code, size);
    __builtin___clear_cache((char *)where, (char *)where + size);
    return ((int (*)(void))(void *)where)() + 1;
}

int main(int argc, char **argv)
{
    unsigned char *kept = mapped();
    long sum = 0;
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 0); i++) {
        if (i % 2) {
            sum += call(kept, i);
        } else {
            unsigned char *fresh = mapped();
            if (fresh == MAP_FAILED)
                return 1;
            sum += call(fresh, i);
            munmap(fresh, 4096);
        }
    }
    printf("%ld\n", sum);
    return 0;
}
