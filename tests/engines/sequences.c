/*
 * sequences SEED N FOLDER - writes N random sequences of instructions, as FOLDER/code.bin and
 * FOLDER/code.s, for run-sequences.c, which runs them.
 *
 * A sequence is a function, with others that it calls. Its instructions are random bytes that the
 * tool's decoder accepts; between them are jumps, loops, calls, returns and string instructions of
 * known shapes. Registers are free but for a few, whose roles are chosen anew for each sequence:
 * pointers into the data, an index, a pointer that is bad, and a counter of loops.
 */
#define _GNU_SOURCE
#include "random-code.h"

#include <stdio.h>

/*--- Shapes ---*/

static unsigned free_register(void)
{
    unsigned reg;

    do {
        reg = below(REGS);
    } while (reg == REG_SP || now.fixed >> reg & 1);
    return reg;
}

static void put_some(unsigned most)
{
    for (unsigned n = 1 + below(most); n; n--)
        put_random();
}

/* A register in which a shape's own instruction needs a value. */
static bool may_use(unsigned reg)
{
    return !(now.fixed >> reg & 1);
}

/* By a word that lies between the jump and its target. It ends what VEX translates, which knows
 * less forms of instructions than the decoder. */
static void put_jump_by_word(void)
{
    put(0xff), put(0x25), put_bytes(4, 0);
    put_bytes(8, address(at) + 8);
}

/* rep movs or stos, or without rep; at times backwards, or one that ends by a comparison. */
static void put_string(void)
{
    static const uint8_t moves[] = {0xa4, 0xa5, 0xaa, 0xab}, others[] = {0xa6, 0xa7, 0xae, 0xaf};
    bool is_backward = !below(5);

    if (!may_use(REG_CX) || !may_use(REG_SI) || !may_use(REG_DI))
        return;
    put_address(REG_SI, offset(64));
    put_address(REG_DI, offset(64));
    put_set(REG_CX, below(2) ? below(6) : below(20));
    if (!below(4)) {
        unsigned kind = below(4);
        put(kind > 1 && below(2) ? 0xf2 : 0xf3), put(others[kind]);
        put_jump_by_word();
    } else if (is_backward) {
        put(0xfd), put(0xf3), put(moves[below(4)]), put(0xfc);
        put_jump_by_word();
    } else {
        if (below(6))
            put(0xf3);
        put(moves[below(4)]);
    }
}

static void put_part(unsigned depth);

/* A conditional jump over a part. */
static void put_branch(unsigned depth)
{
    bool is_near = below(2);
    uint8_t *where;

    if (is_near)
        put(0x0f), put(0x80 | below(16));
    else
        put(0x70 | below(16));
    where = at;
    at += is_near ? 4 : 1;
    if (is_near)
        put_part(depth);
    else
        put_some(4);
    land(where, is_near ? 4 : 1);
}

static void put_jump_back(const uint8_t *head, unsigned condition)
{
    if (below(2) && at - head < 100) {
        put(0x70 | condition);
        put((unsigned)(head - (at + 1)) & 255);
    } else {
        put(0x0f), put(0x80 | condition);
        put_distance(head);
    }
}

/* Few rounds of one block or of several; the counter ends it in different ways. */
static void put_loop(unsigned depth)
{
    enum { BELOW = 2, NOT_EQUAL = 5, GREATER = 15, NOT_SIGNED = 9 };
    const uint8_t *head;

    if (now.loops)
        return;
    now.loops++;
    now.uses_counter = true;
    put_set(now.counter, 1 + below(20));
    head = at;
    if (below(2))
        put_some(6);
    else
        put_part(depth);
    switch (below(4)) {
    case 0: /* dec */
        put_unary(0xff, 1, now.counter);
        put_jump_back(head, NOT_EQUAL);
        break;
    case 1: /* sub $1 */
        put_unary(0x83, 5, now.counter), put(1);
        put_jump_back(head, GREATER);
        break;
    case 2: /* flags live on: lea, test at the head's end */
        put_based(0x48, 0x8d, now.counter, now.counter, -1);
        put_unary(0xf7, 0, now.counter), put_bytes(4, 0x7fffffff);
        put_jump_back(head, NOT_EQUAL);
        break;
    default: /* cmp $1 before the decrement: the loop leaves with other flags */
        put_unary(0x83, 7, now.counter), put(1);
        put_based(0x48, 0x8d, now.counter, now.counter, -1);
        put_jump_back(head, 7);
        break;
    }
    now.loops--;
}

