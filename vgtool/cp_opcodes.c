/*
 * cp_opcodes.c - the rows of opcodes without VEX, by their maps.
 *
 * Tables of opcodes are switches here, since most rows are ranges. The rows are meant for code of
 * compilers: segment registers, port and privileged instructions are refused, and so is
 * what depends on the clock, on random numbers, or on the processor's model. Flags that the manual
 * calls undefined count as killed where processors compute them, and not where some leave them.
 */
#include "cp_opcodes.h"

/* stmxcsr */
#define STATUS ((Row){.kind = INSN_STATUS, .what = VECTOR | MEMORY_ONLY})

#define REFUSE ((Row){.what = REFUSED})

static Row cp_opcode_x87(const Form *f, unsigned op);

static uint16_t condition_flags(unsigned condition)
{
    static const uint16_t flags[8] = {FLAG_O, FLAG_C, FLAG_Z,          FLAG_C | FLAG_Z,
                                      FLAG_S, FLAG_P, FLAG_S | FLAG_O, FLAG_S | FLAG_O | FLAG_Z};

    return flags[condition >> 1 & 7];
}

/*--- Opcodes of one byte ---*/

/* add, or, adc, sbb, and, sub, xor, cmp. */
static Row arithmetic(unsigned operation, uint32_t what)
{
    Row r = {.what = what, .kind = INSN_PLAIN, .flags_killed = FLAGS_ALL};

    if (operation == 2 || operation == 3)
        r.flags_read = FLAG_C;
    if (operation == 7)
        r.what &= ~(uint32_t)(G_W | E_W);
    return r;
}

static Row arithmetic_row(unsigned op)
{
    static const uint32_t what[6] = {MODRM | BYTES | E_R | E_W | G_R,
                                     MODRM | E_R | E_W | G_R,
                                     MODRM | BYTES | G_R | G_W | E_R,
                                     MODRM | G_R | G_W | E_R,
                                     IMM_1,
                                     IMM_Z};
    Row r;

    if ((op & 7) > 5)
        return REFUSE;
    r = arithmetic(op >> 3, what[op & 7]);
    if ((op & 7) > 3) {
        r.reads = BIT(REG_AX);
        r.writes = (uint16_t)(op >> 3 == 7 ? 0 : BIT(REG_AX));
    }
    return r;
}

/* Shifts and rotations. A count of zero changes no flag. */
static Row shift(const Form *f, uint32_t what, bool is_never_zero)
{
    Row r = PLAIN(.what = what | MODRM | E_R | E_W);

    if (cp_form_group(f) == 2 || cp_form_group(f) == 3)
        r.flags_read = FLAG_C;
    else if (is_never_zero)
        r.flags_killed = cp_form_group(f) < 4 ? FLAG_C : FLAGS_ALL;
    return r;
}

/* test, not, neg, mul, imul, div, idiv. */
static Row group_f6(const Form *f, uint32_t what)
{
    Row r = {.what = what | MODRM | E_R, .kind = INSN_PLAIN, .flags_killed = FLAGS_ALL};

    switch (cp_form_group(f)) {
    case 0:
    case 1:
        r.what |= what & BYTES ? IMM_1 : IMM_Z;
        return r;
    case 2:
        r.flags_killed = 0;
        r.what |= E_W;
        return r;
    case 3:
        r.what |= E_W;
        return r;
    case 4:
    case 5: /* S, Z, A and P are undefined, and some processors leave them */
        r.flags_killed = FLAG_C | FLAG_O;
        r.reads = BIT(REG_AX) | (f->has_66 && !f->w ? BIT(REG_DX) : 0);
        break;
    default:
        r.flags_killed = 0;
        r.reads = BIT(REG_AX) | (what & BYTES ? 0 : BIT(REG_DX));
        break;
    }
    r.writes = BIT(REG_AX) | (what & BYTES ? 0 : BIT(REG_DX));
    return r;
}

