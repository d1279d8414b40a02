/*
 * tiny.c - a program without libc that runs in no time: what it costs depends on how many arguments
 * it has, by STEP instructions for each.
 */
__attribute__((noinline)) static long work(long n)
{
    long sum = 0;

    while (n--)
        __asm__ volatile("add $1, %0" : "+r"(sum));
    return sum;
}

__attribute__((noreturn, used)) static void begin(const long *stack)
{
    long status = work(1000 * stack[0]) & 0;

    for (;;)
        __asm__ volatile("syscall" : : "a"(231L), "D"(status) : "rcx", "r11", "memory");
}

__asm__(
    ".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall begin\n");
