/*
 * cp_opcodes.h - what an opcode's row says: which bytes follow it, and what it does with its
 * operands.
 */
#ifndef CP_OPCODES_H
#define CP_OPCODES_H

#include "cp_decode.h"

#define BIT(reg) (1u << (reg))

/* Bits of an opcode's row. G is the register that ModRM names, E its register or memory, O the
 * register in the opcode's low bits, V the one in a VEX prefix. */
enum {
    MODRM = 1 << 0,
    IMM_1 = 1 << 1,
    IMM_2 = 1 << 2,
    IMM_Z = 1 << 3, /* of 4 bytes, 2 with the operand size prefix */
    IMM_V = 1 << 4, /* as IMM_Z, 8 with REX.W */
    MOFFS = 1 << 5, /* an address of 8 bytes */
    G_R = 1 << 6,
    G_W = 1 << 7,
    E_R = 1 << 8,
    E_W = 1 << 9,
    O_R = 1 << 10,
    O_W = 1 << 11,
    V_R = 1 << 12,
    V_W = 1 << 13,
    BYTES = 1 << 14,        /* registers of 8 bits */
    E_BYTE = 1 << 15,       /* E has 8 bits, whatever the operand size */
    PREFIXED = 1 << 16,     /* 66, F2 and F3 are part of the opcode: no operand size */
    VSIB = 1 << 17,         /* the index is a vector */
    NEEDS_PREFIX = 1 << 18, /* without 66, F2 or F3 it is MMX's */
    MEMORY_ONLY = 1 << 19,
    REGISTER_ONLY = 1 << 20,
    WIDE = 1 << 21,  /* a result of 64 bits without REX.W */
    X87 = 1 << 22,   /* it uses registers of x87, or of MMX, which are the same */
    MASKS = 1 << 23, /* it uses AVX-512's registers of masks */
    NEW = 1 << 24,   /* VEX does not know it */
    REFUSED = 1 << 25
};

#define VECTOR (MODRM | PREFIXED)

typedef struct {
    uint32_t what;
    uint16_t reads, writes; /* registers that no operand names */
    uint16_t flags_read, flags_killed;
    uint8_t kind;
} Row;

/* An instruction while it is decoded. */
typedef struct {
    const uint8_t *bytes, *end, *at;
    bool has_66, has_67, has_gs;
    bool is_256;     /* VEX says vectors of 256 bits */
    uint8_t repeat;  /* F2, F3 or 0: the last of both */
    uint8_t modrm;   /* the byte behind the opcode; 0 where there is none */
    uint8_t r, x, b; /* what REX or VEX adds to the numbers of registers: 0 or 8 */
    uint8_t w, v;    /* 1: operands of 64 bits; the register that only VEX names */
    uint8_t map;     /* the opcode's: 0, 1 for 0F, 2 for 0F 38, 3 for 0F 3A */
    uint8_t op;
} Form;

/* The row of an instruction that goes on behind itself. */
#define PLAIN(...) ((Row){.kind = INSN_PLAIN, __VA_ARGS__})

/* ModRM's middle bits, which are part of some opcodes. */
static inline unsigned cp_form_group(const Form *f)
{
    return f->modrm >> 3 & 7;
}

static inline bool cp_form_is_register(const Form *f)
{
    return f->modrm >= 0xc0;
}

/* True if the form, of opcode 0F AE, is stmxcsr. */
static inline bool cp_opcode_stores_status(const Form *f)
{
    return !cp_form_is_register(f) && cp_form_group(f) == 3 && !f->repeat && !f->has_66;
}

/* The row of an opcode of the map f->map, which is 1 to 3 behind VEX, 5 and 6 too behind EVEX.
 * REFUSED is set for one that is not known. */
Row cp_opcode_legacy(const Form *f, unsigned op);
Row cp_opcode_vex(const Form *f, unsigned op);
Row cp_opcode_evex(const Form *f, unsigned op);

#endif