/* inc, dec, calls and jumps by a register or memory, push. */
static Row group_fe(const Form *f, uint32_t what)
{
    Row r = PLAIN(.what = what | MODRM | E_R);

    switch (cp_form_group(f)) {
    case 0:
    case 1:
        r.what |= E_W;
        r.flags_killed = FLAGS_ALL & ~FLAG_C;
        return r;
    case 2:
        r.kind = INSN_CALL_INDIRECT;
        break;
    case 4:
        r.kind = INSN_JMP_INDIRECT;
        r.what |= WIDE;
        return what & BYTES ? REFUSE : r;
    case 6:
        break;
    default:
        return REFUSE;
    }
    r.what |= WIDE;
    r.reads = r.writes = BIT(REG_SP);
    return what & BYTES ? REFUSE : r;
}

static Row strings(const Form *f, unsigned op)
{
    enum { SI = BIT(REG_SI), DI = BIT(REG_DI), AX = BIT(REG_AX) };
    Row r = {.kind = INSN_PLAIN};

    switch (op & ~1u) {
    case 0xa4: /* movs */
        r.reads = r.writes = SI | DI;
        break;
    case 0xa6: /* cmps */
        r.reads = r.writes = SI | DI;
        r.flags_killed = FLAGS_ALL;
        break;
    case 0xaa: /* stos */
        r.reads = DI | AX;
        r.writes = DI;
        break;
    case 0xac: /* lods */
        r.reads = SI | AX;
        r.writes = SI | AX;
        break;
    default: /* scas */
        r.reads = DI | AX;
        r.writes = DI;
        r.flags_killed = FLAGS_ALL;
        break;
    }
    if (f->has_67 || (f->repeat && (f->repeat == 0xf2 || r.flags_killed)))
        return REFUSE;
    if (f->repeat) {
        r.kind = INSN_REPEAT;
        r.what |= (op & ~1u) == 0xac ? NEW : 0; /* VEX makes one repetition alone */
        r.reads |= BIT(REG_CX);
        r.writes |= BIT(REG_CX);
    }
    return r;
}

