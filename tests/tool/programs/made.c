/*
 * made.c - code made at run time, as interpreters and JIT compilers make it; for amd64.
 *
 * - made parts N TIMES: N parts of an interpreter, which jump to each other in no order
 * - made deep N: the same parts, on N frames of their own that no call made
 * - made returns N TIMES: N functions that call each other, and jump back to where they were called
 * - made many N down|mixed: N functions that call one each, in one mapping; called once, and once
 *   more when written anew
 * - made maps N TIMES: N mappings of one function each, called by turns; unmapped and mapped again
 *   TIMES times
 * - made patched N TIMES: N functions that call through one place, which is patched TIMES times
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PART 128 /* bytes */

typedef unsigned char Byte;
typedef long Code(long first, Byte *base);

static volatile long touched;
static Byte *at;

__attribute__((noinline)) void touch(void)
{
    touched++;
}

static Byte *map(size_t size)
{
    Byte *code =
        mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code == MAP_FAILED)
        exit(1);
    return code;
}

static void put(const char *bytes, size_t n)
{
    memcpy(at, bytes, n);
    at += n;
}
#define PUT(bytes) put(bytes, sizeof(bytes) - 1)

static void put_int(int value)
{
    memcpy(at, &value, sizeof value);
    at += sizeof value;
}

/* mov $value, %rax */
static void put_address(const void *value)
{
    PUT("\x48\xb8");
    memcpy(at, &value, sizeof value);
    at += sizeof value;
}

static void put_call_touch(void)
{
    PUT("\x50\x51\x52\x56\x57");             /* push rax, rcx, rdx, rsi, rdi */
    PUT("\x53\x48\x89\xe3\x48\x83\xe4\xf0"); /* push rbx; mov rsp, rbx; and $-16, rsp */
    put_address((void *)touch);
    PUT("\xff\xd0\x48\x89\xdc\x5b"); /* call *rax; mov rbx, rsp; pop rbx */
    PUT("\x5f\x5e\x5a\x59\x58");     /* pop rdi, rsi, rdx, rcx, rax */
}

/* Part i begins in the middle of what a call makes a function: the last part's, whose call skips
 * a jump. rdi: the state; rsi: the parts; rdx: how many are still to run. */
static void write_part(Byte *base, int i, int n, int frames)
{
    at = base + (size_t)i * PART;
    PUT("\xe8\x02\0\0\0\xeb\x01\xc3"); /* call 1f; jmp 2f; 1: ret; 2: */
    if (frames)
        PUT("\x48\x83\xec\x78"); /* sub $120, rsp */
    else
        put_call_touch();
    PUT("\x48\xff\xca\x74\x1e");                     /* dec rdx; jz end */
    PUT("\x69\xff\x6d\x4e\xc6\x41");                 /* imul $1103515245, edi */
    PUT("\x81\xc7\x39\x30\0\0\x89\xf8\xc1\xe8\x10"); /* add $12345, edi; mov edi, eax; shr 16 */
    PUT("\x25");                                     /* and $(n - 1), eax */
    put_int(n - 1);
    PUT("\xc1\xe0\x07\x48\x01\xf0\xff\xe0"); /* shl 7, eax; add rsi, rax; jmp *rax; end: */
    if (frames)
        PUT("\x4c\x89\xc4"); /* mov r8, rsp */
    PUT("\xc3");
}

static void parts(int n, long times, int frames)
{
    Byte *base = map((size_t)n * PART);
    register long left __asm__("rdx") = times;
    long state = 1;

    for (int i = 0; i < n; i++)
        write_part(base, i, n, frames);
    for (int round = 0; round < 3; round++) {
        left = times;
        __asm__ volatile("lea -8(%%rsp), %%r8; call *%%rsi"
                         : "+D"(state), "+r"(left)
                         : "S"(base)
                         : "rax", "rcx", "r8", "memory", "cc");
    }
}

/* Function i calls the next one; it goes back by a jump, as interpreters do where they drop a
 * frame. The first instruction behind the call is that of another superblock. */
static void returns(int n, int times)
{
    Byte *base = map((size_t)n * PART);

    for (int i = 0; i < n; i++) {
        at = base + (size_t)i * PART;
        if (i + 1 < n) {
            PUT("\xe8"); /* call */
            put_int((int)(base + (size_t)(i + 1) * PART - (at + 4)));
        }
        put_call_touch();
        PUT("\x59\xff\xe1"); /* pop rcx; jmp *rcx */
    }
    for (int i = 0; i < times; i++)
        ((Code *)(void *)base)(0, base);
}

static void write_function(Byte *to, int i)
{
    at = to;
    PUT("\x8d\x87"); /* lea i(rdi), eax; ret */
    put_int(i);
    PUT("\xc3");
}

/* The greatest common divisor with n of the step is 1: each function has its turn. */
static void many(int n, const char *order)
{
    Byte *base = map((size_t)n * 32);
    int step = strcmp(order, "down") ? 7919 : n - 1, i = 0;

    for (int round = 0; round < 2; round++)
        for (int k = 0; k < n; k++, i = (i + step) % n) {
            Byte *code = base + (size_t)i * 32;
            at = code;
            PUT("\xe8\x04\0\0\0\xc3"); /* call 1f; ret; 1: */
            write_function(code + 9, i + round);
            touched += ((Code *)(void *)code)(k, base);
        }
}

static void maps(int n, int times)
{
    Byte **codes = calloc((size_t)n, sizeof *codes);

    for (int round = 0; round < times; round++) {
        for (int i = 0; i < n; i++) {
            codes[i] = map(4096);
            write_function(codes[i], i);
        }
        for (int turn = 0; turn < 2; turn++)
            for (int i = 0; i < n; i++)
                touched += ((Code *)(void *)codes[i])(turn, codes[i]);
        for (int i = 0; i < n; i++)
            munmap(codes[i], 4096);
    }
    free(codes);
}

/* Functions [0, n) jump to a place that calls one of two others: an inline cache, patched. */
static void patched(int n, int times)
{
    Byte *base = map((size_t)(n + 3) * PART), *place = base + (size_t)n * PART;

    write_function(place + PART, 1);
    write_function(place + 2 * PART, 2);
    for (int i = 0; i < n; i++) {
        at = base + (size_t)i * PART;
        PUT("\xe8"); /* call place; ret */
        put_int((int)(place - (at + 4)));
        PUT("\xc3");
    }
    for (int k = 0; k < times; k++) {
        at = place;
        PUT("\xe8"); /* call; ret */
        put_int((int)(place + (1 + k % 2) * PART - (at + 4)));
        PUT("\xc3");
        touched += ((Code *)(void *)(base + (size_t)(k % n) * PART))(k, base);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0;
    int times = argc > 3 ? atoi(argv[3]) : 0;

    if (!strcmp(what, "parts"))
        parts(n, times, 0);
    else if (!strcmp(what, "deep"))
        parts(32, n, 1);
    else if (!strcmp(what, "returns"))
        returns(n, times);
    else if (!strcmp(what, "many"))
        many(n, argv[3]);
    else if (!strcmp(what, "maps"))
        maps(n, times);
    else if (!strcmp(what, "patched"))
        patched(n, times);
    else
        return 2;
    printf("%ld\n", touched);
    return 0;
}
