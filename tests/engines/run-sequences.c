/*
 * run-sequences [-s] [-v] [FIRST LAST] - runs the sequences of sequences.c, each from several
 * states, and prints a line for each: its number, a hash of registers, flags, vectors and memory
 * behind it and at each fault, and with -s how many instructions it executed, by single steps.
 * -v prints the states themselves.
 *
 * An instruction that faults is skipped by a handler, a few times.
 */
#define _GNU_SOURCE
#include "sequences.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { ROUNDS = 2, MAX_FAULTS = 12, TRAP_FLAG = 0x100 };

typedef struct {
    uint32_t at;
    uint8_t pointers[2], index, bad;
} Entry;
extern const Entry entries[], entries_end[];
extern uint8_t sequences_end[];

/*--- Random states ---*/

static uint64_t seed;

static uint64_t draw(void)
{
    seed += 0x9e3779b97f4a7c15ull;
    uint64_t z = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static uint64_t some_number(void)
{
    static const uint64_t edges[] = {0,          1,          ~0ull,      1ull << 63,
                                     ~0ull >> 1, 0x80000000, 0x7fffffff, 64};
    uint64_t n = draw();

    switch (n & 3) {
    case 0:
        return edges[n >> 2 & 7];
    case 1:
        return n >> 2 & 255;
    default:
        return draw();
    }
}

static uint64_t bad_pointer(void)
{
    static const uint64_t places[] = {16,
                                      DATA_START + PAGE - 4,
                                      DATA_START + PAGE + 512,
                                      0x800000000000ull,
                                      CODE_START + 512,
                                      ~0ull << 12};

    return places[draw() % (sizeof places / sizeof places[0])];
}

static uint64_t data[PAGE / 8];

/* Integers of all sizes, and numbers of floating point. */
static void make_data(void)
{
    seed = 1;
    for (unsigned i = 0; i < PAGE / 8; i++) {
        double d = (double)(int64_t)draw() / 1e15;
        data[i] = i & 1 ? draw() : 1;
        if (i % 3 == 0)
            memcpy(&data[i], &d, 8);
    }
}

static void prepare(const Entry *e, uint64_t number)
{
    seed = number;
    memcpy((void *)DATA_START, data, PAGE);
    memset((void *)(STACK_START + STACK_SIZE / 2 - 512), 0, 1024);
    for (unsigned i = 0; i < REGS; i++)
        state.regs[i] = some_number();
    for (unsigned i = 0; i < sizeof state.vectors / 8; i++)
        memcpy(state.vectors[0] + 8 * i, &data[draw() % (PAGE / 8)], 8);
    state.regs[REG_SP] = STACK_START + STACK_SIZE / 2;
    state.regs[e->pointers[0]] = DATA_START + 768;
    state.regs[e->pointers[1]] = DATA_START + 1280;
    state.regs[e->index] = draw() % 3 * 16;
    state.regs[e->bad] = bad_pointer();
    state.flags = 0x202 | (draw() & FLAGS_ALL);
    state.entry = e->at;
}

/*--- What is seen ---*/

static bool steps, verbose;
static uint64_t hash;
static unsigned faults;
static long executed;

static void mix(uint64_t n)
{
    hash = (hash ^ n) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
}

static void see(const uint64_t *regs, uint64_t flags)
{
    for (unsigned i = 0; i < REGS; i++) {
        mix(regs[i]);
        if (verbose)
            printf("r%u %llx\n", i, (unsigned long long)regs[i]);
    }
    mix(flags & FLAGS_ALL);
    if (verbose)
        printf("flags %llx\n", (unsigned long long)flags & FLAGS_ALL);
}

static void see_all(void)
{
    const uint64_t *now = (const uint64_t *)DATA_START;
    uint64_t vectors[(sizeof state.vectors + sizeof state.x87) / 8];

    see(state.regs, state.flags);
    memcpy(vectors, state.vectors, sizeof vectors);
    for (unsigned i = 0; i < sizeof vectors / 8; i++) {
        mix(vectors[i]);
        if (verbose)
            printf("ymm%u.%u %llx\n", i / 4, i % 4, (unsigned long long)vectors[i]);
    }
    mix(state.x87_status);
    if (verbose)
        printf("x87 %x\n", state.x87_status);
    for (unsigned i = 0; i < PAGE / 8; i += i == DATA_SIZE / 8 ? PAGE / 8 - DATA_SIZE / 8 - 8 : 1) {
        mix(now[i]);
        if (verbose)
            printf("data+%u %llx\n", 8 * i, (unsigned long long)now[i]);
    }
}

static bool is_code(uint64_t rip)
{
    return rip >= CODE_START && rip < (uint64_t)sequences_end;
}

/* Where an instruction that faults is skipped to. */
static uint64_t behind(uint64_t rip)
{
    Insn in;

    if (faults++ < MAX_FAULTS && cp_decode((const uint8_t *)rip, 15, rip, &in))
        return rip + in.length;
    return (uint64_t)run_end;
}

static uint64_t last_step;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    greg_t *g = u->uc_mcontext.gregs;
    uint64_t rip = (uint64_t)g[REG_RIP];
    const uint64_t regs[REGS] = {
        (uint64_t)g[REG_RAX], (uint64_t)g[REG_RCX], (uint64_t)g[REG_RDX], (uint64_t)g[REG_RBX],
        (uint64_t)g[REG_RSP], (uint64_t)g[REG_RBP], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDI],
        (uint64_t)g[REG_R8],  (uint64_t)g[REG_R9],  (uint64_t)g[REG_R10], (uint64_t)g[REG_R11],
        (uint64_t)g[REG_R12], (uint64_t)g[REG_R13], (uint64_t)g[REG_R14], (uint64_t)g[REG_R15]};

    __asm__ volatile("cld");
    if (!is_code(rip))
        abort();
    (void)info;
    mix((uint64_t)signal);
    mix(rip);
    if (verbose)
        printf("signal %d at %llx\n", signal, (unsigned long long)rip);
    see(regs, 0);
    executed--;
    last_step = 0;
    fault_next = behind(rip);
    fault_flags = 0x202 | (hash & FLAGS_ALL) | (steps ? TRAP_FLAG : 0);
    g[REG_RIP] = (greg_t)resume;
}