static Row one_byte(const Form *f, unsigned op)
{
    enum { AX = BIT(REG_AX), DX = BIT(REG_DX), SP = BIT(REG_SP), BP = BIT(REG_BP) };

    switch (op) {
    case 0x00 ... 0x3f:
        return arithmetic_row(op);
    case 0x50 ... 0x57: /* push */
        return PLAIN(.what = O_R | WIDE, .reads = SP, .writes = SP);
    case 0x58 ... 0x5f: /* pop */
        return PLAIN(.what = O_W | WIDE, .reads = SP, .writes = SP);
    case 0x63: /* movsxd */
        return PLAIN(.what = MODRM | G_W | E_R);
    case 0x68:
        return PLAIN(.what = IMM_Z, .reads = SP, .writes = SP);
    case 0x6a:
        return PLAIN(.what = IMM_1, .reads = SP, .writes = SP);
    case 0x69: /* imul */
    case 0x6b:
        return PLAIN(.what = MODRM | G_W | E_R | (op == 0x69 ? IMM_Z : IMM_1),
                     .flags_killed = FLAG_C | FLAG_O);
    case 0x70 ... 0x7f:
        return (Row){.what = IMM_1, .kind = INSN_JCC, .flags_read = condition_flags(op)};
    case 0x80:
        return arithmetic(cp_form_group(f), MODRM | BYTES | E_R | E_W | IMM_1);
    case 0x81:
        return arithmetic(cp_form_group(f), MODRM | E_R | E_W | IMM_Z);
    case 0x83:
        return arithmetic(cp_form_group(f), MODRM | E_R | E_W | IMM_1);
    case 0x84: /* test */
    case 0x85:
        return PLAIN(.what = MODRM | E_R | G_R | (op == 0x84 ? BYTES : 0),
                     .flags_killed = FLAGS_ALL);
    case 0x86: /* xchg */
    case 0x87:
        return PLAIN(.what = MODRM | E_R | E_W | G_R | G_W | (op == 0x86 ? BYTES : 0));
    case 0x88:
        return PLAIN(.what = MODRM | BYTES | E_W | G_R);
    case 0x89:
        return PLAIN(.what = MODRM | E_W | G_R);
    case 0x8a:
        return PLAIN(.what = MODRM | BYTES | G_W | E_R);
    case 0x8b:
        return PLAIN(.what = MODRM | G_W | E_R);
    case 0x8d: /* lea */
        return PLAIN(.what = MODRM | G_W | MEMORY_ONLY);
    case 0x8f: /* pop */
        if (cp_form_group(f))
            return REFUSE;
        return PLAIN(.what = MODRM | E_W | WIDE, .reads = SP, .writes = SP);
    case 0x90 ... 0x97: /* nop, pause; xchg */
        if (op == 0x90 && !f->b)
            return PLAIN();
        return PLAIN(.what = O_R | O_W, .reads = AX, .writes = AX);
    case 0x98: /* cbw, cwde, cdqe */
        return PLAIN(.reads = AX, .writes = AX);
    case 0x99: /* cwd, cdq, cqo */
        return PLAIN(.reads = AX | DX, .writes = DX);
    case 0x9e: /* sahf */
        return PLAIN(.reads = AX, .flags_killed = FLAGS_ALL & ~FLAG_O);
    case 0x9f: /* lahf */
        return PLAIN(.reads = AX, .writes = AX, .flags_read = FLAGS_ALL & ~FLAG_O);
    case 0xa0: /* mov between rax and an address of 64 bits */
    case 0xa1:
        return PLAIN(.what = MOFFS, .reads = AX, .writes = AX);
    case 0xa2:
    case 0xa3:
        return PLAIN(.what = MOFFS, .reads = AX);
    case 0xa4 ... 0xa7:
    case 0xaa ... 0xaf:
        return strings(f, op);
    case 0xa8: /* test */
    case 0xa9:
        return PLAIN(.what = op == 0xa8 ? IMM_1 : IMM_Z, .reads = AX, .flags_killed = FLAGS_ALL);
    case 0xb0 ... 0xb7:
        return PLAIN(.what = O_W | BYTES | IMM_1);
    case 0xb8 ... 0xbf:
        return PLAIN(.what = O_W | IMM_V);
    case 0xc0:
    case 0xc1: /* the count, an immediate, is looked at later */
        return shift(f, IMM_1 | (op == 0xc0 ? BYTES : 0), true);
    case 0xd0:
    case 0xd1:
        return shift(f, op == 0xd0 ? BYTES : 0, true);
    case 0xd2:
    case 0xd3: {
        Row r = shift(f, op == 0xd2 ? BYTES : 0, false);
        r.reads = BIT(REG_CX);
        return r;
    }
    case 0xc2:
        return (Row){.what = IMM_2, .kind = INSN_RET, .reads = SP, .writes = SP};
    case 0xc3:
        return (Row){.kind = INSN_RET, .reads = SP, .writes = SP};
    case 0xc6:
    case 0xc7:
        if (cp_form_group(f))
            return REFUSE;
        return PLAIN(.what = MODRM | E_W | (op == 0xc6 ? BYTES | IMM_1 : IMM_Z));
    case 0xc9: /* leave */
        return PLAIN(.reads = BP, .writes = BP | SP);
    case 0xd8 ... 0xdf:
        return cp_opcode_x87(f, op);
    case 0x9b: /* fwait */
        return PLAIN(.what = X87);
    case 0xd7: /* xlat */
        return PLAIN(.reads = AX | BIT(REG_BX), .writes = AX);
    case 0xe8:
        return (Row){.what = IMM_Z, .kind = INSN_CALL, .reads = SP, .writes = SP};
    case 0xe9:
        return (Row){.what = IMM_Z, .kind = INSN_JMP};
    case 0xeb:
        return (Row){.what = IMM_1, .kind = INSN_JMP};
    case 0xf5: /* cmc */
        return PLAIN(.flags_read = FLAG_C);
    case 0xf8: /* clc, stc */
    case 0xf9:
        return PLAIN(.flags_killed = FLAG_C);
    case 0xf6:
        return group_f6(f, BYTES);
    case 0xf7:
        return group_f6(f, 0);
    case 0xfe:
        return group_fe(f, BYTES);
    case 0xff:
        return group_fe(f, 0);
    default:
        return REFUSE;
    }
}

