/*
 * cp_decode.h - instructions of x86-64, as far as code that is copied needs to know them: how long
 * they are, where they lead, which registers and flags they look at and change.
 *
 * The decoder refuses what it does not know, which VEX translates then. Its answers are safe in one
 * direction: an instruction depends on no other register or flag than those of `reads` and
 * `flags_read`, changes no other register than those of `writes`, and leaves nothing of the old
 * value of a flag in `flags_killed`, or of a register that is in `writes` and not in `reads`.
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
 */
#ifndef CP_DECODE_H
#define CP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    INSN_REFUSED,
    INSN_PLAIN,  /* goes on behind itself */
    INSN_STATUS, /* goes on behind itself, and stores MXCSR */
    INSN_REPEAT, /* rep movs, rep stos, rep lods: rcx counts */
    INSN_JCC,
    INSN_JMP,
    INSN_JMP_INDIRECT,
    INSN_CALL,
    INSN_CALL_INDIRECT,
    INSN_RET
} InsnKind;

/* Flags, by their bits in the register. */
enum {
    FLAG_C = 0x001,
    FLAG_P = 0x004,
    FLAG_A = 0x010,
    FLAG_Z = 0x040,
    FLAG_S = 0x080,
    FLAG_O = 0x800,
    FLAGS_ALL = 0x8d5
};

/* Registers of 64 bits, by their numbers; a set of them has a bit for each. */
enum { REG_AX, REG_CX, REG_DX, REG_BX, REG_SP, REG_BP, REG_SI, REG_DI, REGS = 16 };

typedef enum { CODE_LEGACY, CODE_VEX, CODE_EVEX } InsnCode;

/* Offsets are in bytes from the instruction's begin; 0 stands for none. */
typedef struct {
    uint64_t address;
    const uint8_t *bytes; /* where they were decoded */
    uint64_t target;      /* of a direct jump or call; of an operand relative to RIP */
    uint8_t length;
    uint8_t kind;      /* an InsnKind */
    uint8_t code;      /* an InsnCode */
    uint8_t condition; /* of a JCC: the four low bits of its opcode */
    uint8_t rex;       /* a REX prefix's value, or 0 */
    uint8_t opcode_at; /* of the last byte of the opcode, which may be at 0 */
    uint8_t modrm_at;
    uint8_t rip_at; /* of the displacement of an operand relative to RIP */
    bool has_fs;    /* the operand in memory is relative to the base of FS */
    bool is_new;    /* VEX does not know it */
    bool has_masks; /* it uses registers that AVX-512 has brought */
    bool has_x87;   /* it uses registers of x87, or of MMX */
    bool is_locked;
    bool has_66, has_67, is_wide; /* prefixes of operands and addresses; REX.W, or W of VEX */
    bool is_256;                  /* VEX says vectors of 256 bits */
    uint8_t repeat;               /* F2, F3 or 0: the last of both */
    uint8_t map, op, modrm;       /* the opcode, and the byte behind it */
    uint8_t evex;                 /* the last byte of EVEX's prefix: z, L'L, b, V', aaa */
    int8_t short_offset;          /* a displacement of one byte; EVEX multiplies it */
    int32_t immediate;
    uint16_t pops;   /* of a RET: bytes behind the address that it takes off the stack */
    uint16_t reads;  /* registers on which something depends */
    uint16_t writes; /* registers that may change; wholly, where `reads` lacks them */
    uint16_t flags_read;
    uint16_t flags_killed; /* flags whose old value is gone, and did not matter */
} Insn;

/*
 * Decodes the instruction at `bytes`, of which `room` bytes may be read and which the program has
 * at `address`. Returns false, with the kind INSN_REFUSED, for one that is unknown, or longer than
 * the room.
 */
bool cp_decode(const uint8_t *bytes, uint32_t room, uint64_t address, Insn *in);

#endif
