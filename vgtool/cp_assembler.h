/*
 * cp_assembler.h - writes machine code of x86-64, one instruction a call: those few that the tool
 * puts between the program's own.
 *
 * Operands of 64 bits, where a name does not say otherwise. Registers have their numbers of
 * cp_decode.h. The tool's code and data, and all code that is written, lie below 2 GB, so that an
 * address fits a displacement or an immediate of 32 bits. Encodings: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2.
 */
#ifndef CP_ASSEMBLER_H
#define CP_ASSEMBLER_H

#include "cp_decode.h"
#include "cp_tool.h"

/* A place in memory: displacement(%base), or an address where there is no base. */
typedef struct {
    UInt base;
    Int displacement;
} Mem;

enum { NO_BASE = REGS };

/* Where the next byte goes. */
extern UChar *cp_code;

static inline UInt cp_low(const volatile void *address)
{
    return (UInt)(Addr)address;
}

static inline Mem cp_at(const volatile void *address)
{
    return (Mem){NO_BASE, (Int)cp_low(address)};
}

static inline Mem cp_off(UInt base, SizeT displacement)
{
    return (Mem){base, (Int)displacement};
}

static inline void cp_put(UInt byte)
{
    *cp_code++ = (UChar)byte;
}

static inline void cp_put_word(UInt word)
{
    __builtin_memcpy(cp_code, &word, sizeof word);
    cp_code += sizeof word;
}

static inline void cp_put_long(ULong number)
{
    __builtin_memcpy(cp_code, &number, sizeof number);
    cp_code += sizeof number;
}

/* The next address that is a multiple of 16; code goes on there. */
static inline const UChar *cp_put_aligned(void)
{
    cp_code = (UChar *)(((Addr)cp_code + 15) & ~15UL);
    return cp_code;
}

/* ModRM and what follows it. */
static inline void cp_put_operand(UInt reg, Mem m)
{
    UInt field = (reg & 7) << 3;

    if (m.base == NO_BASE) {
        cp_put(field | 4);
        cp_put(0x25);
        cp_put_word((UInt)m.displacement);
        return;
    }
    cp_put((m.displacement == (signed char)m.displacement ? 0x40 : 0x80) | field | (m.base & 7));
    if ((m.base & 7) == REG_SP)
        cp_put(0x24);
    if (m.displacement == (signed char)m.displacement)
        cp_put((UInt)m.displacement & 255);
    else
        cp_put_word((UInt)m.displacement);
}

/* REX, with W where `wide`; left out where it says nothing. */
static inline void cp_put_rex(Bool wide, UInt reg, UInt base)
{
    UInt rex = (wide ? 8 : 0) | (reg & 8) >> 1 | (base < REGS ? (base & 8) >> 3 : 0);

    if (rex)
        cp_put(0x40 | rex);
}

/* An instruction of one opcode byte on a register and memory. */
static inline void cp_put_op(Bool wide, UInt opcode, UInt reg, Mem m)
{
    cp_put_rex(wide, reg, m.base);
    cp_put(opcode);
    cp_put_operand(reg, m);
}

static inline void cp_put_load(UInt reg, Mem m)
{
    cp_put_op(True, 0x8b, reg, m);
}

static inline void cp_put_store(Mem m, UInt reg)
{
    cp_put_op(True, 0x89, reg, m);
}

/* Loads and stores of 32 bits; a load clears the upper half. */
static inline void cp_put_load_32(UInt reg, Mem m)
{
    cp_put_op(False, 0x8b, reg, m);
}

static inline void cp_put_store_32(Mem m, UInt reg)
{
    cp_put_op(False, 0x89, reg, m);
}

/* An instruction of one opcode byte, or of two that begin with 0F, on a register and an element of
 * a table, of 1 << scale bytes. */
static inline void cp_put_indexed(Bool wide, UInt opcode, UInt reg, UInt index, UInt scale,
                                  const volatile void *table)
{
    UInt rex = (wide ? 8 : 0) | (reg & 8) >> 1 | (index & 8) >> 2;

    if (rex)
        cp_put(0x40 | rex);
    if (opcode >> 8)
        cp_put(opcode >> 8);
    cp_put(opcode & 255);
    cp_put((reg & 7) << 3 | 4);
    cp_put(scale << 6 | (index & 7) << 3 | 5);
    cp_put_word(cp_low(table));
}

/* An immediate of 32 bits, whose sign is extended. */
static inline void cp_put_store_number(Mem m, UInt number)
{
    cp_put_op(True, 0xc7, 0, m);
    cp_put_word(number);
}

static inline void cp_put_lea(UInt reg, Mem m)
{
    cp_put_op(True, 0x8d, reg, m);
}

static inline void cp_put_lea_32(UInt reg, Mem m)
{
    cp_put_op(False, 0x8d, reg, m);
}