/*--- Opcodes behind 0F ---*/

/* bt, bts, btr, btc. Z stays; the others are undefined, and some processors leave them. */
static Row bit_test(unsigned operation, uint32_t what)
{
    return PLAIN(.what = what | MODRM | E_R | (operation ? E_W : 0), .flags_killed = FLAG_C);
}

/* bsf and bsr, which leave the register where the source is 0; tzcnt and lzcnt with F3. */
static Row scan(const Form *f)
{
    if (f->repeat == 0xf3)
        return PLAIN(.what = MODRM | G_W | E_R, .flags_killed = FLAG_C | FLAG_Z);
    return PLAIN(.what = MODRM | G_R | G_W | E_R, .flags_killed = FLAG_Z);
}

/* Fences, and hints on lines of the cache. */
static Row group_ae(const Form *f)
{
    if (cp_opcode_stores_status(f))
        return STATUS;
    if (cp_form_is_register(f) ? cp_form_group(f) < 5 || f->repeat || f->has_66
                               : cp_form_group(f) != 7 || f->repeat || f->has_66)
        return REFUSE;
    return PLAIN(.what = MODRM | E_R | WIDE);
}

/* True if a vector instruction of the 0F map has an immediate byte. */
static bool vector_has_immediate(unsigned op)
{
    return (op >= 0x70 && op <= 0x73) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
}

/* Vector instructions of the 0F map, with the general registers among their operands. */
static Row vector(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = VECTOR | (vector_has_immediate(op) ? IMM_1 : 0));

    switch (op) {
    case 0x2a: /* cvtsi2sd */
        r.what |= E_R;
        break;
    case 0x2c: /* cvttsd2si, cvtsd2si */
    case 0x2d:
        r.what |= G_W;
        break;
    case 0x2e: /* ucomisd, comisd */
    case 0x2f:
        r.flags_killed = FLAGS_ALL;
        break;
    case 0x50: /* movmskpd, pmovmskb */
    case 0xd7:
        r.what |= G_W | REGISTER_ONLY;
        break;
    case 0x6e: /* movd */
        r.what |= E_R;
        break;
    case 0x7e: /* movd, but movq between vectors with F3 */
        r.what |= f->repeat == 0xf3 ? 0 : E_W;
        break;
    case 0xc4: /* pinsrw */
        r.what |= E_R;
        break;
    case 0xc5: /* pextrw */
        r.what |= G_W | REGISTER_ONLY;
        break;
    case 0xf7: /* maskmovdqu */
        r.reads = BIT(REG_DI);
        r.what |= REGISTER_ONLY;
        break;
    default:
        break;
    }
    return r;
}

/* True where the instruction of the 0F map is one of vectors. */
static bool cp_opcode_is_vector(unsigned op)
{
    return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) || (op >= 0x50 && op <= 0x76) ||
           (op >= 0x7c && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ||
           (op >= 0xd0 && op <= 0xfe);
}

/* True where the instruction of the 0F map works on MMX's registers without a prefix. */
static bool is_mmx(const Form *f, unsigned op)
{
    bool has_prefix = f->has_66 || f->repeat;

    if (op == 0x2a || op == 0x2c || op == 0x2d)
        return !f->repeat; /* with 66: between MMX's and vectors */
    if (op == 0xd6)
        return f->repeat != 0; /* movdq2q, movq2dq */
    return !has_prefix && ((op >= 0x60 && op <= 0x76) || (op >= 0x7c && op <= 0x7f) ||
                           (op >= 0xd0 && op <= 0xfe) || op == 0xc4 || op == 0xc5);
}

static Row cp_opcode_vector(const Form *f, unsigned op)
{
    return f->map == 1 && is_mmx(f, op) ? REFUSE : vector(f, op);
}

/* True for an opcode of MMX's that needs a prefix, which is another instruction. */
static bool needs_prefix(unsigned op)
{
    return op == 0x6c || op == 0x6d || op == 0x7c || op == 0x7d || op == 0xd0 || op == 0xe6 ||
           op == 0xf0;
}

