/*
 * edges-arm64.c - instructions of 64-bit ARM whose accesses are easily counted wrongly: pairs,
 * structures, exclusive and atomic ones, those that write back their address, wide and unaligned
 * ones. Each has its own function, so that a difference names its culprit. -DSTEADY: without those
 * that the program makes again where the machine was interrupted.
 */
#include "dispatch.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#define HAS_CRC32   (1 << 7)
#define HAS_ATOMICS (1 << 8)

#define CASE __attribute__((noinline, noclone, unused)) static void

/* Straddling any line size up to 256. */
static uint8_t from[8192] __attribute__((aligned(4096)));
static uint8_t area[8192] __attribute__((aligned(4096)));
static volatile uint64_t word;

CASE pairs(long offset)
{
    uint8_t *p = area + offset;
    __asm__ volatile("ldp x1, x2, [%0]; stp x1, x2, [%0, #16]; ldp w1, w2, [%0, #4]\n"
                     "stp w1, w2, [%0, #60]; ldpsw x1, x2, [%0, #8]; ldnp q0, q1, [%0, #32]\n"
                     "stnp q0, q1, [%0, #48]; ldp q0, q1, [%0]; stp q0, q1, [%0, #32]\n"
                     "ldp d0, d1, [%0, #56]; stp s0, s1, [%0, #124]"
                     :
                     : "r"(p)
                     : "x1", "x2", "v0", "v1", "memory");
}

CASE write_back(long offset)
{
    uint8_t *p = area + 256 + offset;
    __asm__ volatile("ldr x1, [%0], #8; str x1, [%0, #8]!; ldp x1, x2, [%0, #-16]!\n"
                     "stp x1, x2, [%0], #24; ldrb w1, [%0, #-1]!; strh w1, [%0], #3\n"
                     "ldr q0, [%0, #16]!; str q0, [%0], #-32; ldrsw x1, [%0], #4"
                     : "+r"(p)
                     :
                     : "x1", "x2", "v0", "memory");
}

CASE sizes(long offset)
{
    uint8_t *p = area + 512 + offset;
    long index = 3;
    __asm__ volatile(
        "ldrb w1, [%0, %1]; ldrsb x1, [%0]; ldrh w1, [%0, #2]; ldrsh w1, [%0, %1]\n"
        "ldr w1, [%0, %1, lsl #2]; ldrsw x1, [%0]; ldr x1, [%0, %w1, uxtw #3]\n"
        "strb w1, [%0, #61]; strh w1, [%0, #62]; str w1, [%0, #60]; str x1, [%0, #56]\n"
        "ldur x1, [%0, #-3]; stur w1, [%0, #-7]; ldr b0, [%0]; ldr h1, [%0, #2]\n"
        "ldr s2, [%0, #4]; ldr d3, [%0, #8]; str b0, [%0]; str h1, [%0, #62]\n"
        "str s2, [%0, #60]; str d3, [%0, #56]; ldr x2, 1f; b 2f\n"
        ".balign 8\n1: .quad 7\n2:"
        :
        : "r"(p), "r"(index)
        : "x1", "x2", "v0", "v1", "v2", "v3", "memory");
}

CASE structures(long offset)
{
    uint8_t *p = area + 1024 + offset;
    __asm__ volatile("ld1 {v0.16b}, [%0]; ld1 {v0.16b-v3.16b}, [%0]; st1 {v0.8b-v2.8b}, [%0]\n"
                     "ld2 {v0.4s, v1.4s}, [%0]; st2 {v0.8h, v1.8h}, [%0]\n"
                     "ld3 {v0.8b-v2.8b}, [%0]; st3 {v0.2d-v2.2d}, [%0]\n"
                     "ld4 {v0.16b-v3.16b}, [%0]; st4 {v0.4s-v3.4s}, [%0]\n"
                     "ld1r {v4.4s}, [%0]; ld2r {v4.2d, v5.2d}, [%0]; ld4r {v0.8b-v3.8b}, [%0]\n"
                     "ld1 {v0.b}[3], [%0]; st1 {v0.d}[1], [%0]; ld2 {v0.h, v1.h}[2], [%0]\n"
                     "st3 {v0.s-v2.s}[1], [%0]; ld4 {v0.d-v3.d}[0], [%0]"
                     :
                     : "r"(p)
                     : "v0", "v1", "v2", "v3", "v4", "v5", "memory");
}

