/*
 * random-code.h - random instructions for sequences.c: bytes that the tool's decoder accepts, and
 * that the processor knows.
 */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include "sequences.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static uint64_t seed = 88172645463325252ULL;
enum { CODE_SIZE = 64 << 20 };
static uint8_t *const code = (uint8_t *)CODE_START;
static uint8_t *at = (uint8_t *)CODE_START;

/* The registers of the sequence that is being made; bits of those that it may not change. */
static struct {
    unsigned pointer[2], index, bad, counter;
    uint32_t fixed;
    unsigned loops; /* that are open */
    bool uses_counter;
} now;

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

/*--- Bytes ---*/

static uint64_t address(const uint8_t *p)
{
    return CODE_START + (uint64_t)(p - code);
}

static void put(unsigned byte)
{
    *at++ = (uint8_t)byte;
}

static void put_bytes(unsigned n, uint64_t bytes)
{
    memcpy(at, &bytes, n);
    at += n;
}

/* A displacement of 32 bits, from behind it. */
static void put_distance(const uint8_t *target)
{
    put_bytes(4, (uint64_t)(target - (at + 4)));
}

/* The displacement at `where` leads here. */
static void land(uint8_t *where, unsigned size)
{
    int64_t distance = at - (where + size);

    memcpy(where, &distance, size);
}

/* REX.W and an opcode, with a register in its low bits. */
static void put_wide(unsigned opcode, unsigned reg)
{
    put(0x48 | reg >> 3), put(opcode | (reg & 7));
}

/* opcode /digit on a register of 64 bits. */
static void put_unary(unsigned opcode, unsigned digit, unsigned reg)
{
    put(0x48 | reg >> 3), put(opcode), put(0xc0 | digit << 3 | (reg & 7));
}

static void put_set(unsigned reg, uint64_t number)
{
    put_wide(0xb8, reg);
    put_bytes(8, number);
}

/* ModRM of displacement(%base), of 32 bits, behind REX and the opcode. */
static void put_based(unsigned rex, unsigned opcode, unsigned reg, unsigned base, int32_t offset)
{
    put(rex | reg >> 3 << 2 | base >> 3);
    put(opcode);
    put(0x80 | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == REG_SP)
        put(0x24);
    put_bytes(4, (uint64_t)offset);
}

/* lea within the data. */
static void put_address(unsigned reg, int32_t offset)
{
    put_based(0x48, 0x8d, reg, now.pointer[below(2)], offset);
}

/*--- Random instructions ---*/

/* An offset that mostly suits aligned operands. */
static int32_t offset(unsigned range)
{
    int32_t n = (int32_t)below(2 * range) - (int32_t)range;

    return below(8) ? n & ~31 : n;
}

/* ModRM and what follows, for an operand in memory. `end`: a guess where the instruction ends. */
static uint8_t *make_memory(uint8_t *p, uint8_t *rex, uint64_t end)
{
    unsigned base = below(24) ? now.pointer[below(2)] : now.bad, reg = below(8), form = below(10);
    bool has_index = form >= 4 && form <= 6, is_short = form & 1;
    int32_t disp = offset(is_short ? 128 : 256);

    if (form == 9) { /* below the stack pointer */
        *p++ = (uint8_t)(0x44 | reg << 3);
        *p++ = 0x24;
        *p++ = (uint8_t) - (32 + 16 * below(6));
        return p;
    }
    if (form >= 7) { /* an address, or one relative to RIP */
        disp = (int32_t)(DATA_START + DATA_SIZE / 2) + disp;
        *p++ = (uint8_t)(reg << 3 | (form == 7 ? 5 : 4));
        if (form == 7)
            disp -= (int32_t)end;
        else
            *p++ = 0x25;
        memcpy(p, &disp, 4);
        return p + 4;
    }
    *rex |= (uint8_t)(base >> 3 | (has_index ? now.index >> 3 << 1 : 0));
    *p++ = (uint8_t)((is_short ? 0x40 : 0x80) | reg << 3 | (has_index ? 4 : base & 7));
    if (has_index)
        *p++ = (uint8_t)(below(4) << 6 | (now.index & 7) << 3 | (base & 7));
    else if ((base & 7) == REG_SP)
        *p++ = 0x24;
    memcpy(p, &disp, is_short ? 1 : 4);
    return p + (is_short ? 1 : 4);
}

static uint8_t *make_operand(uint8_t *p, uint8_t *rex, uint64_t end)
{
    if (below(5) < 2)
        return make_memory(p, rex, end);
    *p++ = (uint8_t)(0xc0 | below(64));
    *rex |= (uint8_t)(below(4) ? 0 : below(2));
    return p;
}

/* Prefixes, REX and opcode without VEX. Returns the place of REX, which the operand completes. */
static uint8_t *make_legacy(uint8_t **p, unsigned map)
{
    static const uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0x66, 0x67, 0xf0, 0x2e, 0x3e};
    uint8_t *rex;

    while (!below(map ? 3 : 6))
        *(*p)++ = prefixes[below(sizeof prefixes)];
    rex = (*p)++;
    *rex = (uint8_t)(0x40 | (below(2) ? 8 : 0) | (below(2) ? 4 : 0));
    if (map)
        *(*p)++ = 0x0f;
    if (map > 1)
        *(*p)++ = map == 2 ? 0x38 : 0x3a;
    do {
        **p = (uint8_t)below(256);
    } while (map == 0 ? **p == 0x0f : map == 1 && (**p == 0x38 || **p == 0x3a));
    ++*p;
    return rex;
}