static Row mmx(const Form *f, unsigned op)
{
    Row r = vector(f, op);

    if (op == 0x2a || op == 0x2c || op == 0x2d)
        r.what &= ~(uint32_t)(E_R | G_W);
    r.what |= X87;
    return needs_prefix(op) ? REFUSE : r;
}

static Row two_bytes(const Form *f, unsigned op)
{
    enum { AX = BIT(REG_AX), CX = BIT(REG_CX), DX = BIT(REG_DX), BX = BIT(REG_BX) };
    uint32_t bytes = op & 1 ? 0 : BYTES;

    if (cp_opcode_is_vector(op))
        return is_mmx(f, op) ? mmx(f, op) : vector(f, op);
    switch (op) {
    case 0x0d:          /* prefetchw */
    case 0x18 ... 0x1d: /* prefetch, and hints that were nothing on older processors */
    case 0x1f:
        return PLAIN(.what = MODRM | E_R);
    case 0x1e: /* endbr64 and other hints; rdsspq changes its register where shadow stacks are on */
        if (f->repeat == 0xf3 && f->modrm != 0xfa)
            return REFUSE;
        return PLAIN(.what = MODRM | E_R);
    case 0x40 ... 0x4f: /* cmov: of 32 bits it clears the upper half in any case */
        return PLAIN(.what = MODRM | G_R | G_W | E_R, .flags_read = condition_flags(op));
    case 0x77: /* emms */
        return f->has_66 || f->repeat ? REFUSE : PLAIN(.what = X87);
    case 0x80 ... 0x8f:
        return (Row){.what = IMM_Z, .kind = INSN_JCC, .flags_read = condition_flags(op)};
    case 0x90 ... 0x9f: /* set */
        return PLAIN(.what = MODRM | BYTES | E_W, .flags_read = condition_flags(op));
    case 0xa3:
    case 0xab:
    case 0xb3:
    case 0xbb:
        return bit_test(op >> 3 & 3 ? 1 : op != 0xa3, G_R);
    case 0xba:
        return cp_form_group(f) < 4 ? REFUSE : bit_test(cp_form_group(f) - 4, IMM_1);
    case 0xa4: /* shld, shrd */
    case 0xac:
        return PLAIN(.what = MODRM | E_R | E_W | G_R | IMM_1,
                     .flags_killed = FLAGS_ALL & ~FLAG_O & ~FLAG_A);
    case 0xa5:
    case 0xad:
        return PLAIN(.what = MODRM | E_R | E_W | G_R, .reads = CX);
    case 0xae:
        return group_ae(f);
    case 0xaf: /* imul */
        return PLAIN(.what = MODRM | G_R | G_W | E_R, .flags_killed = FLAG_C | FLAG_O);
    case 0xb0: /* cmpxchg */
    case 0xb1:
        return PLAIN(.what = MODRM | E_R | E_W | G_R | bytes, .reads = AX, .writes = AX,
                     .flags_killed = FLAGS_ALL);
    case 0xb6: /* movzx, movsx */
    case 0xb7:
    case 0xbe:
    case 0xbf:
        return PLAIN(.what = MODRM | G_W | E_R | (op & 1 ? 0 : E_BYTE));
    case 0xb8: /* popcnt */
        if (f->repeat != 0xf3)
            return REFUSE;
        return PLAIN(.what = MODRM | G_W | E_R, .flags_killed = FLAGS_ALL);
    case 0xbc:
    case 0xbd:
        return scan(f);
    case 0xc0: /* xadd */
    case 0xc1:
        return PLAIN(.what = MODRM | E_R | E_W | G_R | G_W | bytes, .flags_killed = FLAGS_ALL);
    case 0xc3: /* movnti */
        return PLAIN(.what = MODRM | E_W | G_R | MEMORY_ONLY);
    case 0xc7: /* cmpxchg8b, cmpxchg16b */
        if (cp_form_group(f) != 1)
            return REFUSE;
        return PLAIN(.what = MODRM | MEMORY_ONLY, .reads = AX | BX | CX | DX, .writes = AX | DX,
                     .flags_killed = FLAG_Z);
    case 0xc8 ... 0xcf: /* bswap; of 16 bits undefined */
        return PLAIN(.what = O_R | O_W);
    default:
        return REFUSE;
    }
}

