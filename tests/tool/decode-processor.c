/*
 * decode-processor N [SEED] - makes N random instructions, and lets the processor say whether the
 * tool's decoder is right about those that it accepts.
 *
 * A traced child executes each of them by a single step, twice: the second time registers and flags
 * that the decoder says are not read have other values. Then the instruction must have ended where
 * its length says, no register may have changed that is not written, and all that is written,
 * memory too, must be the same both times. An instruction that the processor does not know, or that
 * faults, proves nothing.
 *
 * Registers point into windows of memory, so that sums of them times 1, 2, 4 and 8 do too.
 */
#define _GNU_SOURCE
#include "cp_decode.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNIT = 0x400000, SIZE = 10 * UNIT, WINDOW = 0x9000, BEFORE = 0x1000, WINDOWS = 7 };
#define CODE ((uint64_t)UNIT / 2)

static const unsigned multiples[WINDOWS] = {1, 2, 3, 4, 5, 8, 9};
static uint8_t *memory; /* of the child, from address 0 on; only part of it is mapped there */
static pid_t child;
static uint64_t seed = 88172645463325252ULL;
static struct {
    unsigned long tried, refused, proved, unknown, faults, restless, wrong;
} count;

typedef struct {
    struct user_regs_struct regs;
    uint8_t windows[WINDOWS][WINDOW];
    int signal;
} State;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 2685821657736338717ULL;
}

static unsigned below(unsigned limit)
{
    return (unsigned)(draw() >> 33) % limit;
}

/*--- Making instructions ---*/

/* An operand that lies in a window more often than not. */
static uint8_t *make_operand(uint8_t *p, uint64_t end)
{
    unsigned mod = below(2) ? 3 : below(3), rm = below(8), sib = below(256);
    int32_t displacement = (int32_t)below(256) - 128;

    *p++ = (uint8_t)(mod << 6 | below(8) << 3 | rm);
    if (mod == 3)
        return p;
    if (rm == 4)
        *p++ = (uint8_t)sib;
    if (mod == 1) {
        *p++ = (uint8_t)displacement;
    } else if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5)) {
        if (!mod && rm == 5)
            displacement += (int32_t)(UNIT + WINDOW / 2 - end);
        memcpy(p, &displacement, 4);
        p += 4;
    }
    return p;
}

static uint8_t *make_prefixes(uint8_t *p)
{
    static const uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0x66, 0x64, 0x67, 0xf0, 0x2e, 0x65};

    while (!below(3))
        *p++ = prefixes[below(sizeof prefixes)];
    if (below(2))
        *p++ = (uint8_t)(0x40 | below(16));
    return p;
}

/* Random bytes of the form of an instruction; the rest of the 15 is random. */
static void make(uint8_t *bytes)
{
    uint8_t *p = bytes;

    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (uint8_t)below(256);
    switch (below(6)) {
    case 0:
    case 1:
        p = make_prefixes(p);
        break;
    case 2:
    case 3:
        p = make_prefixes(p);
        *p++ = 0x0f;
        if (!below(3))
            *p++ = below(2) ? 0x38 : 0x3a;
        break;
    case 4: /* VEX */
        *p++ = below(3) ? 0xc4 : 0xc5;
        if (p[-1] == 0xc4)
            *p++ = (uint8_t)(below(8) << 5 | (1 + below(3)));
        *p++ = (uint8_t)below(256);
        break;
    default: /* EVEX */
        *p++ = 0x62;
        *p++ = (uint8_t)(below(16) << 4 | (1 + below(3)));
        *p++ = (uint8_t)(below(256) | 4);
        *p++ = (uint8_t)below(256);
        break;
    }
    *p++ = (uint8_t)(below(8) ? below(256)
                              : 0xf0 + below(8)); /* where general registers are named behind VEX */
    make_operand(p, CODE + (uint64_t)(p - bytes) + 5);
}

/*--- The child ---*/

