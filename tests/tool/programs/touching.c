/*
 * touching.c MODE FORM - 160 accesses that fault, five instructions behind the beginning of their
 * block. The handler lets the access be made (MODE 0), or leaves by siglongjmp (1). FORM: a read
 * (0), a write (1), a read behind a push (2), a read behind branches and in front of one (3).
 * Prints how many faults there were.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *page;
static int mode, n_faults;
static sigjmp_buf start;

static void on_fault(int number)
{
    (void)number;
    n_faults++;
    if (mode == 1)
        siglongjmp(start, 1);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

/* Ten instructions each. */
#ifdef __aarch64__
#define FORM(name, first, access, last)                                                 \
    void name(char *at);                                                                \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n" first          \
            "\nadd x1, x1, #1\nadd x2, x2, #1\nadd x3, x3, #1\nadd x1, x1, #1\n" access \
            "\nadd x2, x2, #1\nadd x3, x3, #1\n" last "\nret\n.size " #name ", . - " #name "\n")
FORM(touch_read, "add x4, x4, #1", "ldrb w2, [x0]", "add x1, x1, #1");
FORM(touch_write, "add x4, x4, #1", "strb w1, [x0]", "add x1, x1, #1");
FORM(touch_pushed, "str x19, [sp, #-16]!", "ldrb w19, [x0]", "ldr x19, [sp], #16");
#define BRANCHES                                                               \
    "cbz x0, 1f\nadd x1, x1, #1\nadd x2, x2, #1\ncbz x0, 1f\nadd x3, x3, #1\n" \
    "ldrb w2, [x0]\nadd x1, x1, #1\ncbz x0, 1f\nadd x1, x1, #1\n1: ret\n"
#else
#define FORM(name, first, access, last)                                                       \
    void name(char *at);                                                                      \
    __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n" first                \
            "\ninc %rax\ninc %rcx\ninc %rdx\ninc %rax\n" access "\ninc %rcx\ninc %rdx\n" last \
            "\nret\n.size " #name ", . - " #name "\n")
FORM(touch_read, "inc %rsi", "mov (%rdi), %cl", "inc %rax");
FORM(touch_write, "inc %rsi", "mov %al, (%rdi)", "inc %rax");
FORM(touch_pushed, "push %rbx", "mov (%rdi), %bl", "pop %rbx");
#define BRANCHES                                                \
    "test %rdi, %rdi\nje 1f\ninc %rax\ncmp %rsp, %rdi\nje 1f\n" \
    "mov (%rdi), %cl\ntest %rdi, %rdi\nje 1f\ninc %rax\n1: ret\n"
#endif
void touch_between(char *at);
__asm__(".globl touch_between\n.type touch_between, @function\ntouch_between:\n" BRANCHES
        ".size touch_between, . - touch_between\n");

int main(int argc, char **argv)
{
    static void (*const forms[])(char *) = {touch_read, touch_write, touch_pushed, touch_between};
    int form = argc > 2 ? atoi(argv[2]) % 4 : 0;

    mode = argc > 1 ? atoi(argv[1]) : 0;
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, on_fault);
    for (volatile int i = 0; i < 160; i++) {
        mprotect(page, 4096, PROT_NONE);
        if (!sigsetjmp(start, 1))
            forms[form](page);
    }
    printf("%d\n", n_faults);
    return 0;
}
