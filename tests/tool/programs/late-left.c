/*
 * late-left.c - code with instructions that copies leave to VEX, which each function `early_` and
 * `late_` has alike: called before the first instruction of AVX-512, and behind it; the early ones
 * once more then. Functions `known_` and `given_` save and restore registers, by a mask that the
 * code sets or gets.
 */
#define CALLS 10

static char area[4096] __attribute__((aligned(64)));

#define CODE(name, code)                                                                \
    void name(void *, long *, long);                                                    \
    __asm__(".text\n.type " #name ",@function\n" #name ":\n" code "\nret\n.size " #name \
            ",.-" #name "\n")
#define SAVES "xor %edx,%edx\nxsave (%rdi)\nxrstor (%rdi)"

/* Loads whose values are overwritten, what makes no difference, a branch whose way is known. */
#define EACH(of)                                                                                  \
    of(load, "mov 8(%rsi),%rcx\nmov (%rsi),%rcx\nrdtsc\nmov (%rsi),%rcx\nmov $2,%ecx")            \
        of(with, "xor %ecx,%ecx\nand (%rsi),%rcx\nrdtsc")                                         \
            of(identity, "mov %rbx,%r8\nmov (%rsi),%rax\nmov $1,%eax\ncpuid\nmov %r8,%rbx") of(   \
                direction, "mov (%rsi),%rcx\nstd\nmov $1,%ecx\ncld")                              \
                of(flags, "mov (%rsi),%rcx\npushf\nmov $1,%ecx\npopf") of(                        \
                    vector, "vpxor %xmm1,%xmm1,%xmm1\nmov (%rsi),%rcx\nstd\nmov $1,%ecx\ncld")    \
                    of(branch, "xor %ecx,%ecx\nmov (%rsi),%rax\njrcxz 1f\nnop\n1: xor %eax,%eax") \
                        of(saves, "mov $0xee,%eax\n" SAVES)

#define EACH_MASK(of) of(0) of(1) of(2) of(3) of(4) of(6) of(7) of(238)

#define DEFINE(name, code)    \
    CODE(early_##name, code); \
    CODE(late_##name, code);
#define DEFINE_MASK(mask)                              \
    CODE(known_##mask, "mov $" #mask ",%eax\n" SAVES); \
    CODE(given_##mask, "mov %rdx,%rax\n" SAVES);
EACH(DEFINE)
EACH_MASK(DEFINE_MASK)

int main(void)
{
    long words[2] = {0};

    for (int i = 0; i < CALLS; i++) {
#define CALL_EARLY(name, code) early_##name(area, words, 7);
#define CALL_LATE(name, code)  late_##name(area, words, 7);
#define CALL_MASK(mask)              \
    known_##mask(area, words, mask); \
    given_##mask(area, words, mask);
        EACH(CALL_EARLY)
        EACH_MASK(CALL_MASK)
    }
    __asm__ volatile("vmovq %0, %%xmm16" ::"r"(1ul));
    for (int i = 0; i < CALLS; i++) {
        EACH(CALL_EARLY)
        EACH(CALL_LATE)
        EACH_MASK(CALL_MASK)
    }
    return 0;
}