static void start_child(void)
{
    int file = memfd_create("decode", 0), status;

    if (file < 0 || ftruncate(file, SIZE) < 0)
        exit(77);
    memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    child = fork();
    if (!child) {
        uint8_t *at = (uint8_t *)CODE - 0x1000;

        if (mmap(at, 0x3000, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_FIXED, file,
                 (off_t)(uintptr_t)at) == MAP_FAILED)
            _exit(1);
        for (unsigned i = 0; i < WINDOWS; i++) {
            at = (uint8_t *)(uintptr_t)(multiples[i] * UNIT - BEFORE);
            if (mmap(at, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                     (off_t)(uintptr_t)at) == MAP_FAILED)
                _exit(1);
        }
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
        exit(77);
}

static uint64_t *reg(struct user_regs_struct *r, unsigned number)
{
    switch (number) {
    case REG_AX:
        return (uint64_t *)&r->rax;
    case REG_CX:
        return (uint64_t *)&r->rcx;
    case REG_DX:
        return (uint64_t *)&r->rdx;
    case REG_BX:
        return (uint64_t *)&r->rbx;
    case REG_SP:
        return (uint64_t *)&r->rsp;
    case REG_BP:
        return (uint64_t *)&r->rbp;
    case REG_SI:
        return (uint64_t *)&r->rsi;
    case REG_DI:
        return (uint64_t *)&r->rdi;
    default: /* r15 to r12 and r11 to r8 stand in this order */
        return number >= 12 ? (uint64_t *)&r->r15 + (15 - number)
                            : (uint64_t *)&r->r11 + (11 - number);
    }
}

/* A step from `s`, whose registers, memory and signal become those behind it. */
static void step(State *s, const void *vectors, size_t size, bool repeats)
{
    struct iovec v = {.iov_base = (void *)(uintptr_t)vectors, .iov_len = size};
    int status = 0;

    for (unsigned i = 0; i < WINDOWS; i++)
        memcpy(memory + multiples[i] * UNIT - BEFORE, s->windows[i], WINDOW);
    ptrace(PTRACE_SETREGSET, child, (void *)NT_X86_XSTATE, &v);
    ptrace(PTRACE_SETREGS, child, NULL, &s->regs);
    for (unsigned i = 0; i < (repeats ? 6u : 1u); i++) {
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
        if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) {
            fprintf(stderr, "decode-processor: the child has ended\n");
            exit(1);
        }
        ptrace(PTRACE_GETREGS, child, NULL, &s->regs);
        if (s->regs.rip != CODE)
            break;
    }
    s->signal = WSTOPSIG(status);
    for (unsigned i = 0; i < WINDOWS; i++)
        memcpy(s->windows[i], memory + multiples[i] * UNIT - BEFORE, WINDOW);
}

/*--- What must hold ---*/

static uint64_t some_pointer(void)
{
    return UNIT + below(16) * 64 + (below(4) ? 0 : below(64));
}

static void prepare(State *s, const struct user_regs_struct *first)
{
    s->regs = *first;
    s->regs.rip = CODE;
    s->regs.fs_base = 0;
    s->regs.orig_rax = (unsigned long long)-1;
    s->regs.eflags = 0x202 | (draw() & FLAGS_ALL);
    for (unsigned i = 0; i < REGS; i++)
        *reg(&s->regs, i) = some_pointer();
    for (unsigned i = 0; i < WINDOWS; i++)
        for (unsigned k = 0; k < WINDOW; k += 8)
            memcpy(&s->windows[i][k], &(uint64_t){UNIT + ((k * 7 + i) & 0xff8)}, 8);
}

/* Other values for all that the instruction is said not to read. */
static void change_others(State *s, const Insn *in)
{
    for (unsigned i = 0; i < REGS; i++)
        if (!(in->reads >> i & 1))
            *reg(&s->regs, i) = some_pointer();
    s->regs.eflags ^= FLAGS_ALL & ~in->flags_read;
}