/* A jump over bytes that are no code, or into the middle of an instruction. */
static void put_jump(void)
{
    unsigned reg = free_register(), skipped = 1 + below(9);
    uint8_t *where;

    switch (below(4)) {
    case 0:
        put(0xeb), put(skipped);
        break;
    case 1:
        put(0xe9), put_bytes(4, skipped);
        break;
    case 2: /* by a register */
        put_set(reg, 0);
        where = at - 8;
        if (reg >= 8)
            put(0x41);
        put(0xff), put(0xe0 | (reg & 7));
        memcpy(where, &(uint64_t){address(at) + skipped}, 8);
        break;
    default:
        put_jump_by_word();
        return;
    }
    for (; skipped; skipped--)
        put(below(256));
}

/* An instruction whose immediate may be executed as code instead. */
static void put_overlap(void)
{
    uint8_t *inner;

    put(0x70 | below(16)), put(2);
    put_wide(0xb8, free_register());
    inner = at;
    do {
        at = inner;
        put_random();
    } while (at > inner + 8);
    while (at < inner + 8)
        put(0x90);
}

/* Code that copies must not take for the beginning of a request to Valgrind. */
static void put_rotation(void)
{
    if (!may_use(REG_DI))
        return;
    put_unary(0xc1, 0, REG_DI), put(3);
    if (!below(3))
        put_unary(0xc1, 0, REG_DI), put(12);
}

/* An instruction of 15 bytes, with an operand that is relative to RIP: it has no room for another
 * byte. */
static void put_long(void)
{
    static const uint8_t prefixes[] = {0x2e, 0x3e, 0x26, 0x36, 0x66};
    uint8_t *start = at, bytes[32];
    unsigned added;
    Insn in;

    do {
        at = start;
        do {
            make(bytes);
        } while (!cp_decode(bytes, 15, address(at), &in) || !in.rip_at);
        added = 15u - in.length;
        memset(at, prefixes[below(sizeof prefixes)], added);
        memcpy(at + added, bytes, in.length);
    } while (!cp_decode(at, 15, address(at), &in) || in.length != 15 || !is_fit(&in, at) ||
             (at += 15, !is_known(start)));
}

/*--- Functions that are called ---*/

enum { MAX_LEAVES = 3 };
static const uint8_t *leaves[MAX_LEAVES];
static unsigned n_leaves, pops[MAX_LEAVES];
static bool uses_counter[MAX_LEAVES];

static void put_direct_call(unsigned leaf)
{
    put(0xe8);
    put_distance(leaves[leaf]);
}

static void put_call(void)
{
    unsigned leaf = below(n_leaves ? n_leaves : 1), reg = free_register();

    if (!n_leaves || (now.loops && uses_counter[leaf]))
        return;
    now.uses_counter |= uses_counter[leaf];
    if (pops[leaf]) /* room for what the return takes off */
        put_based(0x48, 0x8d, REG_SP, REG_SP, -(int32_t)pops[leaf]);
    switch (below(4)) {
    case 0:
    case 1:
        put_direct_call(leaf);
        break;
    case 2:
        put_set(reg, address(leaves[leaf]));
        if (reg >= 8)
            put(0x41);
        put(0xff), put(0xd0 | (reg & 7));
        break;
    default: /* by a word in the data */
        put_set(reg, address(leaves[leaf]));
        put_based(0x48, 0x89, reg, now.pointer[0], 384);
        if (now.pointer[0] >= 8)
            put(0x41);
        put(0xff), put(0x90 | (now.pointer[0] & 7));
        if ((now.pointer[0] & 7) == REG_SP)
            put(0x24);
        put_bytes(4, 384);
        break;
    }
}

/* A return without a call: push and ret; or a call that never returns: pop. */
static void put_odd_call(void)
{
    unsigned reg = free_register();

    if (below(2)) {
        put_set(reg, address(at) + 10 + (reg >= 8 ? 2 : 1) + 1);
        if (reg >= 8)
            put(0x41);
        put(0x50 | (reg & 7));
        put(0xc3);
    } else {
        put(0xe8), put_bytes(4, 0);
        if (reg >= 8)
            put(0x41);
        put(0x58 | (reg & 7));
    }
}

/* push, some instructions, pop. */
static void put_pair(void)
{
    unsigned from = below(REGS), to = free_register();

    if (from >= 8)
        put(0x41);
    put(0x50 | (from & 7));
    put_some(3);
    if (below(4)) {
        if (to >= 8)
            put(0x41);
        put(0x58 | (to & 7));
    } else {
        put_based(0x48, 0x8d, REG_SP, REG_SP, 8);
    }
}

