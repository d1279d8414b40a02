/*
 * edges.c - instructions whose accesses are easily counted wrongly: repeated, divided, guarded,
 * atomic, wide, unaligned. Each has its own function, so that a difference names its culprit.
 */
#include "dispatch.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define CASE __attribute__((noinline, noclone, unused)) static void

/* Straddling any line size up to 256. */
static uint8_t from[8192] __attribute__((aligned(4096)));
static uint8_t to[8192] __attribute__((aligned(4096)));
static uint8_t area[4096] __attribute__((aligned(64)));
static volatile uint64_t word;

CASE rep_movsb(long n, long offset)
{
    void *s = from + offset, *d = to + 1;
    __asm__ volatile("rep movsb" : "+S"(s), "+D"(d), "+c"(n)::"memory");
}

CASE rep_movsq(long n, long offset)
{
    void *s = from + offset, *d = to + 3;
    __asm__ volatile("rep movsq" : "+S"(s), "+D"(d), "+c"(n)::"memory");
}

CASE rep_movsl_backwards(long n)
{
    void *s = from + 4000, *d = to + 4001;
    __asm__ volatile("std; rep movsl; cld" : "+S"(s), "+D"(d), "+c"(n)::"memory");
}

CASE rep_stosq(long n, long offset)
{
    void *d = to + offset;
    __asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(0x0101010101010101) : "memory");
}

CASE repne_scasb(long n, int byte)
{
    void *d = to;
    __asm__ volatile("repne scasb" : "+D"(d), "+c"(n) : "a"(byte) : "memory", "cc");
}

CASE repe_cmpsb(long n, long offset)
{
    void *s = from + offset, *d = to;
    __asm__ volatile("repe cmpsb" : "+S"(s), "+D"(d), "+c"(n)::"memory", "cc");
}

CASE single_string_ops(void)
{
    void *s = from + 63, *d = to + 61;
    uint64_t a = 0;
    __asm__ volatile("movsb; movsw; movsl; movsq; stosb; stosq; lodsb; lodsq; scasb"
                     : "+S"(s), "+D"(d), "+a"(a)::"memory", "cc");
}

CASE read_modify_write(long offset)
{
    uint8_t *p = area + offset;
    __asm__ volatile("incq (%0); addl $5, 4(%0); negb 7(%0); notw 2(%0); shlq $1, (%0)\n"
                     "adcq %1, (%0); sbbl $1, (%0); rorl $3, 1(%0); addq (%0), %1"
                     :
                     : "r"(p), "r"(1L)
                     : "memory", "cc");
}

CASE atomics(long offset)
{
    uint8_t *p = area + 256 + offset;
    uint64_t a = 0, b = 1, c = 2;
    __asm__ volatile("lock incq (%3); lock addl $3, (%3); lock xaddq %1, (%3); xchgq %2, (%3)\n"
                     "lock cmpxchgq %1, (%3); lock cmpxchgl %k1, 4(%3); cmpxchgq %1, (%3)\n"
                     "lock btsl $3, (%3); lock orb $1, (%3); lock cmpxchgb %b1, (%3)"
                     : "+a"(a), "+r"(b), "+r"(c)
                     : "r"(p)
                     : "memory", "cc");
}

CASE compare_exchange_16(void)
{
    uint64_t a = 0, d = 0;
    for (int i = 0; i < 3; i++)
        __asm__ volatile("lock cmpxchg16b (%2)"
                         : "+a"(a), "+d"(d)
                         : "r"(area + 512), "b"(1L), "c"(2L)
                         : "memory", "cc");
}

CASE bit_operations(long index)
{
    __asm__ volatile(
        "btq %1, (%0); btsq %1, (%0); btrl %k1, 3(%0); btcw $3, 1(%0); bsfq (%0), %%rax"
        :
        : "r"(area + 1024), "r"(index)
        : "memory", "cc", "rax");
}

CASE conditional_moves(long n)
{
    for (long i = 0; i < n; i++)
        __asm__ volatile("testq $1, %0; cmovnzq (%1), %%rax; cmovzl 60(%1), %%edx; setnz 3(%1)"
                         :
                         : "r"(i), "r"(area)
                         : "rax", "rdx", "memory", "cc");
}

