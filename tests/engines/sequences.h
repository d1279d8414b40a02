/*
 * sequences.h - how sequences.c and run-sequences.c execute random code: with all registers set
 * before it and taken behind it, and with data and a stack of its own. All addresses are below 2
 * GB, and clear of what Valgrind maps.
 */
#ifndef SEQUENCES_H
#define SEQUENCES_H

#include "cp_decode.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CODE_START  0x10000000ul
#define DATA_START  0x15000000ul
#define DATA_SIZE   2048ul
#define STACK_START 0x16000000ul
#define STACK_SIZE  0x10000ul

enum { PAGE = 4096 };

/* The assembler code below loads and stores it. */
struct state {
    uint64_t regs[REGS];
    uint64_t flags;
    uint64_t entry;
    uint64_t sp; /* of this program */
    uint8_t vectors[16][32];
    uint8_t x87[8][10];
    uint16_t x87_status;
} state __attribute__((aligned(64), used));

/* Loads the state, calls the entry, and stores the state. */
void run(void);
void resume(void);

extern uint8_t run_end[];

/* Where an instruction that faulted is skipped. Its flags are those of an earlier one, which a copy
 * may have overwritten if nothing reads them. */
uint64_t fault_flags __attribute__((used)), fault_next __attribute__((used));

/* Instructions of MMX see what registers of x87 hold, whether they count as empty or not: so all
 * are set. popfq is left to VEX's translator, and what follows up to the next jump. */
/* clang-format off */
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) \
    what(8) what(9) what(10) what(11) what(12) what(13) what(14) what(15)
#define LOAD_VECTOR(n)  "vmovdqu state+152+32*" #n "(%rip), %ymm" #n "\n"
#define STORE_VECTOR(n) "vmovdqu %ymm" #n ", state+152+32*" #n "(%rip)\n"
#define FLOATS(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)
#define STORE_FLOAT(n)  "fstpt state+664+10*" #n "(%rip)\n"
#define REGISTERS(what) what(0, rax) what(1, rcx) what(2, rdx) what(3, rbx) what(4, rsp) what(5, rbp) \
    what(6, rsi) what(7, rdi) what(8, r8) what(9, r9) what(10, r10) what(11, r11) what(12, r12) \
    what(13, r13) what(14, r14) what(15, r15)
#define LOAD(n, reg)  "mov state+8*" #n "(%rip), %" #reg "\n"
#define STORE(n, reg) "mov %" #reg ", state+8*" #n "(%rip)\n"
__asm__(".text\n.globl run, run_end\n"
        ".type run, @function\n"
        "run:\n"
        "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, state+144(%rip)\n"
        EACH(LOAD_VECTOR)
        "push state+128(%rip)\nlea 1f(%rip), %rax\npopfq\njmp *%rax\n1: "
        "fninit\nfld1\nfldpi\nfldl2e\nfldlg2\nfldln2\nfldl2t\nfldz\nfld1\n"
        REGISTERS(LOAD)
        "call *state+136(%rip)\n"
        "run_end:\n"
        REGISTERS(STORE)
        "mov state+144(%rip), %rsp\n"
        "pushfq\npop state+128(%rip)\n"
        "lea 1f(%rip), %rax\npush $0x202\npopfq\njmp *%rax\n1:\n"
        EACH(STORE_VECTOR)
        "fnstsw state+744(%rip)\n"
        FLOATS(STORE_FLOAT)
        "fninit\n"
        "vzeroupper\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\n"
        "ret\n"
        ".size run, .-run\n"
        "resume:\n"
        "lea -256(%rsp), %rsp\npush fault_flags(%rip)\npopfq\nlea 256(%rsp), %rsp\n"
        "jmp *fault_next(%rip)\n");
/* clang-format on */

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigaction(signal, &action, NULL);
}

static void map(uint64_t start, size_t size, int access)
{
    if (mmap((void *)start, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        exit(2);
}

#endif