CASE structures_back(void)
{
    uint8_t *p = area + 1280;
    long step = 5;
    __asm__ volatile("ld1 {v0.16b}, [%0], #16; ld4 {v0.16b-v3.16b}, [%0], #64\n"
                     "st2 {v0.4s, v1.4s}, [%0], %1; ld1r {v4.4s}, [%0], #4; st1 {v0.b}[3], [%0], #1"
                     : "+r"(p)
                     : "r"(step)
                     : "v0", "v1", "v2", "v3", "v4", "memory");
}

/* Load-linked and store-conditional. */
CASE exclusive(void)
{
    uint8_t *p = area + 2048;
    for (int i = 0; i < 200; i++)
        __asm__ volatile("1: ldxr x1, [%0]; add x1, x1, #1; stxr w2, x1, [%0]; cbnz w2, 1b\n"
                         "2: ldaxr w1, [%0]; add w1, w1, #1; stlxr w2, w1, [%0]; cbnz w2, 2b\n"
                         "3: ldxrb w1, [%0]; stxrb w2, w1, [%0]; cbnz w2, 3b\n"
                         "4: ldaxrh w1, [%0]; stlxrh w2, w1, [%0]; cbnz w2, 4b"
                         :
                         : "r"(p)
                         : "x1", "x2", "memory", "cc");
}

CASE exclusive_pairs(void)
{
    uint8_t *p = area + 2112;
    for (int i = 0; i < 20; i++)
        __asm__ volatile("1: ldxp x1, x2, [%0]; stxp w3, x1, x2, [%0]; cbnz w3, 1b\n"
                         "2: ldaxp x1, x2, [%0]; stlxp w3, x2, x1, [%0]; cbnz w3, 2b"
                         :
                         : "r"(p)
                         : "x1", "x2", "x3", "memory", "cc");
}

/* A store without a load before it fails. */
CASE exclusive_failing(void)
{
    __asm__ volatile("clrex; stxr w1, x2, [%0]" : : "r"(area + 2176) : "x1", "x2", "memory");
}

CASE acquire_release(long offset)
{
    uint8_t *p = area + 2304 + offset;
    __asm__ volatile("ldar x1, [%0]; stlr x1, [%0]; ldarb w1, [%0]; stlrb w1, [%0]\n"
                     "ldarh w1, [%0]; stlrh w1, [%0]; ldar w1, [%0]; stlr w1, [%0]; dmb ish; dsb sy"
                     :
                     : "r"(p)
                     : "x1", "memory");
}

__attribute__((target("arch=armv8.1-a"))) CASE atomics(long offset)
{
    uint8_t *p = area + 2560 + offset;
    __asm__ volatile(
        "ldadd x1, x2, [%0]; ldaddal w1, w2, [%0]; stadd x1, [%0]; swp x1, x2, [%0]\n"
        "swpb w1, w2, [%0]; ldset x1, x2, [%0]; ldclrh w1, w2, [%0]; ldeor w1, w2, [%0]\n"
        "ldsmax x1, x2, [%0]; ldumin w1, w2, [%0]\n"
        "cas x1, x2, [%0]; casal w1, w2, [%0]; casb w1, w2, [%0]; cash w1, w2, [%0]"
        :
        : "r"(p)
        : "x1", "x2", "memory");
}

__attribute__((target("arch=armv8.1-a"))) CASE atomic_pairs(void)
{
    __asm__ volatile("mov x2, #1; mov x3, #2; mov x4, #3; mov x5, #4\n"
                     "casp x2, x3, x4, x5, [%0]; caspal w2, w3, w4, w5, [%0]"
                     :
                     : "r"(area + 2816)
                     : "x2", "x3", "x4", "x5", "memory");
}

