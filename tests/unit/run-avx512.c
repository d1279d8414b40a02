/* Whether AVX-512 was asked for, and is there. */
#include <config.h>

#include "run/avx512.h"
#include "tap.h"

#include <stdlib.h>

int main(void)
{
    /* vmovups zmm0,[rax]; vaddps zmm0,zmm0,zmm1; vmovdqu32 ymm16,[rdi]; vmovups ymm0,[rax] (AVX) */
    static const unsigned char code[] = {0x62, 0xf1, 0x7c, 0x48, 0x10, 0x00, 0x62, 0xf1,
                                         0x7c, 0x48, 0x58, 0xc1, 0x62, 0xe1, 0x7e, 0x28,
                                         0x6f, 0x07, 0xc5, 0xfc, 0x10, 0x00};
    unsigned long size = 1 << 20;
    unsigned char *bytes = malloc(size);
    unsigned state = 1;

    ok(avx512_in_flags("-C target-cpu=native", true), "native, on a processor that has it");
    ok(!avx512_in_flags("-C target-cpu=native", false), "on one that has not");
    ok(avx512_in_flags("-Ctarget-cpu=x86-64-v4", false), "x86-64-v4");
    ok(!avx512_in_flags("-Ctarget-cpu=x86-64-v3", true), "x86-64-v3");
    ok(avx512_in_flags("-C target-feature=+aes,+avx512f", false), "a feature");
    ok(!avx512_in_flags("-C target-feature=-avx512f", true), "a feature switched off");
    ok(avx512_in_flags("-C target-cpu=znver2 -C target-cpu=znver4", false), "the second of two");
    ok(!avx512_in_flags("", true), "nothing");
    ok(avx512_in_code(code, sizeof code), "three instructions");
    ok(!avx512_in_code(code + 1, sizeof code - 1), "two are too few");
    ok(!avx512_in_code(code, 15) && !avx512_in_code(code, 0), "nothing is read past the end");
    for (unsigned long i = 0; i < size; i++) {
        state = state * 1103515245 + 12345;
        bytes[i] = (unsigned char)(state >> 16);
    }
    ok(!avx512_in_code(bytes, size), "a megabyte by chance");
    free(bytes);
    return tap_done();
}