CASE stack_operations(void)
{
    __asm__ volatile("subq $256, %%rsp; pushq %0; pushq (%0); popq 8(%0); popq %%rax\n"
                     "pushfq; popfq; pushw $3; popw %%ax; enter $32, $0; leave; addq $256, %%rsp"
                     :
                     : "r"(area + 1536)
                     : "rax", "memory", "cc");
}

CASE x87(long offset)
{
    __asm__ volatile("fldpi; fstpt (%0); fldt (%0); fstpl (%0); flds (%0); fistpll (%0)\n"
                     "fildl (%0); fistps (%0); fnstcw (%0); fldcw (%0); fnstsw (%0)\n"
                     "fldl (%0); fadds 4(%0); fstp %%st(0)"
                     :
                     : "r"(area + 1600 + offset)
                     : "memory");
}

CASE x87_environment(void)
{
    __asm__ volatile("fnstenv (%0); fldenv (%0); fnsave (%0); frstor (%0)"
                     :
                     : "r"(area + 2048)
                     : "memory");
}

CASE fxsave(void)
{
    __asm__ volatile("fxsave (%0); fxrstor (%0); stmxcsr 516(%0); ldmxcsr 516(%0)"
                     :
                     : "r"(area + 2048)
                     : "memory");
}

__attribute__((target("xsave"))) CASE xsave(void)
{
    memset(area + 2048, 0, 1024);
    __asm__ volatile("xsave (%0); xrstor (%0)" : : "r"(area + 2048), "a"(7), "d"(0) : "memory");
}

CASE sse(long offset)
{
    __asm__ volatile("movups (%0), %%xmm0; movups %%xmm0, 33(%0); movsd (%0), %%xmm1\n"
                     "movhps 8(%0), %%xmm1; movlps %%xmm1, 8(%0); movss %%xmm1, 4(%0)\n"
                     "movntps %%xmm0, (%1); movnti %%rax, (%0); pextrw $1, %%xmm0, %%eax\n"
                     "cvtsi2sdq (%0), %%xmm1; prefetcht0 (%0); movdqu 15(%0), %%xmm2\n"
                     "movq %%xmm2, 61(%0); comisd (%0), %%xmm1; lddqu 63(%0), %%xmm3"
                     :
                     : "r"(area + offset), "r"(area + 3072)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "rax", "memory", "cc");
}

/* A hint does not need its address: the load that only it would need counts nothing. */
CASE hinted_addresses(void)
{
    uint64_t *place = (uint64_t *)(area + 64);
    place[0] = (uintptr_t)area;
    __asm__ volatile("movq (%0), %%rax; prefetchw (%%rax); movl $1, %%eax\n"
                     "movq (%0), %%rcx; prefetcht0 (%%rcx); movl $1, %%ecx"
                     :
                     : "r"(place)
                     : "rax", "rcx", "memory");
}

CASE masked_store(long mask)
{
    __asm__ volatile("movq %0, %%xmm1; pxor %%xmm0, %%xmm0; maskmovdqu %%xmm1, %%xmm0"
                     :
                     : "r"(mask), "D"(area + 60)
                     : "xmm0", "xmm1", "memory");
}

__attribute__((target("sse4.2"))) CASE string_compare(long offset)
{
    __asm__ volatile(
        "movdqu (%0), %%xmm0; pcmpistri $0x0c, 16(%0), %%xmm0; pcmpestrm $0, (%1), %%xmm0\n"
        "crc32q (%0), %%rax; popcntq 3(%0), %%rax"
        :
        : "r"(from + offset), "r"(to)
        : "xmm0", "rax", "rcx", "rdx", "memory", "cc");
}

__attribute__((target("avx"))) CASE avx(long offset)
{
    __asm__ volatile("vmovups (%0), %%ymm0; vmovups %%ymm0, 64(%0); vbroadcastsd (%0), %%ymm1\n"
                     "vinsertf128 $1, 16(%0), %%ymm0, %%ymm2; vextractf128 $1, %%ymm2, 96(%0)\n"
                     "vaddpd 31(%0), %%ymm1, %%ymm2; vzeroupper"
                     :
                     : "r"(area + offset)
                     : "xmm0", "xmm1", "xmm2", "memory");
}