static bool has_wide_form(unsigned map, unsigned op)
{
    return map == 1 ? op == 0x2a || op == 0x2c || op == 0x2d || op == 0x6e || op == 0x7e
                    : map == 2 && op >= 0x96;
}

/* VEX of three bytes, whose bits are REX's, but the other way round. */
static uint8_t *make_vex(uint8_t **p, unsigned map)
{
    uint8_t *vex = *p;

    vex[0] = 0xc4;
    vex[1] = (uint8_t)(0xe0 | map);
    vex[2] = (uint8_t)below(256);
    vex[3] = (uint8_t)(map == 2 && !below(4) ? 0xf0 + below(8) : below(256));
    if (!has_wide_form(map, vex[3])) /* VEX's translator, which may meet it, expects no W */
        vex[2] &= 0x7f;
    *p += 4;
    return vex;
}

/* Random bytes of the form of an instruction. */
static void make(uint8_t *bytes)
{
    unsigned map = below(4);
    bool is_vex = map && !below(3);
    uint8_t *p = bytes, *head = is_vex ? make_vex(&p, map) : make_legacy(&p, map), rex = 0;

    p = make_operand(p, &rex, address(at) + (uint64_t)(p - bytes) + 5);
    while (p < bytes + 24)
        *p++ = (uint8_t)below(below(2) ? 8 : 256);
    if (is_vex)
        head[1] ^= (uint8_t)((rex << 5 & 0x60) | (below(2) ? 0x80 : 0));
    else
        *head |= rex;
}

static bool is_memory(const Insn *in, const uint8_t *bytes)
{
    return in->modrm_at && bytes[in->modrm_at] < 0xc0;
}

/* bt and the like reach far from their operand in memory, by a register. */
static bool reaches_far(const Insn *in, const uint8_t *bytes)
{
    unsigned op = bytes[in->opcode_at], reg = (bytes[in->modrm_at] >> 3 & 7u) + (in->rex & 4) * 2;

    return in->code == CODE_LEGACY && in->opcode_at && bytes[in->opcode_at - 1] == 0x0f &&
           (op == 0xa3 || op == 0xab || op == 0xb3 || op == 0xbb) && is_memory(in, bytes) &&
           reg != now.index;
}

/* A gather, whose addresses are in vectors; maskmovdqu, xlat and moves of an address of 64 bits. */
static bool has_other_address(const Insn *in, const uint8_t *bytes)
{
    unsigned op = bytes[in->opcode_at];

    if (in->code == CODE_VEX && in->map == 2)
        return op >= 0x90 && op <= 0x93;
    if (in->code == CODE_LEGACY && !in->modrm_at)
        return op == 0xd7 || (op >= 0xa0 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf);
    return op == 0xf7 &&
           (in->code == CODE_VEX || (in->opcode_at && bytes[in->opcode_at - 1] == 0x0f));
}

/* On mask registers, which nothing sets before. */
static bool is_mask(const Insn *in, const uint8_t *bytes)
{
    unsigned op = bytes[in->opcode_at];

    return in->code == CODE_VEX && in->map == 1 &&
           ((op >= 0x41 && op <= 0x4b) || (op >= 0x90 && op <= 0x99));
}

/* fldcw and the like, which may unmask exceptions; fnstenv and the like, which store the address of
 * the last instruction of x87, which was a copy's. */
static bool is_environment(const Insn *in, const uint8_t *bytes)
{
    unsigned op = bytes[in->opcode_at];

    return in->code == CODE_LEGACY && is_memory(in, bytes) && (op == 0xd9 || op == 0xdd) &&
           bytes[in->modrm_at] & 0x20 && !(in->opcode_at && bytes[in->opcode_at - 1] == 0x0f) &&
           (bytes[in->modrm_at] & 0x38) != 0x38;
}

/* True if the instruction may stand anywhere. It may not change what the others rely on. */
static bool is_fit(const Insn *in, const uint8_t *bytes)
{
    enum { SP = 1 << REG_SP };

    if (in->kind != INSN_PLAIN || in->code == CODE_EVEX || in->has_fs)
        return false;
    if (in->writes & now.fixed || in->writes & SP || (in->reads & SP && !is_memory(in, bytes)))
        return false;
    if (is_memory(in, bytes) && in->reads & SP && bytes[in->modrm_at] >> 6 != 1)
        return false;
    if (in->rip_at && (in->target < DATA_START || in->target >= DATA_START + DATA_SIZE))
        return false;
    return !is_mask(in, bytes) && !is_environment(in, bytes) && !reaches_far(in, bytes) &&
           !has_other_address(in, bytes);
}

static bool is_unknown; /* to the processor */

static void on_fault(int signal, siginfo_t *info, void *context)
{
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)info;
    is_unknown = signal == SIGILL;
    g[REG_RIP] = (greg_t)run_end;
}

/* Executes the instruction before `at`, which begins at `start`. */
static bool is_known(const uint8_t *start)
{
    const uint8_t *end = at;

    put(0xff), put(0x25), put_bytes(4, 0), put_bytes(8, (uint64_t)run_end);
    at -= at - end;
    for (unsigned i = 0; i < REGS; i++)
        state.regs[i] = DATA_START + 768;
    state.regs[REG_SP] = STACK_START + STACK_SIZE / 2;
    state.regs[now.index] = 0;
    state.regs[now.bad] = 16;
    state.flags = 0x202;
    state.entry = address(start);
    is_unknown = false;
    run();
    return !is_unknown;
}

static void put_random(void)
{
    uint8_t *start = at;
    Insn in;

    do {
        at = start;
        do {
            make(at);
        } while (!cp_decode(at, 15, address(at), &in) || !is_fit(&in, at));
        at += in.length;
    } while (!is_known(start) && below(500));
}

#endif
