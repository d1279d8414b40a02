/*
 * wide.c - registers of AVX-512: what is left of them when other code runs in between. Each line is
 * the same natively.
 */
#include <immintrin.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int ticks;
static char *page;
static sigjmp_buf back;

/* A sum of the numbers that are odd, by masks; of their square roots. */
static __attribute__((noinline)) double sums(int n)
{
    __m512i even = _mm512_setzero_si512(), all = even;
    __m512d roots = _mm512_setzero_pd();

    for (int i = 0; i < n; i++) {
        __m512i v = _mm512_add_epi32(
            _mm512_set1_epi32(i * 16),
            _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        __mmask16 odd = _mm512_test_epi32_mask(v, _mm512_set1_epi32(1));
        even = _mm512_mask_add_epi32(even, odd, even, v);
        all = _mm512_ternarylogic_epi32(all, v, even, 0x96);
        roots = _mm512_add_pd(roots, _mm512_sqrt_pd(_mm512_cvtepu32_pd(_mm512_castsi512_si256(v))));
    }
    return _mm512_reduce_add_epi32(even) + _mm512_reduce_add_pd(roots) +
           _mm512_reduce_add_epi32(all);
}

static void clear(void)
{
    __asm__ volatile("vpxord %%zmm5, %%zmm5, %%zmm5\n\tvpxord %%zmm20, %%zmm20, %%zmm20\n\tkxorw "
                     "%%k3, %%k3, %%k3"
                     :
                     :
                     : "zmm5", "zmm20", "k3");
}

static void on_tick(int n)
{
    ticks += sums(50) > 3;
    clear();
}

static void on_fault(int n)
{
    clear();
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void on_jump(int n)
{
    clear();
    siglongjmp(back, 1);
}

/* Fills zmm5, zmm20 and k3, runs the code, which may change rax, rcx, rdx and r11, and adds the
 * registers up. */
#define OVER(code, ...)                                                                            \
    ({                                                                                             \
        uint32_t five[16], twenty[16], mask, sum = 0;                                              \
        __asm__ volatile(                                                                          \
            "vpbroadcastd %3, %%zmm5\n\tvpaddd %%zmm5, %%zmm5, %%zmm20\n\tkmovw %3, %%k3\n\t" code \
            "\n\tvmovdqu32 %%zmm5, %0\n\tvmovdqu32 %%zmm20, %1\n\tkmovw %%k3, %2"                  \
            : "=m"(five), "=m"(twenty), "=r"(mask)                                                 \
            : "r"(0x1234567), ##__VA_ARGS__                                                        \
            : "rax", "rcx", "rdx", "r11", "zmm5", "zmm20", "k3", "memory", "cc");                  \
        for (int i = 0; i < 16; i++)                                                               \
            sum += five[i] * (i + 1) + twenty[i];                                                  \
        sum + mask;                                                                                \
    })

static void *thread(void *n)
{
    double *sum = n;

    *sum = sums((int)*sum) + OVER("movl $24, %%eax\n\tsyscall" /* sched_yield */);
    return NULL;
}

static void threads(void)
{
    double limits[3] = {20000, 30000, 40000};
    pthread_t ids[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], NULL, thread, &limits[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
    printf("%.6f %.6f %.6f\n", limits[0], limits[1], limits[2]);
}

/* A timer comes while they are in use. */
static void ticking(void)
{
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    uint32_t sum = 0;

    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 10)
        sum =
            OVER("movl $20000, %%ecx\n1:\tvpaddd %%zmm5, %%zmm20, %%zmm20\n\tdecl %%ecx\n\tjne 1b");
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%u\n", sum);
}

static void kept(void)
{
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, on_fault);
    printf("%u", OVER("movb $1, (%4)", "r"(page)));
    ualarm(2000, 2000); /* more than once, since the first may come before the pause */
    printf(" %u", OVER("movl $34, %%eax\n\tsyscall" /* pause */));
    ualarm(0, 0);
    signal(SIGUSR1, on_jump);
    for (int i = 0; i < 300; i++)
        if (!sigsetjmp(back, 1))
            raise(SIGUSR1);
    printf(" %u\n", OVER(""));
}

/* As the dynamic linker does while it binds a call. */
#define SAVE(area)    "movl $0xee, %%eax\n\txorl %%edx, %%edx\n\txsave64 " area "\n\t"
#define RESTORE(area) "movl $0xee, %%eax\n\txorl %%edx, %%edx\n\txrstor64 " area "\n\t"
#define CLEAR                                                                                \
    "vpxord %%zmm20, %%zmm20, %%zmm20\n\tvpxor %%xmm5, %%xmm5, %%xmm5\n\tkxorw %%k3, %%k3, " \
    "%%k3\n\t"

static void saved(void)
{
    static char areas[2][4096] __attribute__((aligned(64)));
    const char *p = areas[0];

    printf("%u", OVER(SAVE("(%4)") CLEAR RESTORE("(%4)"), "r"(p)));
    printf(" %u", OVER(SAVE("(%4)") CLEAR
                       "movl $24, %%eax\n\tsyscall\n\t" /* sched_yield */ RESTORE("(%4)"),
                       "r"(p)));
    printf(" %u", OVER(SAVE("(%4)") "vpaddd %%zmm5, %%zmm20, %%zmm5\n\t" SAVE("4096(%4)")
                           CLEAR RESTORE("4096(%4)") "vpaddd %%zmm5, %%zmm20, %%zmm20",
                       "r"(p)));
    printf(" %u", OVER(RESTORE("(%4)") CLEAR RESTORE("4096(%4)"), "r"(p)));
    printf(" %u\n", OVER(CLEAR RESTORE("(%4)"), "r"(p)));
}

/* Right behind instructions that other code executes. */
#define MORE "\n\tvpaddd %%zmm5, %%zmm20, %%zmm5\n\tkshiftlw $1, %%k3, %%k3"

static void behind(void)
{
    printf("%u", OVER("rdtsc" MORE));
    printf(" %u", OVER("xorl %%ecx, %%ecx\n\txgetbv" MORE));
    printf(" %u", OVER("std" MORE "\n\tcld" MORE));
    printf(" %u\n", OVER("leaq -128(%%rsp), %%rsp\n\tpushfq" MORE "\n\tpopfq" MORE
                         "\n\tleaq 128(%%rsp), %%rsp" MORE));
}

/* Instructions of AVX clear the upper half of their vector, others do not: in front of one that
 * only other code executes, and behind it. */
static void cleared(void)
{
    printf("%u", OVER("jmp 1f\n1:\tvpxor %%xmm5, %%xmm5, %%xmm5\n\trdtsc"));
    printf(" %u", OVER("jmp 1f\n1:\tvpaddd %%ymm5, %%ymm5, %%ymm5\n\trdtsc"));
    printf(" %u", OVER("jmp 1f\n1:\tpaddd %%xmm5, %%xmm5\n\trdtsc"));
    printf(" %u", OVER("rdtsc\n\tvmovd %%xmm5, %%ecx\n\tvmovd %%ecx, %%xmm5"));
    printf(" %u\n", OVER("jmp 1f\n1:\tvzeroupper\n\trdtsc"));
}

/* Forms of operands. */
static void forms(void)
{
    static float table[64];
    static const double numbers[2] = {1.5, 1e10};
    uint16_t packed[32] = {0};
    __m512 found;

    for (int i = 0; i < 64; i++)
        table[i] = (float)(i * i);
    found = _mm512_mask_i32gather_ps(
        _mm512_set1_ps(-1), 0x5a5a,
        _mm512_set_epi32(1, 3, 5, 7, 9, 11, 13, 15, 2, 4, 6, 8, 10, 12, 14, 63), table, 4);
    _mm512_mask_i32scatter_ps(
        table, 0xff0f, _mm512_set_epi32(1, 3, 5, 7, 9, 11, 13, 15, 2, 4, 6, 8, 10, 12, 14, 63),
        found, 4);
    _mm512_mask_cvtepi32_storeu_epi16(packed, 0xfffc, _mm512_cvttps_epi32(_mm512_loadu_ps(table)));
    printf("%f %f %u %llu %u\n", _mm512_reduce_add_ps(found), table[63], packed[7] + packed[15],
           (unsigned long long)_mm_cvttsd_u64(_mm_load_sd(&numbers[1])),
           (unsigned)_mm512_cmp_ps_mask(found, _mm512_loadu_ps(table + 16), _CMP_LT_OQ));
    _mm512_storeu_ps(table,
                     _mm512_maskz_compress_ps(
                         0xf0f0, _mm512_mul_round_ps(found, _mm512_set1_ps(0.1f),
                                                     _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)));
    printf("%.9g %.9g %d\n", table[0], table[5], _mm512_kortestc(_mm512_kor(0xff00, 0xff), 0));
}

/* The case comes first, behind instructions that only VEX executes, and in front of one. */
static __attribute__((noinline)) int between(int n)
{
    int sum;

    __asm__ volatile("rdtsc\n\tvpbroadcastd %1, %%zmm1\n\tvpaddd %%zmm1, %%zmm1, %%zmm2\n\t"
                     "xor %%ecx, %%ecx\n\txgetbv\n\tvpaddd %%zmm2, %%zmm2, %%zmm3\n\t"
                     "vmovd %%xmm3, %%eax\n\tcpuid\n\tvmovd %%xmm3, %0\n\tvzeroupper"
                     : "=&r"(sum)
                     : "r"(n)
                     : "rax", "rbx", "rcx", "rdx", "xmm1", "xmm2", "xmm3");
    return sum;
}

int main(void)
{
    printf("%d %d\n", between(3), between(5));
    printf("%.6f\n", sums(10000));
    ticking();
    kept();
    threads();
    saved();
    behind();
    cleared();
    forms();
    return 0;
}