/*--- Single steps ---*/

/* The opcode of a repeated string instruction; 0: it is none. *prefix: F2 or F3. */
static unsigned repeated(uint64_t rip, unsigned *prefix)
{
    const uint8_t *p = (const uint8_t *)rip;

    *prefix = 0;
    for (; *p == 0xf2 || *p == 0xf3 || *p == 0x66 || (*p & 0xf0) == 0x40; p++)
        if (*p >= 0xf2)
            *prefix = *p;
    return *prefix && ((*p >= 0xa4 && *p <= 0xa7) || (*p >= 0xaa && *p <= 0xaf)) ? *p : 0;
}

/* Each step counts. A repeated instruction counts once more where it ends since rcx is 0, not
 * because of what it compared. */
static void on_step(int signal, siginfo_t *info, void *context)
{
    static uint64_t rcx;
    const greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t rip = (uint64_t)g[REG_RIP];
    unsigned prefix, op;

    __asm__ volatile("cld");
    (void)signal, (void)info;
    executed += is_code(rip);
    if (last_step && rip != last_step && (op = repeated(last_step, &prefix)) && rcx) {
        bool is_comparing = (op & ~1u) == 0xa6 || (op & ~1u) == 0xae;
        bool goes_on = ((g[REG_EFL] & FLAG_Z) != 0) == (prefix == 0xf3);
        executed += !g[REG_RCX] && (!is_comparing || goes_on);
    }
    if (rip != last_step)
        rcx = (uint64_t)g[REG_RCX];
    last_step = is_code(rip) ? rip : 0;
}

static void try(unsigned long number, unsigned round)
{
    prepare(&entries[number], number * ROUNDS + round);
    hash = faults = 0;
    executed = 0;
    last_step = 0;
    if (steps)
        state.flags |= TRAP_FLAG;
    run();
    see_all();
    printf("%lu.%u %016llx", number, round, (unsigned long long)hash);
    if (steps)
        printf(" %ld", executed);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static char handlers[1 << 16];
    unsigned long first = 0, last = (unsigned long)(entries_end - entries);

    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
        argv[1][1] == 's' ? (steps = true) : (verbose = true);
    if (argc > 2)
        first = strtoul(argv[1], NULL, 10), last = strtoul(argv[2], NULL, 10);
    sigaltstack(&(stack_t){.ss_sp = handlers, .ss_size = sizeof handlers}, NULL);
    make_data();
    map(DATA_START, PAGE, PROT_READ | PROT_WRITE);
    map(STACK_START, STACK_SIZE, PROT_READ | PROT_WRITE);
    handle(SIGSEGV, on_fault);
    handle(SIGBUS, on_fault);
    handle(SIGFPE, on_fault);
    handle(SIGILL, on_fault);
    handle(SIGTRAP, on_step);
    for (unsigned long i = first; i < last; i++)
        for (unsigned round = 0; round < ROUNDS; round++)
            try(i, round);
    return 0;
}