/* lea number(base, index << scale), reg; base may be NO_BASE */
static inline void cp_put_lea_indexed(Bool wide, UInt reg, UInt base, UInt index, UInt scale,
                                      Int number)
{
    Bool is_short = number == (signed char)number, has_base = base != NO_BASE;
    UInt mod = !has_base || (!number && (base & 7) != REG_BP) ? 0 : is_short ? 0x40 : 0x80;
    UInt rex = (wide ? 8 : 0) | (reg & 8) >> 1 | (index & 8) >> 2 | (has_base ? base >> 3 : 0);

    if (rex)
        cp_put(0x40 | rex);
    cp_put(0x8d);
    cp_put(mod | (reg & 7) << 3 | 4);
    cp_put(scale << 6 | (index & 7) << 3 | (has_base ? base & 7 : REG_BP));
    if (mod == 0x40)
        cp_put((UInt)number & 255);
    else if (mod == 0x80 || !has_base)
        cp_put_word((UInt)number);
}

/* cmp reg, m */
static inline void cp_put_compare(UInt reg, Mem m)
{
    cp_put_op(True, 0x3b, reg, m);
}

/* Operations with an immediate, by their number in ModRM. */
enum { OP_ADD = 0, OP_AND = 4, OP_SUB = 5, OP_CMP = 7 };

static inline void cp_put_number_op(Bool wide, UInt op, Mem m, Int number)
{
    Bool is_short = number == (signed char)number;

    cp_put_op(wide, is_short ? 0x83 : 0x81, op, m);
    if (is_short)
        cp_put((UInt)number & 255);
    else
        cp_put_word((UInt)number);
}

/* cmp of a byte and a number */
static inline void cp_put_byte_compare(Mem m, UInt number)
{
    cp_put_op(False, 0x80, OP_CMP, m);
    cp_put(number);
}

/* A number of 64 bits, by the shortest way. */
static inline void cp_put_set(UInt reg, ULong number)
{
    Bool is_wide = number >> 32;

    cp_put_rex(is_wide, 0, reg);
    cp_put(0xb8 | (reg & 7));
    if (is_wide)
        cp_put_long(number);
    else
        cp_put_word((UInt)number);
}

static inline void cp_put_push(UInt reg)
{
    cp_put_rex(False, 0, reg);
    cp_put(0x50 | (reg & 7));
}

static inline void cp_put_pop(UInt reg)
{
    cp_put_rex(False, 0, reg);
    cp_put(0x58 | (reg & 7));
}

/* mov to, from */
static inline void cp_put_move(UInt to, UInt from)
{
    cp_put_rex(True, from, to);
    cp_put(0x89);
    cp_put(0xc0 | (from & 7) << 3 | (to & 7));
}

/* Moves of 32 bits clear the upper half. */
static inline void cp_put_move_32(UInt to, UInt from)
{
    cp_put_rex(False, from, to);
    cp_put(0x89);
    cp_put(0xc0 | (from & 7) << 3 | (to & 7));
}

static inline void cp_put_shift_right_32(UInt reg, UInt bits)
{
    cp_put_rex(False, 0, reg);
    cp_put(0xc1);
    cp_put(0xe8 | (reg & 7));
    cp_put(bits);
}

static inline void cp_put_and_32(UInt reg, UInt number)
{
    if (reg == REG_AX) {
        cp_put(0x25);
        cp_put_word(number);
        return;
    }
    cp_put_rex(False, 0, reg);
    cp_put(0x81);
    cp_put(0xe0 | (reg & 7));
    cp_put_word(number);
}

/* cmp $number, reg */
static inline void cp_put_compare_number(UInt reg, UInt number)
{
    Bool is_short = number < 128;

    cp_put_rex(True, 0, reg);
    cp_put(is_short ? 0x83 : 0x81);
    cp_put(0xf8 | (reg & 7));
    if (is_short)
        cp_put(number);
    else
        cp_put_word(number);
}

/* test reg, reg */
static inline void cp_put_test(UInt reg)
{
    cp_put_rex(True, reg, reg);
    cp_put(0x85);
    cp_put(0xc0 | (reg & 7) << 3 | (reg & 7));
}

/* testl $number, m */
static inline void cp_put_test_number(Mem m, UInt number)
{
    cp_put_op(False, 0xf7, 0, m);
    cp_put_word(number);
}

/* Flags in rax: those that lahf takes, and O. The second one gives them back. */
static inline void cp_put_flags_to_ax(void)
{
    cp_put(0x9f);                             /* lahf */
    cp_put(0x0f), cp_put(0x90), cp_put(0xc0); /* seto %al */
}