/*--- Opcodes behind 0F 38 and 0F 3A ---*/

static Row map_38(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = VECTOR);

    switch (op) {
    case 0x00 ... 0x0b: /* with 66, else MMX's */
    case 0x1c ... 0x1e:
        r.what |= f->has_66 ? 0 : X87;
        return f->repeat ? REFUSE : r;
    case 0x10:
    case 0x14:
    case 0x15:
    case 0x20 ... 0x2b:
    case 0x30 ... 0x41:
    case 0xdb ... 0xdf:
        return f->has_66 && !f->repeat ? r : REFUSE;
    case 0xcf: /* GFNI */
        r.what |= NEW;
        return f->has_66 && !f->repeat ? r : REFUSE;
    case 0xc8 ... 0xcd: /* SHA */
        r.what |= NEW;
        return f->has_66 || f->repeat ? REFUSE : r;
    case 0x17: /* ptest */
        r.flags_killed = FLAGS_ALL;
        return f->has_66 && !f->repeat ? r : REFUSE;
    case 0xf0: /* movbe, crc32 */
    case 0xf1:
        if (f->repeat == 0xf2)
            return PLAIN(.what = MODRM | G_R | G_W | E_R | (op == 0xf0 ? E_BYTE : 0) | PREFIXED);
        if (f->repeat)
            return REFUSE;
        return PLAIN(.what = MODRM | MEMORY_ONLY | (op == 0xf0 ? G_W : G_R));
    case 0xf6: /* adcx, adox */
        if (f->repeat == 0xf3 ? f->has_66 : !f->has_66 || f->repeat)
            return REFUSE;
        r.what |= G_R | G_W | E_R;
        r.flags_read = r.flags_killed = f->repeat ? FLAG_O : FLAG_C;
        return r;
    default:
        return REFUSE;
    }
}

static Row cp_opcode_3a(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = VECTOR | IMM_1);

    if (op == 0xcc) { /* sha1rnds4 */
        r.what |= NEW;
        return f->has_66 || f->repeat ? REFUSE : r;
    }
    if (!f->has_66 || f->repeat)
        return REFUSE;
    switch (op) {
    case 0x08 ... 0x0f:
    case 0x21:
    case 0x40 ... 0x42:
    case 0x44:
    case 0xdf:
        return r;
    case 0xce: /* GFNI */
    case 0xcf:
        r.what |= NEW;
        return r;
    case 0x14 ... 0x17: /* pextr, extractps */
        r.what |= E_W;
        return r;
    case 0x20: /* pinsr */
    case 0x22:
        r.what |= E_R;
        return r;
    case 0x60: /* pcmpestrm, pcmpestri: lengths in rax and rdx */
    case 0x61:
        r.reads = BIT(REG_AX) | BIT(REG_DX);
        /* fall through */
    case 0x62: /* pcmpistrm, pcmpistri */
    case 0x63:
        r.writes = op & 1 ? BIT(REG_CX) : 0;
        r.reads |= r.writes;
        r.flags_killed = FLAGS_ALL;
        return r;
    default:
        return REFUSE;
    }
}

Row cp_opcode_legacy(const Form *f, unsigned op)
{
    static Row (*const maps[4])(const Form *, unsigned) = {one_byte, two_bytes, map_38,
                                                           cp_opcode_3a};

    return maps[f->map](f, op);
}

/*--- VEX ---*/

/* Instructions on mask registers. */
static Row vex_mask(unsigned op)
{
    Row r = PLAIN(.what = MODRM | PREFIXED | MASKS);

    switch (op) {
    case 0x92: /* kmov from a register */
        r.what |= E_R | REGISTER_ONLY;
        break;
    case 0x93: /* kmov to one */
        r.what |= G_W | REGISTER_ONLY;
        break;
    case 0x98: /* kortest, ktest */
    case 0x99:
        r.flags_killed = FLAGS_ALL;
        break;
    default:
        break;
    }
    return r;
}