static bool ends_right(const Insn *in, const State *s)
{
    uint64_t next = CODE + in->length, rip = s->regs.rip;

    switch (in->kind) {
    case INSN_JCC:
        return rip == next || rip == in->target;
    case INSN_JMP:
    case INSN_CALL:
        return rip == in->target;
    case INSN_PLAIN:
    case INSN_STATUS:
    case INSN_REPEAT:
        return rip == next;
    default:
        return true;
    }
}

static const char *flaw(const Insn *in, State *was, State *is, State *was_2, State *is_2)
{
    uint64_t changed = is->regs.eflags ^ is_2->regs.eflags;

    if (!ends_right(in, is))
        return "end";
    if (is->regs.rip != is_2->regs.rip)
        return "depends on more";
    for (unsigned i = 0; i < REGS; i++) {
        bool is_written = in->writes >> i & 1;

        if (!is_written && (*reg(&was->regs, i) != *reg(&is->regs, i) ||
                            *reg(&was_2->regs, i) != *reg(&is_2->regs, i)))
            return "register written";
        if (is_written && *reg(&is->regs, i) != *reg(&is_2->regs, i))
            return "register depends on more";
    }
    if (changed & in->flags_killed)
        return "flag not killed";
    if (changed & FLAGS_ALL & (is_2->regs.eflags ^ was_2->regs.eflags))
        return "flag depends on more";
    return memcmp(is->windows, is_2->windows, sizeof is->windows) ? "memory depends on more" : NULL;
}

static void report(const uint8_t *bytes, const Insn *in, const char *what)
{
    if (count.wrong++ >= 20)
        return;
    printf("wrong: %s, length %u, reads %04x writes %04x flags %03x killed %03x:", what, in->length,
           in->reads, in->writes, in->flags_read, in->flags_killed);
    for (unsigned i = 0; i < 15; i++)
        printf(" %02x", bytes[i]);
    putchar('\n');
}

static void try(const uint8_t *bytes, const struct user_regs_struct *first, const void *vectors,
                size_t size)
{
    static State was, is, again, was_2, is_2;
    bool repeats;
    const char *what;
    Insn in;

    count.tried++;
    if (!cp_decode(bytes, 15, CODE, &in)) {
        count.refused++;
        return;
    }
    repeats = in.kind == INSN_REPEAT;
    memcpy(memory + CODE, bytes, 15);
    prepare(&was, first);
    if (repeats)
        was.regs.rcx = below(4);
    was_2 = was;
    change_others(&was_2, &in);
    is = again = was;
    step(&is, vectors, size, repeats);
    if (is.signal != SIGTRAP) {
        is.signal == SIGILL ? count.unknown++ : count.faults++;
        return;
    }
    step(&again, vectors, size, repeats);
    if (memcmp(&is.regs, &again.regs, sizeof is.regs)) {
        count.restless++;
        return;
    }
    is_2 = was_2;
    step(&is_2, vectors, size, repeats);
    count.proved++;
    what = flaw(&in, &was, &is, &was_2, &is_2);
    if (what)
        report(bytes, &in, what);
}

int main(int argc, char **argv)
{
    static uint8_t vectors[16384];
    struct iovec v = {.iov_base = vectors, .iov_len = sizeof vectors};
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct user_regs_struct first;
    uint8_t bytes[16];

    if (argc > 2)
        seed += strtoull(argv[2], NULL, 10) * 7919;
    start_child();
    ptrace(PTRACE_GETREGS, child, NULL, &first);
    ptrace(PTRACE_GETREGSET, child, (void *)NT_X86_XSTATE, &v);
    while (count.tried < n) {
        make(bytes);
        try(bytes, &first, vectors, v.iov_len);
    }
    kill(child, SIGKILL);
    printf("%lu made, %lu refused, %lu unknown to the processor, %lu faults, %lu restless, %lu "
           "proved, "
           "%lu wrong\n",
           count.tried, count.refused, count.unknown, count.faults, count.restless, count.proved,
           count.wrong);
    return count.wrong != 0;
}
