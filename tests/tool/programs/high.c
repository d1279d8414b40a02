/*
 * high FILE: code of x86-64, written to the file, on both sides of the address of 2 GB, and far
 * beyond: falls, jumps, calls, returns and data from one to the other.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };
static uint8_t *const border = (uint8_t *)0x80000000ul, *const far = (uint8_t *)0x300000000000ul;

/* The pages of the file: the first one above the border, the last one below it, the far one. So the
 * two at the border are mappings of their own. */
static uint8_t pages[3][PAGE];

/* Where code at an address is made. */
static uint8_t *writable(const uint8_t *at)
{
    return at >= far      ? pages[2] + (at - far)
           : at >= border ? pages[0] + (at - border)
                          : pages[1] + PAGE - (border - at);
}

/* Bytes, where 8 bytes of AA, or 4 of BB, are an address, or a distance to it. */
static void put(const uint8_t *at, const char *code, size_t size, const uint8_t *to)
{
    uint8_t *p = writable(at);

    memcpy(p, code, size);
    for (size_t i = 0; i < size; i++) {
        int32_t distance = (int32_t)(to - (at + i + 4));
        if (i + 8 <= size && !memcmp(p + i, "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa", 8))
            memcpy(p + i, &to, 8);
        else if (i + 4 <= size && !memcmp(p + i, "\xbb\xbb\xbb\xbb", 4))
            memcpy(p + i, &distance, 4);
    }
}
#define PUT(at, code, to) put(at, code, sizeof(code) - 1, to)

static long call(const char *name, const uint8_t *at, long n)
{
    long (*function)(long);
    long sum = 0;

    memcpy(&function, &at, sizeof function);
    for (int i = 0; i < 20; i++)
        sum += function(n + i % 3);
    printf("%s: %ld\n", name, sum);
    return sum;
}

static void make(void)
{
    /* Each on the low page ends in front of the border, or leads to the high page, which returns
     * from 0x10 on. */
    PUT(border, "\x48\x8d\x47\x05\xc3", NULL);                      /* lea 5(%rdi), %rax; ret */
    PUT(border + 0x10, "\x48\x8d\x44\x3f\x07\xc3", NULL);           /* lea 7(%rdi,%rdi) */
    PUT(border - 0x100, "\x90\xe9\xbb\xbb\xbb\xbb", border + 0x10); /* jmp */
    PUT(border - 0x200,
        "\x48\x83\xff\x01\x0f\x84\xbb\xbb\xbb\xbb" /* cmp $1, %rdi; je */
        "\x48\x8d\x47\x09\xc3",                    /* lea 9(%rdi) */
        border + 0x10);
    PUT(border - 0x300, "\x50\xe8\xbb\xbb\xbb\xbb\x59\xc3", border); /* push; call; pop; ret */
    PUT(border - 0x400, "\x48\x8b\x05\xbb\xbb\xbb\xbb\xc3", border + 0x800); /* mov x(%rip) */
    PUT(border - 0x500, "\x48\xb8\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xff\xe0", border + 0x10);
    PUT(border - 0x600, "\x50\x48\xb8\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xff\xd0\x59\xc3", far);
    PUT(border - 0x700,
        "\x48\xff\xcf\x0f\x8f\xbb\xbb\xbb\xbb" /* dec %rdi; jg */
        "\x31\xc0\xc3",
        border + 0x20);
    PUT(border + 0x20, "\xe9\xbb\xbb\xbb\xbb", border - 0x700); /* and back */
    PUT(border + 0x40, "\x50\xe8\xbb\xbb\xbb\xbb\x59\xc3", border - 0x100);
    PUT(far, "\x50\x48\xb8\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xff\xd0\x59\xc3", border - 0x200);
    memset(writable(border - 0x10), 0x90, 11); /* falls over the border behind a call */
    PUT(border - 5, "\xe8\xbb\xbb\xbb\xbb", border - 0x800);
    PUT(border - 0x800, "\xc3", NULL);
    memset(writable(border + 0x800), 3, 8);
}

static void map(int file, const uint8_t *at, unsigned page)
{
    if (mmap((void *)at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file,
             page * PAGE) != at)
        exit(3);
}

int main(int argc, char **argv)
{
    int file = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    make();
    if (write(file, pages, sizeof pages) != sizeof pages)
        return 2;
    map(file, border, 0);
    map(file, border - PAGE, 1);
    map(file, far, 2);
    call("jump", border - 0x100, 10);
    call("jump at times", border - 0x200, 0);
    call("call", border - 0x300, 20);
    call("data", border - 0x400, 0);
    call("computed jump", border - 0x500, 30);
    call("computed call", border - 0x600, 0);
    call("loop", border - 0x700, 50);
    call("call back", border + 0x40, 40);
    call("far", far, 1);
    call("fall behind a call", border - 0x10, 8);
    return 0;
}