static inline void cp_put_flags_from_ax(void)
{
    cp_put(0x04), cp_put(0x7f); /* add $127, %al: overflows where it is 1 */
    cp_put(0x9e);               /* sahf */
}

/* Conditions of jumps. */
enum {
    IF_BELOW = 2,
    IF_NOT_BELOW = 3,
    IF_EQUAL = 4,
    IF_NOT_EQUAL = 5,
    IF_ABOVE = 7,
    IF_AT_MOST = 14,
    IF_GREATER = 15
};

/* A jump whose target comes later; returns its displacement's place, for cp_put_here() or
 * cp_link(). */
static inline UChar *cp_put_jump_later(void)
{
    cp_put(0xe9);
    cp_code += 4;
    return cp_code - 4;
}

static inline UChar *cp_put_jcc_later(UInt condition)
{
    cp_put(0x0f), cp_put(0x80 | condition);
    cp_code += 4;
    return cp_code - 4;
}

/* Makes a jump lead to an address. */
static inline void cp_link(UChar *at, const void *to)
{
    Int distance = (Int)((const UChar *)to - (at + 4));

    __builtin_memcpy(at, &distance, sizeof distance);
}

static inline void cp_put_here(UChar *at)
{
    cp_link(at, cp_code);
}

static inline void cp_put_jump(const void *to)
{
    cp_link(cp_put_jump_later(), to);
}

static inline void cp_put_call(const void *to)
{
    cp_put(0xe8);
    cp_code += 4;
    cp_link(cp_code - 4, to);
}

static inline void cp_put_jcc(UInt condition, const void *to)
{
    cp_link(cp_put_jcc_later(condition), to);
}

static inline void cp_put_load_mxcsr(Mem m)
{
    cp_put(0x0f);
    cp_put_op(False, 0xae, 2, m);
}

/* jmp *m */
static inline void cp_put_jump_to_word(Mem m)
{
    cp_put_op(False, 0xff, 4, m);
}

/* REX.X and REX.B of the instruction; VEX has them inverted, in its form of three bytes. */
static inline UInt cp_extension(const Insn *in)
{
    UInt byte;

    if (in->code == CODE_LEGACY)
        return in->rex & 3u;
    byte = in->bytes[in->opcode_at - 2];
    return byte == 0xc5 ? 0 : ~byte >> 5 & 3u;
}

/* Bytes of an operand behind ModRM: SIB and displacement. */
static inline UInt cp_operand_size(const UChar *modrm)
{
    UInt mod = modrm[0] >> 6, size = mod == 1 ? 1 : mod == 2 ? 4 : 0;

    if (mod == 3 || (modrm[0] & 7) != REG_SP)
        return size;
    return 1 + (!mod && (modrm[1] & 7) == REG_BP ? 4 : size);
}

/* An operand in memory: base + (index << scale) + number; NO_BASE: there is no such register. */
typedef struct {
    UInt base, index, scale;
    Int number;
} Operand;

/* The operand of an instruction, but for FS. */
static inline Operand cp_operand(const Insn *in)
{
    const UChar *modrm = in->bytes + in->modrm_at, *at = modrm + 1;
    UInt mod = modrm[0] >> 6, base = modrm[0] & 7u;
    Operand o = {.index = NO_BASE};

    if (in->rip_at)
        return (Operand){NO_BASE, NO_BASE, 0, (Int)in->target};
    if (base == REG_SP) {
        UInt index = (*at >> 3 & 7u) | (cp_extension(in) & 2) << 2;
        base = *at & 7u;
        o.scale = *at++ >> 6;
        o.index = index == REG_SP ? NO_BASE : index;
    }
    o.base = mod || base != REG_BP ? base | (cp_extension(in) & 1) << 3 : NO_BASE;
    if (mod == 2 || o.base == NO_BASE)
        __builtin_memcpy(&o.number, at, sizeof o.number);
    else if (mod == 1)
        o.number = (signed char)*at;
    return o;
}

/* An instruction of one opcode byte on a register, and on the operand in memory that another
 * instruction has in ModRM. */
static inline void cp_put_access(const Insn *in, Bool wide, UInt opcode, UInt reg)
{
    const UChar *modrm = in->bytes + in->modrm_at;
    UInt rex = (wide ? 8u : 0) | (reg & 8) >> 1 | cp_extension(in), size = cp_operand_size(modrm);

    if (in->has_fs)
        cp_put(0x64);
    if (in->has_67)
        cp_put(0x67);
    if (rex)
        cp_put(0x40 | rex);
    cp_put(opcode);
    if (in->rip_at) {
        cp_put_operand(reg, (Mem){NO_BASE, (Int)in->target});
        return;
    }
    cp_put((modrm[0] & 0xc7u) | (reg & 7) << 3);
    for (UInt i = 1; i <= size; i++)
        cp_put(modrm[i]);
}

#endif
