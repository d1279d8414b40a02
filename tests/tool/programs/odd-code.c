/*
 * odd-code: code of x86-64 whose instructions overlap, and code that one mapping writes and another
 * one runs. It prints the same natively.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Each of these counts in eax, and ends with a return. */
#define CODE(name, code)                                                                      \
    int name(long n);                                                                         \
    __asm__(".globl " #name "\n.type " #name ",@function\n" #name ":\t" code "\n.size " #name \
            ",.-" #name "\n")

/* jmp to its own second byte, which is inc %eax */
CODE(jump_into_itself, "mov %edi, %eax\n\t.byte 0xeb, 0xff, 0xc0\n\tret");
/* The number of a mov is add $5, %eax; ret. */
CODE(into_number,
     "mov %edi, %eax\n\ttest $1, %al\n\tjne 1f + 1\n1:\t.byte 0xb8, 0x83, 0xc0, 5, 0xc3\n\tret");
/* A prefix that is jumped over: lock add, and add; 66 in front of a mov of 4 bytes. */
CODE(past_lock,
     "push %rdi\n\tcmp $3, %edi\n\tjb 1f + 1\n1:\tlock addl $7, (%rsp)\n\tpop %rax\n\tret");
CODE(past_prefix,
     "xor %eax, %eax\n\ttest $2, %dil\n\tje 1f + 1\n1:\tmov $0x9090, %ax\n\tret\n\tnop");
/* The loop has its head in the middle of an instruction, every other time. */
CODE(loop, "mov $0, %eax\n\tmov $1, %edx\n1:\tadd %edx, %eax\n\tdec %edi\n\tjs 3f\n\t"
           "test $1, %dil\n\tjne 2f\n\tjmp 2f + 2\n2:\t.byte 0x81, 0xe9, 0x83, 0xc2, 3, "
           "0x90\n\tjmp 1b\n3:\tret");
/* A call to its own fourth byte, whose return address is taken off. */
CODE(call_into_itself,
     "mov %edi, %eax\n\t.byte 0xe8, 0xff, 0xff, 0xff, 0xff, 0xc0\n\tpop %rdx\n\tret");
CODE(return_into, "mov %edi, %eax\n\tlea 1f + 2(%rip), %rdx\n\tpush %rdx\n\tret\n"
                  "1:\t.byte 0x48, 0xb8, 0x83, 0xc0, 9, 0xc3, 0x90, 0x90, 0x90, 0x90\n\tret");
CODE(computed,
     "lea 1f(%rip), %rdx\n\tmov %edi, %eax\n\tand $3, %edi\n\tadd %rdi, %rdx\n\tjmp *%rdx\n"
     "1:\t.byte 0x90, 0x66, 0x66, 0x83, 0xc0, 1\n\tret");
CODE(call_into, "mov %edi, %eax\n\tcall 1f\n\tcall 1f + 1\n\tret\n1:\t.byte 0x66, 0x05, 1, 0, "
                "0xc3, 0x90, 0xc3\n\tret");

/* All branches, to where they go on anyway. */
CODE(branches, "mov %edi, %eax\n\timul $77, %edi\n\tcmp $500, %di\n\t"
               "jo 1f\n1:\tjno 1f\n1:\tjb 1f\n1:\tjae 1f\n1:\tje 1f\n1:\tjne 1f\n1:\tjbe 1f\n"
               "1:\tja 1f\n1:\tjs 1f\n1:\tjns 1f\n1:\tjp 1f\n1:\tjnp 1f\n1:\tjl 1f\n1:\tjge 1f\n"
               "1:\tjle 1f\n1:\tjg 1f\n1:\tret");

/* Branches whose way follows from the code alone, and repeated instructions of known numbers. */
CODE(known,
     "xor %eax, %eax\n\tje 1f\n\tinc %eax\n1:\tmov $5, %ecx\n\tcmp $5, %ecx\n\tjne 1f\n\t"
     "inc %eax\n1:\tmov $3, %edx\n\tsub $3, %edx\n\tjg 1f\n\tinc %eax\n1:\ttest %edx, %edx\n\t"
     "js 1f\n\tinc %eax\n1:\txor %ecx, %ecx\n\tjrcxz 1f\n\tinc %eax\n1:\tmov $2, %ecx\n"
     "1:\tinc %eax\n\tloop 1b\n\tlea -64(%rsp), %rdi\n\tmov $0, %ecx\n\trep stosb\n\t"
     "xor %ecx, %ecx\n\trep stosq\n\tmov $1, %ecx\n\trep stosb\n\tlea -64(%rsp), %rsi\n\t"
     "lea -32(%rsp), %rdi\n\tmov $0, %ecx\n\trep movsb\n\tmov $3, %ecx\n\trep movsl\n\t"
     "mov $8, %edx\n\tshl $1, %edx\n\tjc 1f\n\tinc %eax\n1:\tor $-1, %ecx\n\tjns 1f\n\tinc %eax\n"
     "1:\tand $0, %ecx\n\tjne 1f\n\tinc %eax\n1:\tret");

/* Where registers of x87 are used, VEX knows more: the first way of a loop, and those of others. */
CODE(known_beside_x87,
     "lea here(%rip), %rax\n\tlea 64(%rax), %rdx\n1:\tfldt here(%rip)\n\tfstpt here(%rip)\n\t"
     "add $16, %rax\n\tcmp %rdx, %rax\n\tjne 1b\n\tmov $0, %ecx\n1:\tfld1\n\tfstp %st\n\tinc "
     "%ecx\n\t"
     "cmp $5, %ecx\n\tjl 1b\n\tmov $9, %ecx\n\tfld1\n\tfstp %st\n\tsub $9, %rcx\n\tje "
     "1f\n\tnop\n1:\t"
     "mov $9, %ecx\n\tfld1\n\tfstp %st\n\ttest %rcx, %rcx\n\tjs 1f\n\tnop\n1:\tmov $9, "
     "%ecx\n\tfld1\n\t"
     "fstp %st\n\tcmp $5, %ecx\n\tjp 1f\n\tnop\n1:\tmov $9, %ecx\n\tfld1\n\tfstp %st\n\tcmp $5, "
     "%cl\n\t"
     "je 1f\n\tnop\n1:\tmov $1, %ecx\n\tfld1\n\tfstp %st\n\tdec %ecx\n\tje 1f\n\tnop\n1:\t"
     "mov $9, %ecx\n\tcmp %edi, %ecx\n\tfld1\n\tfstp %st\n\tja 1f\n\tnop\n1:\txor %eax, "
     "%eax\n\tret");
static long double here __attribute__((used)) = 3;

static void show(const char *name, int (*f)(long))
{
    long sum = 0;

    for (long i = 0; i < 200; i++)
        sum = sum * 3 + f(i);
    printf("%s: %ld\n", name, sum);
}

/* At the beginning: call f; call f; call f; ret. Function f: mov $n, %eax; add $1, %eax; jmp over;
 * int3; over: lea n(%rax), %eax; ret. */
static void put_code(unsigned char *at, int n)
{
    static const unsigned char caller[] = "\xe8\x3b\0\0\0\xe8\x36\0\0\0\xe8\x31\0\0\0\xc3";
    static const unsigned char code[] = "\xb8\0\0\0\0\x83\xc0\x01\xeb\x01\xcc\x8d\x80\0\0\0\0\xc3";

    if (!n)
        memcpy(at, caller, sizeof caller);
    if (!n)
        memcpy(at + 64, code, sizeof code);
    memcpy(at + 64 + 1 + 12 * (n % 2), &n, sizeof n);
}

static void write_and_run(const char *name, void *written, void *run)
{
    int (*f)(void) = (int (*)(void))run, (*g)(void) = (int (*)(void))((char *)run + 64);
    long sum = 0;

    if (written == MAP_FAILED || run == MAP_FAILED) {
        printf("%s: it cannot be mapped\n", name);
        return;
    }
    for (int i = 0; i < 100; i++) {
        put_code(written, i);
        sum = sum * 3 + f() + g() + f() + g();
    }
    printf("%s: %ld\n", name, sum);
}

static void share_memory(void)
{
    enum { ALL = PROT_READ | PROT_WRITE | PROT_EXEC };
    int file = memfd_create("code", 0);
    void *p = mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    write_and_run("anonymous", p, p);
    p = mmap(NULL, PAGE, ALL, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    write_and_run("anonymous, shared", p, p);
    if (ftruncate(file, PAGE))
        return;
    p = mmap(NULL, PAGE, ALL, MAP_SHARED, file, 0);
    write_and_run("memfd", p, p);
    write_and_run("memfd, twice", mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
                  mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0));
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    show("branches", branches);
    show("known ways", known);
    show("known ways beside x87", known_beside_x87);
    show("jump into itself", jump_into_itself);
    show("into a number", into_number);
    show("past a lock", past_lock);
    show("past a prefix", past_prefix);
    show("loop", loop);
    show("call into itself", call_into_itself);
    show("return into", return_into);
    show("computed jump into", computed);
    show("call into", call_into);
    share_memory();
    return 0;
}
