/*
 * overwritten.c - values that are loaded and overwritten before anything needs them, the stack
 * pointer's above all: VEX leaves such loads out, unless an access comes first.
 */
#include <stdio.h>

#define FORM(name, code)                                                    \
    void name(void);                                                        \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name          \
            ":\npush %rbp\nmov %rsp, %rbp\n"                                \
            "sub $64, %rsp\nmov %rsp, -8(%rbp)\nmov %rsp, -16(%rbp)\n" code \
            "\nmov %rbp, %rsp\npop %rbp\nret\n.size " #name ", . - " #name "\n")

#ifdef __x86_64__
FORM(at_once, "mov -8(%rbp), %rsp\nlea -32(%rbp), %rsp");
FORM(behind_a_load,
     "mov -8(%rbp), %rsp\nmov -16(%rbp), %rcx\nlea -32(%rbp,%rcx,0x1), %rcx\nlea -32(%rbp), %rsp");
FORM(behind_a_load_left_out,
     "mov -8(%rbp), %rsp\nmov -16(%rbp), %rcx\nlea -32(%rbp), %rsp\nxor %ecx, %ecx");
FORM(behind_a_store, "mov -8(%rbp), %rsp\nmovl $1, -24(%rbp)\nlea -32(%rbp), %rsp");
FORM(behind_a_read, "mov -8(%rbp), %rsp\nlea 8(%rsp), %rcx\nlea -32(%rbp), %rsp");
FORM(twice, "mov -8(%rbp), %rsp\nmov -16(%rbp), %rsp\nlea -32(%rbp), %rsp");
FORM(popped, "mov -8(%rbp), %rsp\npop %rcx\nxor %ecx, %ecx\nlea -32(%rbp), %rsp");
FORM(of_a_byte, "movb -8(%rbp), %cl\nlea 5(%rbp), %rcx");
FORM(of_a_byte_with_flags, "sbbb -8(%rbp), %cl\nxor %ecx, %ecx");
FORM(of_a_word, "movzbw -8(%rbp), %cx\nlea 5(%rbp), %rcx");
FORM(of_a_half, "mov -8(%rbp), %ecx\nlea 5(%rbp), %rcx");
FORM(behind_a_jump, "mov -8(%rbp), %rsp\njmp 1f\n1: lea -32(%rbp), %rsp");
#endif

int main(void)
{
    int n = 0;

#ifdef __x86_64__
    for (; n < 300; n++) {
        at_once(), behind_a_load(), behind_a_load_left_out(), behind_a_store();
        behind_a_read(), twice(), popped(), behind_a_jump();
        of_a_byte(), of_a_byte_with_flags(), of_a_word(), of_a_half();
    }
#endif
    printf("%d\n", n);
    return 0;
}