/* Guarded: of eight lanes only those with a mask bit touch memory. */
__attribute__((target("avx2"))) CASE masked_moves(long bits)
{
    static int32_t mask[8];
    for (int i = 0; i < 8; i++)
        mask[i] = bits >> i & 1 ? -1 : 0;
    __asm__ volatile("vmovdqu (%0), %%ymm1; vpmaskmovd (%1), %%ymm1, %%ymm0\n"
                     "vpmaskmovd %%ymm0, %%ymm1, 52(%1); vmaskmovpd 48(%1), %%ymm1, %%ymm2\n"
                     "vmaskmovps %%xmm2, %%xmm1, 61(%1); vzeroupper"
                     :
                     : "r"(mask), "r"(area)
                     : "xmm0", "xmm1", "xmm2", "memory");
}

__attribute__((target("avx2"))) CASE gathers(long bits)
{
    static int32_t mask[8], index[8];
    for (int i = 0; i < 8; i++) {
        mask[i] = bits >> i & 1 ? -1 : 0;
        index[i] = i * 37;
    }
    __asm__ volatile("vmovdqu (%0), %%ymm1; vmovdqu (%2), %%ymm2\n"
                     "vpgatherdd %%ymm1, (%1,%%ymm2,4), %%ymm0\n"
                     "vmovdqu (%0), %%ymm1; vgatherdpd %%ymm1, (%1,%%xmm2,8), %%ymm3\n"
                     "vmovdqu (%0), %%ymm1; vpgatherdq %%ymm1, 3(%1,%%xmm2,2), %%ymm3; vzeroupper"
                     :
                     : "r"(mask), "r"(from), "r"(index)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "memory");
}

CASE unaligned(void)
{
    for (long i = 0; i < 520; i++)
        __asm__ volatile("movq (%0), %%rax; movl %%eax, 3(%0); movw 1(%0), %%ax; movb %%al, 2(%0)\n"
                         "movq %%rax, 5(%0); addq %%rax, 7(%0)"
                         :
                         : "r"(from + i)
                         : "rax", "memory", "cc");
}

/* Odd code: one instruction straddles lines, a block of one jump, a jump into itself, a division, a
 * table. */
CASE odd_code(long n)
{
    __asm__ volatile(".balign 256\n.skip 60, 0x90\n"
                     "1: movabsq $0x1122334455667788, %%rax\n"
                     "jmp 2f\n.balign 64\n2: jmp 3f\n.skip 250, 0x90\n3: decq %0\njnz 1b\n"
                     "xorl %%edx, %%edx; movl $7, %%ecx; divl %%ecx; jecxz 4f; cpuid; 4: rdtsc\n"
                     "5: loop 6f; 6:"
                     : "+r"(n)
                     :
                     : "rax", "rbx", "rcx", "rdx", "memory", "cc");
}

int main(void)
{
    static const long counts[] = {0, 1, 2, 7, 64, 1000};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        rep_movsb(counts[i], (long)i);
        rep_movsq(counts[i] / 2, (long)i);
        rep_movsl_backwards(counts[i] / 2);
        rep_stosq(counts[i] / 2, (long)i);
        repne_scasb(counts[i], 1);
        repne_scasb(counts[i], 99);
        repe_cmpsb(counts[i], 0);
        repe_cmpsb(counts[i], 5);
        bit_operations(counts[i]);
    }
    for (long offset = 0; offset < 64; offset += 3) {
        read_modify_write(offset);
        x87(offset);
        sse(offset);
        atomics(offset & ~7L);
    }
    atomics(61);
    single_string_ops();
    compare_exchange_16();
    conditional_moves(9);
    stack_operations();
    x87_environment();
    hinted_addresses();
    fxsave();
    unaligned();
    odd_code(5);
    word = (uint64_t)dispatch(1000);
    masked_store(0);
    masked_store(0x80008000ff00ff80);
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2"))
        string_compare(3);
    if (__builtin_cpu_supports("avx")) {
        xsave();
        for (long offset = 0; offset < 64; offset += 7)
            avx(offset);
    }
    if (__builtin_cpu_supports("avx2")) {
        static const long masks[] = {0, 1, 0x80, 0x55, 0xff};
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++) {
            masked_moves(masks[i]);
            gathers(masks[i]);
        }
    }
    return write(1, "edges\n", 6) != 6;
}
