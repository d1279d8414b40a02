/* Accesses of AVX-512 to data: 256 lines are read and written in each way. For engines.test. */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 256, LINE = 64 };

static unsigned char *data;

#define EACH(name, code)                                                  \
    __attribute__((noinline)) static void name(__m512i v)                 \
    {                                                                     \
        for (unsigned char *p = data; p < data + LINES * LINE; p += LINE) \
            __asm__ volatile(code                                         \
                             :                                            \
                             : "r"(p), "v"(v), "Yk"((__mmask16)0x5555)    \
                             : "memory", "xmm20");                        \
    }

EACH(reads, "vmovdqu64 64(%0), %%zmm20")
EACH(reads_across, "vmovdqu64 -32(%0), %%zmm20")
EACH(reads_one, "vpaddd 4(%0)%{1to16%}, %1, %%zmm20")
EACH(reads_half, "vpmovzxbw 32(%0), %%zmm20")
EACH(writes, "vmovdqa32 %1, (%0)%{%2%}")
EACH(writes_packed, "vpcompressd %1, 4(%0)%{%2%}")
EACH(writes_mask, "kmovw %2, 8(%0)")
EACH(gathers, "kmovw %2, %%k1; vpgatherdd (%0,%1,4), %%zmm20%{%%k1%}")

int main(void)
{
    const __m512i v = _mm512_set1_epi32(3);
    long sum = 0;

    data = aligned_alloc(LINE, (LINES + 2) * LINE);
    data += LINE;
    for (int i = -LINE; i < (LINES + 1) * LINE; i++)
        data[i] = (unsigned char)i;
    reads(v), reads_across(v), reads_one(v), reads_half(v);
    writes(v), writes_packed(v), writes_mask(v), gathers(v);
    for (int i = 0; i < LINES * LINE; i++)
        sum += data[i] * (i & 7);
    printf("%ld\n", sum);
    return 0;
}
