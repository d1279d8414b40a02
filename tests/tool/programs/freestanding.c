/*
 * freestanding.c - a program of which every instruction is known: no libc, no dynamic loader,
 * nothing chosen by CPUID. Valgrind 3.19 reads symbols only of files with a writable segment, so
 * there is some data. Repeated string instructions whose count runs out are counted once more under
 * Valgrind, by design; they are in functions named counts_out_N, N being how often.
 */
typedef long number;

static number data[64] = {1, 2, 3};
static char text[256] = "some text to work upon";

#define CASE __attribute__((noinline, noclone, used)) static

CASE number chain(number a, number b, number c)
{
    if (a > 3 && b > 5 && (c & 7) != 0)
        return 1;
    if ((a == 0 && b == 2) || (c == 4 && a != b && b != c))
        return 2;
    return a && b && c;
}

CASE number recurse(number n)
{
    return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

CASE number odd(number n);
CASE number even(number n)
{
    return n == 0 ? 1 : odd(n - 1);
}
CASE number odd(number n)
{
    return n == 0 ? 0 : even(n - 1);
}

CASE number through_pointer(number (*function)(number), number n)
{
    return function(n) + data[n & 63];
}

CASE void sort(number *values, number count)
{
    for (number i = 1; i < count; i++)
        for (number k = i; k > 0 && values[k - 1] > values[k]; k--) {
            number other = values[k];
            values[k] = values[k - 1];
            values[k - 1] = other;
        }
}

#ifdef __aarch64__

/* No loads and stores that are linked: single steps between them would make these fail for ever. */
CASE void conditional(number n)
{
    __asm__ volatile("1: tst %0, #3; csel x1, %0, xzr, eq; cset x2, ne; b.ne 2f; add x1, x1, #1\n"
                     "2: tbz %0, #1, 3f; nop; 3: ccmp x1, #5, #4, ne; cinc x1, x1, eq\n"
                     "sub %0, %0, #1; cbnz %0, 1b"
                     : "+r"(n)
                     :
                     : "x1", "x2", "cc");
}

__attribute__((target("arch=armv8.1-a"))) CASE void locked(number n)
{
    while (n--)
        __asm__ volatile("mov x1, #1; ldadd x1, x2, [%0]; swpal x1, x2, [%0]; cas x1, x2, [%0]\n"
                         "mov x3, x2; casp x2, x3, x4, x5, [%1]; stadd x1, [%0]"
                         :
                         : "r"(&data[5]), "r"((number)&data[8] & ~15L)
                         : "x1", "x2", "x3", "x4", "x5", "memory");
}

CASE void vectors(number n)
{
    number to = (number)text;
    __asm__ volatile(
        "1: ld1 {v0.16b-v3.16b}, [%0]; add v0.4s, v1.4s, v2.4s; tbl v1.16b, {v0.16b}, v2.16b\n"
        "st4 {v0.16b-v3.16b}, [%0]; ldp q0, q1, [%0]; fmla v0.2d, v1.2d, v2.2d\n"
        "addv b3, v0.16b; str q0, [%0, #16]; subs %1, %1, #1; b.ne 1b"
        : "+r"(to), "+r"(n)
        :
        : "v0", "v1", "v2", "v3", "memory", "cc");
}

CASE void leave(number status)
{
    register number x0 __asm__("x0") = status, x8 __asm__("x8") = 93;
    __asm__ volatile("svc #0" : : "r"(x0), "r"(x8) : "memory");
    for (;;)
        ;
}

#else

CASE void counts_out_1(number n)
{
    void *to = text;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(7) : "memory");
}

CASE void counts_out_2(number n)
{
    void *from = text, *to = text + 64;
    number again = n;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n)::"memory");
    from = text, to = text + 64;
    __asm__ volatile("repe cmpsb" : "+S"(from), "+D"(to), "+c"(again)::"memory", "cc");
}

/* Ended by its condition, or never begun: as often as natively. */
CASE void string_ends(number n)
{
    void *to = text;
    __asm__ volatile("repne scasb" : "+D"(to), "+c"(n) : "a"(7) : "memory", "cc");
    n = 0;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(7) : "memory");
}

CASE void conditional(number n)
{
    __asm__ volatile("1: testq $3, %0; cmovzq %0, %%rax; setnz %%dl; jnz 2f; incq %%rax\n"
                     "2: bsfq %0, %%rcx; jrcxz 3f; nop; 3: decq %0; jnz 1b"
                     : "+r"(n)
                     :
                     : "rax", "rcx", "rdx", "cc");
}

CASE void locked(number n)
{
    while (n--) {
        number one = 1;
        __asm__ volatile("lock incq %0; lock xaddq %1, %0; xorl %%eax, %%eax; cpuid"
                         : "+m"(data[5]), "+r"(one)
                         :
                         : "rax", "rbx", "rcx", "rdx", "memory", "cc");
    }
}

CASE void leave(number status)
{
    __asm__ volatile("syscall" : : "a"(60), "D"(status) : "rcx", "r11", "memory");
    for (;;)
        ;
}

#endif

CASE void run(void)
{
    number sum = 0;
    for (number i = 0; i < 200; i++) {
        data[i & 63] = i * 7919 % 503;
        sum += chain(i % 7, i % 11, i);
    }
    sort(data, 64);
    sum += recurse(12) + even(31) + through_pointer(recurse, 5) + through_pointer(odd, 6);
#ifdef __aarch64__
    vectors(7);
#else
    counts_out_1(100);
    counts_out_2(60);
    string_ends(50);
#endif
    conditional(40);
    locked(5);
    leave(sum == 0);
}

#ifdef __aarch64__
__asm__(".globl _start\n.type _start, @function\n_start:\n"
        "mov x29, #0\nmov x30, #0\nbl run\nudf #0\n.size _start, . - _start\n");
#else
__attribute__((naked, used, noreturn)) void _start(void)
{
    __asm__("xorl %ebp, %ebp; andq $-16, %rsp; call run; hlt");
}
#endif