static void put_part(unsigned depth)
{
    put_some(5);
    if (!depth)
        return;
    switch (below(13)) {
    case 0:
        put_overlap();
        break;
    case 11:
        put_rotation();
        break;
    case 12:
        put_long();
        break;
    case 1:
    case 2:
    case 10:
        put_branch(depth - 1);
        break;
    case 3:
    case 4:
        put_loop(depth - 1);
        break;
    case 5:
        put_string();
        break;
    case 6:
        put_jump();
        break;
    case 7:
        put_pair();
        break;
    case 8:
        put_odd_call();
        break;
    default:
        put_call();
        break;
    }
}

static void put_body(unsigned parts)
{
    for (unsigned n = 1 + below(parts); n; n--)
        put_part(2);
}

/* How a function ends: it returns, or jumps to another one. */
static void put_end(unsigned leaf)
{
    unsigned other = below(n_leaves ? n_leaves : 1);

    if (n_leaves && !below(4) && !pops[other]) {
        put(0xe9);
        put_distance(leaves[other]);
        pops[leaf] = 0;
        now.uses_counter |= uses_counter[other];
    } else if (!below(8)) {
        pops[leaf] = 8 * (1 + below(3));
        put(0xc2), put_bytes(2, pops[leaf]);
    } else {
        pops[leaf] = 0;
        put(0xc3);
    }
}

static void choose_registers(void)
{
    unsigned *const roles[] = {&now.pointer[0], &now.pointer[1], &now.index, &now.bad,
                               &now.counter};

    now.fixed = 1 << REG_SP;
    now.loops = 0;
    for (unsigned i = 0; i < 5; i++) {
        *roles[i] = free_register();
        now.fixed |= 1u << *roles[i];
    }
}

/* A function's symbol. */
static void name(FILE *s, const uint8_t *start, unsigned long sequence, int leaf)
{
    fprintf(s, ".set s%lu_%d, sequences + %td\n.type s%lu_%d, @function\n.size s%lu_%d, %td\n",
            sequence, leaf, start - code, sequence, leaf, sequence, leaf, at - start);
}

static void put_sequence(FILE *s, unsigned long sequence)
{
    unsigned wanted = below(MAX_LEAVES + 1);
    const uint8_t *start;

    choose_registers();
    for (n_leaves = 0; n_leaves < wanted;) {
        start = at;
        now.uses_counter = false;
        put_body(3);
        put_end(n_leaves);
        uses_counter[n_leaves] = now.uses_counter;
        name(s, start, sequence, (int)n_leaves + 1);
        leaves[n_leaves++] = start;
    }
    start = at;
    put_body(5);
    put(0xc3);
    name(s, start, sequence, 0);
    fprintf(s, ".section .entries,\"a\"\n.long %" PRIu64 "\n.byte %u, %u, %u, %u\n.text\n",
            address(start), now.pointer[0], now.pointer[1], now.index, now.bad);
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
    char path[4096];
    FILE *s, *f;

    if (!n) {
        fprintf(stderr, "usage: sequences SEED N FOLDER\n");
        return 2;
    }
    seed += strtoull(argv[1], NULL, 10) * 7919;
    map(CODE_START, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
    map(DATA_START, PAGE, PROT_READ | PROT_WRITE);
    map(STACK_START, STACK_SIZE, PROT_READ | PROT_WRITE);
    handle(SIGSEGV, on_fault);
    handle(SIGBUS, on_fault);
    handle(SIGFPE, on_fault);
    handle(SIGILL, on_fault);
    snprintf(path, sizeof path, "%s/code.s", argv[3]);
    s = fopen(path, "w");
    snprintf(path, sizeof path, "%s/code.bin", argv[3]);
    f = fopen(path, "w");
    if (!s || !f)
        return 2;
    fprintf(s,
            ".section .note.GNU-stack,\"\"\n.section .sequences,\"ax\"\nsequences:\n.incbin "
            "\"%s\"\n.globl sequences_end\nsequences_end:\n.section .entries,\"a\"\n.globl "
            "entries\nentries:\n.text\n",
            path);
    for (unsigned long i = 0; i < n && at < code + CODE_SIZE - 65536; i++)
        put_sequence(s, i);
    fprintf(s, ".section .entries,\"a\"\n.globl entries_end\nentries_end:\n");
    fwrite(code, 1, (size_t)(at - code), f);
    return fclose(s) || fclose(f);
}