static Row vex_0f(const Form *f, unsigned op)
{
    if (op == 0x77) /* vzeroupper, vzeroall */
        return PLAIN(.what = PREFIXED);
    if ((op >= 0x41 && op <= 0x4b) || (op >= 0x90 && op <= 0x99))
        return vex_mask(op);
    if (op == 0xae)
        return cp_opcode_stores_status(f) && !f->is_256 && !f->v ? STATUS : REFUSE;
    return cp_opcode_is_vector(op) ? cp_opcode_vector(f, op) : REFUSE;
}

/* BMI's instructions on general registers. */
static Row vex_38_general(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = MODRM | PREFIXED);

    switch (op) {
    case 0xf2: /* andn */
        r.what |= G_W | V_R | E_R;
        r.flags_killed = FLAG_C | FLAG_O | FLAG_S | FLAG_Z;
        return f->has_66 || f->repeat ? REFUSE : r;
    case 0xf3: /* blsr, blsmsk, blsi */
        r.what |= V_W | E_R;
        r.flags_killed = FLAG_C | FLAG_O | FLAG_S | FLAG_Z;
        return f->has_66 || f->repeat || cp_form_group(f) < 1 || cp_form_group(f) > 3 ? REFUSE : r;
    case 0xf5: /* bzhi; pext, pdep */
        r.what |= G_W | V_R | E_R;
        r.flags_killed = f->repeat ? 0 : FLAG_C | FLAG_O | FLAG_S | FLAG_Z;
        return f->has_66 ? REFUSE : r;
    case 0xf6: /* mulx */
        r.what |= G_W | V_W | E_R;
        r.reads = BIT(REG_DX);
        return f->repeat == 0xf2 ? r : REFUSE;
    case 0xf7: /* bextr; shlx, sarx, shrx */
        r.what |= G_W | V_R | E_R;
        r.flags_killed = f->repeat || f->has_66 ? 0 : FLAG_C | FLAG_O | FLAG_Z;
        return r;
    default:
        return REFUSE;
    }
}

/* Vectors for neural networks, IFMA, half precision, SHA-512, SM3, GFNI, VAES. */
static bool is_new_38(const Form *f, unsigned op)
{
    return (op >= 0x50 && op <= 0x53) || op == 0x72 || (op >= 0xb0 && op <= 0xb5) ||
           (op >= 0xcb && op <= 0xcf) || (op >= 0xd2 && op <= 0xda) ||
           (f->is_256 && op >= 0xdc && op <= 0xdf);
}

static Row vex_38(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = VECTOR | (is_new_38(f, op) ? NEW : 0));

    if (op >= 0xf2 && op <= 0xf7)
        return vex_38_general(f, op);
    if (op >= 0xe0)
        return REFUSE; /* cmpccxadd */
    if (op >= 0x90 && op <= 0x93)
        r.what |= VSIB | MEMORY_ONLY;
    if (op == 0x17 || op == 0x0e || op == 0x0f) /* vptest, vtest */
        r.flags_killed = FLAGS_ALL;
    if (op == 0x49 || op == 0x4b || (op >= 0x5c && op <= 0x5e) || op == 0x6c)
        return REFUSE; /* AMX */
    return r;
}

static Row vex_3a(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = VECTOR | IMM_1);

    if (op >= 0x30 && op <= 0x33) { /* shifts of masks */
        r.what |= MASKS;
        return r;
    }
    if (op == 0xf0) { /* rorx */
        r.what |= G_W | E_R;
        return f->repeat == 0xf2 ? r : REFUSE;
    }
    if (!f->has_66)
        return REFUSE;
    if (op == 0xce || op == 0xcf || op == 0xde || (f->is_256 && op == 0x44))
        r.what |= NEW; /* GFNI, SM3, VPCLMULQDQ */
    if (op >= 0x14 && op <= 0x17)
        r.what |= E_W;
    else if (op == 0x20 || op == 0x22)
        r.what |= E_R;
    else if (op >= 0x60 && op <= 0x63)
        return cp_opcode_3a(f, op);
    return r;
}