CASE selections(long n)
{
    for (long i = 0; i < n; i++)
        __asm__ volatile(
            "tst %0, #1; csel x1, %0, xzr, eq; cset x2, ne; ccmp x1, #3, #4, ne\n"
            "b.eq 1f; ldr x1, [%1]; 1: tbz %0, #1, 2f; str x1, [%1]; 2: tbnz %0, #63, 3f\n"
            "3: cbz x1, 4f; ldr x2, [%1, #60]; 4: b.al 5f; 5: b 6f; nop; 6:"
            :
            : "r"(i), "r"(area + 3072)
            : "x1", "x2", "memory", "cc");
}

CASE no_accesses(void)
{
    __asm__ volatile(
        "prfm pldl1keep, [%0]; prfum pstl1strm, [%0, #3]; mrs x1, nzcv; msr nzcv, x1\n"
        "mrs x1, tpidr_el0; mrs x1, dczid_el0; mrs x1, ctr_el0; mrs x1, fpcr; msr fpcr, x1\n"
        "yield; isb; hint #34; dc cvau, %0"
        :
        : "r"(area + 3072)
        : "x1", "memory", "cc");
}

__attribute__((target("+crc"))) CASE checksums(void)
{
    __asm__ volatile("crc32x w1, w1, %0; crc32cb w1, w1, w1" : : "r"(from) : "x1");
}

CASE stack_operations(void)
{
    __asm__ volatile("sub sp, sp, #256; stp x29, x30, [sp, #-16]!; str x1, [sp, #-16]!\n"
                     "ldr x1, [sp], #16; ldp x29, x30, [sp], #16; add sp, sp, #256" ::
                         : "x1", "memory");
}

CASE unaligned(void)
{
    for (long i = 0; i < 520; i++)
        __asm__ volatile("ldr x1, [%0]; str w1, [%0, #4]; stur w1, [%0, #3]; strb w1, [%0, #2]\n"
                         "ldr q0, [%0]; stur q0, [%0, #5]; ldp x1, x2, [%0]; stp q0, q0, [%0]"
                         :
                         : "r"(from + i)
                         : "x1", "x2", "v0", "memory");
}

/* Odd code: blocks of one jump, on lines of their own; a jump through a register; a division. */
CASE odd_code(long n)
{
    __asm__ volatile(
        ".balign 256\n.rept 15\nnop\n.endr\n"
        "1: b 2f\n.balign 64\n2: b 3f\n.rept 60\nnop\n.endr\n3: adr x1, 4f; br x1; nop\n"
        "4: udiv x1, x1, %0; subs %0, %0, #1; b.ne 1b; adr x2, 5f; blr x2; b 6f\n"
        "5: ret; 6: adr x30, 7f; br x30; 7: bl 8f; 8: mov x3, x30"
        : "+r"(n)
        :
        : "x1", "x2", "x3", "x30", "memory", "cc");
}

int main(void)
{
    unsigned long has = getauxval(AT_HWCAP);
    for (long offset = 0; offset < 64; offset += 4) {
        pairs(offset);
        write_back(offset);
        structures(offset);
    }
    for (long offset = 0; offset < 64; offset += 3)
        sizes(offset & ~7L);
    for (long offset = 0; offset < 64; offset += 8) {
        acquire_release(offset);
        if (has & HAS_ATOMICS)
            atomics(offset);
    }
    if (has & HAS_ATOMICS)
        atomic_pairs();
    if (has & HAS_CRC32)
        checksums();
    structures_back();
#ifndef STEADY
    exclusive();
    exclusive_pairs();
    exclusive_failing();
#endif
    selections(9);
    no_accesses();
    stack_operations();
    unaligned();
    odd_code(5);
    word = (uint64_t)dispatch(1000);
    return write(1, "edges\n", 6) != 6;
}