/* Between masks, vectors and general registers of the 0F map, 78 to 7B are EVEX's alone. The map
 * of half precision has the same opcodes. */
static Row evex_0f(const Form *f, unsigned op)
{
    Row r = op >= 0x78 && op <= 0x7b ? PLAIN(.what = VECTOR) : cp_opcode_vector(f, op);

    if (op == 0x78 || op == 0x79) /* vcvttsd2usi, vcvtsd2usi */
        r.what |= f->repeat ? G_W : 0;
    else if (op == 0x7b) /* vcvtusi2sd */
        r.what |= f->repeat ? E_R : 0;
    return r;
}

static Row evex_38(unsigned op)
{
    Row r = PLAIN(.what = VECTOR);

    if ((op >= 0x90 && op <= 0x93) || (op >= 0xa0 && op <= 0xa3) || op == 0xc6 || op == 0xc7)
        r.what |= VSIB | MEMORY_ONLY;
    if (op >= 0x7a && op <= 0x7c) /* broadcasts from a general register */
        r.what |= E_R;
    return r;
}

static Row evex_3a(unsigned op)
{
    Row r = PLAIN(.what = VECTOR | IMM_1);

    if (op >= 0x14 && op <= 0x17)
        r.what |= E_W;
    else if (op == 0x20 || op == 0x22)
        r.what |= E_R;
    return r;
}

Row cp_opcode_evex(const Form *f, unsigned op)
{
    switch (f->map) {
    case 2:
        return evex_38(op);
    case 3:
        return evex_3a(op);
    case 6: /* half precision */
        return PLAIN(.what = VECTOR);
    default:
        return evex_0f(f, op);
    }
}

Row cp_opcode_vex(const Form *f, unsigned op)
{
    return f->map == 1 ? vex_0f(f, op) : f->map == 2 ? vex_38(f, op) : vex_3a(f, op);
}

/*--- x87 ---*/

/*
 * The rows of x87's opcodes, D8 to DF. Their operands are on a stack of
 * registers of its own; general registers are in addresses alone, but for fnstsw.
 */

enum { COMPARED = FLAG_C | FLAG_P | FLAG_Z };

/* Forms with memory that no processor has. */
static bool is_memory_known(const Form *f, unsigned op)
{
    unsigned group = cp_form_group(f);

    return op == 0xd9   ? group != 1
           : op == 0xdb ? group != 4 && group != 6
                        : op != 0xdd || group != 5;
}

/* Forms with registers that all processors know by the manual. */
static bool is_register_known(const Form *f, unsigned op)
{
    unsigned group = cp_form_group(f), low = f->modrm & 7;

    switch (op) {
    case 0xd9:
        if (group == 2)
            return !low;
        return group == 4 ? low < 2 || low == 4 || low == 5 : group == 5 ? low != 7 : group != 3;
    case 0xda:
        return group < 4 || f->modrm == 0xe9;
    case 0xdb:
        return group == 4 ? low == 2 || low == 3 : group < 7;
    case 0xdd:
        return group != 1 && group < 6;
    case 0xde:
        return group != 2 && (group != 3 || low == 1);
    case 0xdf:
        return group == 4 ? !low : group == 5 || group == 6;
    default:
        return true;
    }
}

static Row cp_opcode_x87(const Form *f, unsigned op)
{
    Row r = PLAIN(.what = MODRM | X87);
    unsigned group = cp_form_group(f);

    if (!cp_form_is_register(f))
        return is_memory_known(f, op) ? r : REFUSE;
    if (!is_register_known(f, op))
        return REFUSE;
    if ((op == 0xda || op == 0xdb) && group < 4) /* fcmov */
        r.flags_read = COMPARED;
    else if ((op == 0xdb || op == 0xdf) && group >= 5) /* fcomi */
        r.flags_killed = COMPARED;
    else if (op == 0xdf) /* fnstsw %ax */
        r.reads = r.writes = BIT(REG_AX);
    return r;
}
