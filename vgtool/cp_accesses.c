/*
 * cp_accesses.c - the accesses of instructions, by their opcodes. tests/tool/decode-accesses.c
 * compares them with VEX's.
 */
#include "cp_accesses.h"

/* As cp_accesses(), for the operand in memory of an instruction that VEX does not know; 0 for
 * gathers. */
static int cp_accesses_new(const Insn *in, Access *access);

/* The purpose of the operand in memory. */
typedef enum { NOTHING, READ, WRITE, CHANGE, UNKNOWN } Use;

/* `times` as many accesses of the size, one behind another. */
typedef struct {
    Use use;
    unsigned size, times;
} Operand;

static Operand operand(Use use, unsigned size)
{
    return (Operand){use, size, 1};
}

static unsigned group(const Insn *in)
{
    return in->modrm >> 3 & 7;
}

/* The size of general registers that the instruction works on. */
static unsigned general_size(const Insn *in)
{
    return in->is_wide ? 8 : in->has_66 ? 2 : 4;
}

/* The size of registers of an instruction whose prefixes are part of its opcode. */
static unsigned register_size(const Insn *in)
{
    return in->is_wide ? 8 : 4;
}

static unsigned vector_size(const Insn *in)
{
    return in->is_256 ? 32 : 16;
}

/*--- Opcodes of one byte ---*/

/* add, or, adc, sbb, and, sub, xor, cmp. */
static Operand arithmetic(unsigned operation, unsigned size)
{
    return operand(operation == 7 ? READ : CHANGE, size);
}

/* VEX does not read what makes no difference to the result: and with 0, or with -1. */
static Operand arithmetic_number(const Insn *in, unsigned size)
{
    if ((group(in) == 4 && !in->immediate) || (group(in) == 1 && in->immediate == -1))
        return operand(in->is_locked ? UNKNOWN : WRITE, size);
    return arithmetic(group(in), size);
}

/* Environments and decimal numbers are left out. */
static Operand x87(const Insn *in)
{
    static const uint8_t sizes[8] = {4, 4, 4, 4, 8, 8, 2, 2};
    bool is_move = in->op & 1; /* the others compute with what they read */
    Use use = is_move && group(in) >= 1 && group(in) <= 3 ? WRITE : READ;

    if (!is_move || group(in) < 4)
        return operand(use, sizes[in->op & 7]);
    switch (in->op << 4 | group(in)) {
    case 0xd95: /* fldcw, fnstcw, fnstsw */
        return operand(READ, 2);
    case 0xd97:
    case 0xdd7:
        return operand(WRITE, 2);
    case 0xdb5: /* 80 bits */
        return operand(READ, 10);
    case 0xdb7:
        return operand(WRITE, 10);
    case 0xdf5: /* integers of 64 bits */
        return operand(READ, 8);
    case 0xdf7:
        return operand(WRITE, 8);
    default:
        return operand(UNKNOWN, 0);
    }
}

static Operand one_byte(const Insn *in)
{
    unsigned size = in->op & 1 ? general_size(in) : 1;

    switch (in->op) {
    case 0xd8 ... 0xdf:
        return x87(in);
    case 0x00 ... 0x3f:
        if ((in->op & 7) > 3)
            return operand(NOTHING, 0);
        return (in->op & 2) ? operand(READ, size) : arithmetic(in->op >> 3, size);
    case 0x63: /* movsxd */
        return operand(READ, in->has_66 && !in->is_wide ? 2 : 4);
    case 0x69: /* imul */
    case 0x6b:
    case 0x84: /* test */
    case 0x85:
    case 0x8a: /* mov */
    case 0x8b:
        return operand(READ, size);
    case 0x80: /* 0x80 has operands of bytes, 0x81 and 0x83 larger ones */
    case 0x81:
    case 0x83:
        return arithmetic_number(in, size);
    case 0x86: /* xchg */
    case 0x87:
    case 0xc0: /* shifts */
    case 0xc1:
    case 0xd0 ... 0xd3:
        return operand(CHANGE, size);
    case 0x88: /* mov */
    case 0x89:
    case 0xc6:
    case 0xc7:
        return operand(WRITE, size);
    case 0x8d: /* lea */
        return operand(NOTHING, 0);
    case 0xf6: /* test, not, neg, mul, div */
    case 0xf7:
        if (group(in) < 2 && !in->immediate)
            return operand(NOTHING, 0);
        return operand(group(in) == 2 || group(in) == 3 ? CHANGE : READ, size);
    case 0xfe: /* inc, dec */
    case 0xff: /* calls, jumps, push */
        return group(in) < 2 ? operand(CHANGE, size) : operand(READ, 8);
    default:
        return operand(UNKNOWN, 0);
    }
}

/*--- Opcodes behind 0F ---*/

/* The size of an operation on all of a vector, or on its lowest number with F3 or F2. */
static unsigned float_size(const Insn *in)
{
    return in->repeat == 0xf3 ? 4 : in->repeat == 0xf2 ? 8 : vector_size(in);
}

static Operand vector(const Insn *in)
{
    unsigned full = vector_size(in);

    switch (in->op) {
    case 0x10:
    case 0x51 ... 0x53:
    case 0x58:
    case 0x59:
    case 0x5c ... 0x5f:
        return operand(READ, float_size(in));
    case 0xc2: /* a comparison that is always true or false does not read */
        return operand(in->code == CODE_VEX && (in->immediate & 11) == 11 ? UNKNOWN : READ,
                       float_size(in));
    case 0x11:
        return operand(WRITE, float_size(in));
    case 0x12:                                /* movlps, movsldup, movddup */
        if (in->repeat == 0xf2 && in->is_256) /* reads two numbers that lie apart */
            return operand(UNKNOWN, 0);
        return operand(READ, in->repeat == 0xf3 ? full : 8);
    case 0x16: /* movhps, movshdup */
        return operand(READ, in->repeat == 0xf3 ? full : 8);
    case 0x13:
    case 0x17:
    case 0xd6: /* movq */
        return operand(WRITE, 8);
    case 0x29:
    case 0x2b:
    case 0x7f:
    case 0xe7:
        return operand(WRITE, full);
    case 0x2a: /* cvtsi2sd */
    case 0x6e: /* movd */
        return operand(READ, register_size(in));
    case 0x2c: /* cvttsd2si, cvtsd2si */
    case 0x2d:
        return operand(READ, in->repeat == 0xf3 ? 4 : 8);
    case 0x2e: /* ucomisd, comisd */
    case 0x2f:
        return operand(READ, in->has_66 ? 8 : 4);
    case 0x5a: /* cvtps2pd and the like */
        if (!in->repeat && !in->has_66)
            return (Operand){READ, 4, full / 8};
        return operand(READ, float_size(in));
    case 0x7e: /* movd, movq */
        return in->repeat == 0xf3 ? operand(READ, 8) : operand(WRITE, register_size(in));
    case 0xc4: /* pinsrw */
        return operand(READ, 2);
    case 0xd1 ... 0xd3: /* shifts by a number in memory */
    case 0xe1:
    case 0xe2:
    case 0xf1 ... 0xf3:
        return operand(READ, 8);
    case 0xe6: /* cvtdq2pd and the like */
        return operand(READ, in->repeat == 0xf3 ? full / 2 : full);
    case 0xf7: /* maskmovdqu */
        return operand(UNKNOWN, 0);
    default:
        return operand(READ, full);
    }
}

static Operand two_bytes(const Insn *in)
{
    unsigned size = general_size(in);

    switch (in->op) {
    case 0x0d: /* prefetches and hints */
    case 0x18 ... 0x1f:
        return operand(NOTHING, 0);
    case 0xae: /* stmxcsr, clflush */
        return group(in) == 3 ? operand(WRITE, 4) : operand(group(in) == 7 ? NOTHING : UNKNOWN, 0);
    case 0x40 ... 0x4f: /* cmov */
    case 0xaf:          /* imul */
    case 0xb8:          /* popcnt, bsf, bsr */
    case 0xbc:
    case 0xbd:
        return operand(READ, size);
    case 0x90 ... 0x9f: /* set */
        return operand(WRITE, 1);
    case 0xa4: /* shld, shrd */
    case 0xa5:
    case 0xac:
    case 0xad:
        return operand(CHANGE, size);
    case 0xba: /* bt, bts, btr, btc */
        return operand(group(in) == 4 ? READ : CHANGE, size);
    case 0xb0: /* cmpxchg, xadd */
    case 0xb1:
    case 0xc0:
    case 0xc1:
        return operand(CHANGE, in->op & 1 ? size : 1);
    case 0xb6: /* movzx, movsx */
    case 0xbe:
        return operand(READ, 1);
    case 0xb7:
    case 0xbf:
        return operand(READ, 2);
    case 0xc3: /* movnti */
        return operand(WRITE, size);
    case 0xc7: /* cmpxchg8b, cmpxchg16b */
        return operand(CHANGE, in->is_wide ? 16 : 8);
    case 0xa3: /* bt and the like, whose number may lead far away */
    case 0xab:
    case 0xb3:
    case 0xbb:
        return operand(UNKNOWN, 0);
    default:
        return vector(in);
    }
}

/*--- Opcodes behind 0F 38 and 0F 3A ---*/

static bool is_scalar_fused(const Insn *in)
{
    return (in->op & 15) >= 9 && in->op & 1;
}

static Operand map_38(const Insn *in)
{
    static const uint8_t parts[6] = {2, 4, 8, 2, 4, 2};
    unsigned full = vector_size(in);

    switch (in->op) {
    case 0x13: /* vcvtph2ps */
        return operand(READ, full / 2);
    case 0x18: /* broadcasts */
    case 0x58:
        return operand(READ, 4);
    case 0x19:
    case 0x59:
        return operand(READ, 8);
    case 0x1a:
    case 0x5a:
        return operand(READ, 16);
    case 0x78:
        return operand(READ, 1);
    case 0x79:
        return operand(READ, 2);
    case 0x20 ... 0x25: /* pmovsx, pmovzx */
    case 0x30 ... 0x35:
        return operand(READ, full / parts[in->op & 7]);
    case 0x2c ... 0x2f: /* masked moves, gathers */
    case 0x8c:
    case 0x8e:
    case 0x90 ... 0x93:
        return operand(UNKNOWN, 0);
    case 0x96 ... 0x9f: /* fused multiplications, number by number */
    case 0xa6 ... 0xaf:
    case 0xb6 ... 0xbf:
        return (Operand){READ, register_size(in),
                         is_scalar_fused(in) ? 1 : full / register_size(in)};
    case 0xf0: /* movbe, crc32 */
        return operand(READ, in->repeat ? 1 : general_size(in));
    case 0xf1:
        return operand(in->repeat ? READ : WRITE, general_size(in));
    case 0xf2 ... 0xf7:
        return operand(READ, register_size(in));
    default:
        return operand(READ, full);
    }
}

/* True if all numbers that the operand could give are ruled out by the immediate, or some halves of
 * vectors: VEX reads less then. */
static bool is_left_out(const Insn *in)
{
    unsigned number = (uint8_t)in->immediate;

    switch (in->op) {
    case 0x02: /* vpblendd, blendps */
    case 0x0c:
        return !(number & (in->is_256 ? 255 : 15));
    case 0x06: /* vperm2f128, vperm2i128 */
    case 0x46:
        return number != 0x20 && number != 0x31;
    case 0x0d: /* blendpd */
        return !(number & (in->is_256 ? 15 : 3));
    case 0x0e: /* pblendw */
        return !number;
    case 0x0f: /* palignr */
        return number >= 16;
    case 0x21: /* insertps */
        return number >> (number >> 4 & 3) & 1;
    case 0x40: /* dpps */
        return !(number & 15) || !(number & 240);
    case 0x41: /* dppd */
        return !(number & 3) || !(number & 48);
    default:
        return false;
    }
}

static Operand map_3a(const Insn *in)
{
    if (is_left_out(in))
        return operand(UNKNOWN, 0);
    switch (in->op) {
    case 0x08: /* roundps, roundpd: number by number without VEX */
    case 0x09:
        if (in->code == CODE_LEGACY)
            return in->op == 0x08 ? (Operand){READ, 4, 4} : (Operand){READ, 8, 2};
        return operand(READ, vector_size(in));
    case 0x0a: /* roundss, insertps */
    case 0x21:
        return operand(READ, 4);
    case 0x0b: /* roundsd */
        return operand(READ, 8);
    case 0x14: /* pextr, extractps */
        return operand(WRITE, 1);
    case 0x15:
        return operand(WRITE, 2);
    case 0x16:
        return operand(WRITE, register_size(in));
    case 0x17:
        return operand(WRITE, 4);
    case 0x06: /* halves of vectors */
    case 0x46:
    case 0x18:
    case 0x38:
        return operand(READ, 16);
    case 0x19:
    case 0x39:
        return operand(WRITE, 16);
    case 0x1d: /* vcvtps2ph */
        return operand(WRITE, vector_size(in) / 2);
    case 0x20: /* pinsr */
        return operand(READ, 1);
    case 0x22:
    case 0xf0: /* rorx */
        return operand(READ, register_size(in));
    default:
        return operand(READ, vector_size(in));
    }
}

/*--- Instructions ---*/

static bool has_operand(const Insn *in)
{
    return in->modrm_at && in->modrm < 0xc0;
}

/* The access that is made besides that of the operand, behind it. False, and *a is not written:
 * none. */
static bool implied(const Insn *in, Access *a)
{
    bool is_push = in->op <= 0x57 ? in->op >= 0x50 : in->op == 0x68 || in->op == 0x6a;

    if (in->map || in->code != CODE_LEGACY)
        return false;
    if (is_push || in->kind == INSN_CALL ||
        (in->op == 0xff && (group(in) == 2 || group(in) == 6))) {
        *a = (Access){.place = AT_PUSH, .size = 8, .is_write = true};
        return true;
    }
    if (in->op != 0xc9 && !(in->op >= 0x58 && in->op <= 0x5f) && in->kind != INSN_RET)
        return false;
    *a = (Access){.place = in->op == 0xc9 ? AT_BP : AT_TOP, .size = 8};
    return true;
}

/* True if the instruction has no operand, but accesses that are not known. */
static bool is_rare(const Insn *in)
{
    if (in->code != CODE_LEGACY)
        return in->map == 1 && in->op == 0xf7;
    if (in->map == 0) /* mov of an address of 64 bits, xlat */
        return (in->op >= 0xa0 && in->op <= 0xa3) || in->op == 0xd7;
    /* maskmovdqu; bt of registers, which VEX puts into memory */
    return in->map == 1 &&
           (in->op == 0xf7 || in->op == 0xa3 || in->op == 0xab || in->op == 0xb3 || in->op == 0xbb);
}

static int strings(const Insn *in, Access *a)
{
    uint8_t size = (uint8_t)(in->op & 1 ? general_size(in) : 1);
    const Access source = {.place = AT_SI, .size = size}, target = {.place = AT_DI, .size = size};

    switch (in->op & ~1u) {
    case 0xa4: /* movs */
        a[0] = source;
        a[1] = target;
        a[1].is_write = true;
        return 2;
    case 0xa6: /* cmps */
        a[0] = target;
        a[1] = source;
        return 2;
    case 0xac: /* lods */
        a[0] = source;
        return 1;
    default: /* stos, scas */
        a[0] = target;
        a[0].is_write = (in->op & ~1u) == 0xaa;
        return 1;
    }
}

static bool is_string(const Insn *in)
{
    return in->code == CODE_LEGACY && !in->map &&
           ((in->op >= 0xa4 && in->op <= 0xa7) || (in->op >= 0xaa && in->op <= 0xaf));
}

static Operand operand_of(const Insn *in)
{
    static Operand (*const maps[4])(const Insn *) = {one_byte, two_bytes, map_38, map_3a};

    return in->has_x87 && in->map ? operand(UNKNOWN, 0) : maps[in->map](in);
}

/* cmpxchg is one operation on memory. */
static bool reads_twice(const Insn *in)
{
    if (in->code != CODE_LEGACY)
        return false;
    if (in->map == 0)
        return in->is_locked || in->op == 0x86 || in->op == 0x87;
    return in->is_locked && in->op != 0xb0 && in->op != 0xb1 && in->op != 0xc7;
}

/* A push of 16 bits. */
static bool is_narrow_push(const Insn *in)
{
    return in->code == CODE_LEGACY && !in->map && (in->op == 0x68 || in->op == 0x6a) &&
           in->has_66 && !in->is_wide;
}

static int operand_accesses(const Insn *in, const Operand *o, Access *a)
{
    int n = (int)o->times;

    for (int i = 0; i < n; i++)
        a[i] = (Access){.place = AT_OPERAND,
                        .offset = (int16_t)(i * (int)o->size),
                        .size = (uint8_t)o->size,
                        .is_write = o->use == WRITE};
    if (in->code == CODE_VEX && in->map == 3 && (in->op == 0x06 || in->op == 0x46) &&
        in->immediate == 0x31)
        a[0].offset = 16; /* the upper half */
    if (o->use == CHANGE && reads_twice(in))
        a[n++] = a[0];
    return n;
}

int cp_accesses(const Insn *in, Access accesses[MOST_ACCESSES])
{
    Operand o;
    int n = 0;

    if (is_string(in))
        return strings(in, accesses);
    if (is_rare(in) || is_narrow_push(in))
        return -1;
    if (has_operand(in) && (in->has_masks || (in->code == CODE_VEX && in->is_new)))
        return cp_accesses_new(in, accesses);
    if (has_operand(in)) {
        o = operand_of(in);
        if (o.use == UNKNOWN)
            return -1;
        if (o.use != NOTHING)
            n = operand_accesses(in, &o, accesses);
    }
    return n + implied(in, &accesses[n]);
}

bool cp_access_retries(const Insn *in)
{
    Access a[MOST_ACCESSES];

    return cp_accesses(in, a) == 2 && a[0].place == AT_OPERAND && a[1].place == AT_OPERAND &&
           a[0].offset == a[1].offset;
}

/* Moves of whole vectors, which must be aligned in memory. */
static bool is_aligned_move(const Insn *in)
{
    if (in->map == 2)
        return in->op == 0x2a;
    return in->map == 1 && (in->op == 0x28 || in->op == 0x29 || in->op == 0x2b ||
                            (in->has_66 && (in->op == 0x6f || in->op == 0x7f || in->op == 0xe7)));
}

/* Without VEX some others must be, too. */
static bool is_aligned(const Insn *in)
{
    switch (in->map) {
    case 1: /* movsldup, movshdup, cmpxchg16b */
        return ((in->op == 0x12 || in->op == 0x16) && in->repeat == 0xf3) ||
               (in->op == 0xc7 && in->is_wide);
    case 2:
        return in->op <= 0x17 || (in->op >= 0x1c && in->op <= 0x1e) || in->op == 0x2b ||
               in->op == 0x40 || in->op == 0x41;
    default:
        return in->map == 3 &&
               (in->op == 0x08 || in->op == 0x09 || (in->op >= 0x0c && in->op <= 0x0f) ||
                (in->op >= 0x40 && in->op <= 0x44));
    }
}

bool cp_access_exits(const Insn *in)
{
    bool is_legacy = in->code == CODE_LEGACY;

    if (!has_operand(in) || in->code == CODE_EVEX)
        return false;
    if (cp_access_retries(in) || (is_legacy && !in->map && in->op == 0xd9 && group(in) == 5))
        return true; /* that is fldcw */
    /* VEX knows whether a fixed address is aligned. */
    return in->reads && (is_aligned_move(in) || (is_legacy && is_aligned(in)));
}

/*--- New encodings ---*/

/*
 * The accesses of instructions that VEX does not know: those of AVX-512, and
 * some younger ones behind VEX's prefixes. A processor's operand is one access, masked or not:
 * which of its numbers are left out depends on the mask. Those of gathers depend on registers, too.
 * tests/tool/decode-new.c compares sizes and places with objdump's.
 *
 * Source of the sizes: Intel's manual, volume 2, chapter 2.7.5, the tuple types of EVEX: they are
 * the sizes of operands, by which displacements of one byte are multiplied.
 */

/* Sizes of operands. Those from SIZE_1 on are so many bytes. */
typedef enum {
    FULL, /* a vector */
    HALF,
    QUARTER,
    EIGHTH,
    BY_W,   /* 4 bytes, or with W 8 */
    PACKED, /* a vector's first numbers, so many as its mask has; they are of 4 bytes, or with W 8
             */
    PACKED_SHORT, /* a vector's first numbers of 1 byte, or with W 2, so many as its mask has */
    SIZE_1,
    SIZE_2,
    SIZE_4,
    SIZE_8,
    SIZE_16,
    SIZE_32
} Shape;

static unsigned prefix(const Insn *in)
{
    return in->repeat == 0xf3 ? 2 : in->repeat == 0xf2 ? 3 : in->has_66;
}

/* An operation on all of a vector, or with F3 or F2 on its lowest number. */
static Shape number(const Insn *in)
{
    return in->repeat == 0xf3 ? SIZE_4 : in->repeat == 0xf2 ? SIZE_8 : FULL;
}

/* Conversions from numbers half as large, without W. */
static Shape widened(const Insn *in)
{
    return in->is_wide ? FULL : HALF;
}

static unsigned length(const Insn *in)
{
    return 16u << (in->code == CODE_EVEX ? in->evex >> 5 & 3 : in->is_256);
}

/*--- Maps ---*/

static Shape conversion(const Insn *in)
{
    switch (in->op << 4 | prefix(in)) {
    case 0x5a0:
    case 0xe62:
        return in->op == 0xe6 ? widened(in) : HALF;
    case 0x781:
    case 0x791:
    case 0x7a1:
    case 0x7a2:
    case 0x7b1:
        return widened(in);
    case 0x2a2:
    case 0x2a3:
    case 0x7b2:
    case 0x7b3:
        return BY_W;
    case 0x5b2:
    case 0x7a3:
    case 0xe63:
        return FULL;
    default:
        return number(in);
    }
}

static Shape map_0f(const Insn *in)
{
    switch (in->op) {
    case 0x12:
        return prefix(in) == 2 || (prefix(in) == 3 && length(in) > 16) ? FULL : SIZE_8;
    case 0x16:
        return prefix(in) == 2 ? FULL : SIZE_8;
    case 0x13:
    case 0x17:
    case 0xd6:
        return SIZE_8;
    case 0x6e:
        return BY_W;
    case 0x7e:
        return prefix(in) == 2 ? SIZE_8 : BY_W;
    case 0x2a:
    case 0x5a:
    case 0x5b:
    case 0x78 ... 0x7b:
    case 0xe6:
        return conversion(in);
    case 0x2c ... 0x2d:
        return number(in);
    case 0x2e ... 0x2f:
        return in->has_66 ? SIZE_8 : SIZE_4;
    case 0x6f:
    case 0x70:
    case 0x7f:
        return FULL;
    case 0x90 ... 0x91: /* moves of masks */
        return in->is_wide ? (in->has_66 ? SIZE_4 : SIZE_8) : in->has_66 ? SIZE_1 : SIZE_2;
    case 0xc4:
        return SIZE_2;
    case 0xd1 ... 0xd3:
    case 0xe1 ... 0xe2:
    case 0xf1 ... 0xf3:
        return SIZE_16;
    default:
        return number(in);
    }
}

/* Stores of numbers made smaller, and loads of numbers made larger: by the opcode's low digit. */
static Shape resized(unsigned op)
{
    static const uint8_t shapes[] = {HALF, QUARTER, EIGHTH, HALF, QUARTER, HALF};

    return (Shape)shapes[op & 7];
}

/* Operations on four vectors in turn. */
static bool is_fourfold(const Insn *in)
{
    return in->repeat == 0xf2 && (in->op == 0x52 || in->op == 0x53 || in->op == 0x9a ||
                                  in->op == 0x9b || in->op == 0xaa || in->op == 0xab);
}

static Shape new_map_38(const Insn *in)
{
    if (is_fourfold(in))
        return SIZE_16;
    switch (in->op) {
    case 0x10 ... 0x12:
    case 0x14 ... 0x15:
        return in->repeat ? resized(in->op) : FULL;
    case 0x13:
        return HALF;
    case 0x18:
        return SIZE_4;
    case 0x19:
    case 0x59:
        return SIZE_8;
    case 0x1a:
    case 0x5a:
        return SIZE_16;
    case 0x1b:
    case 0x5b:
        return SIZE_32;
    case 0x20 ... 0x25:
    case 0x30 ... 0x35:
        return resized(in->op);
    case 0x2d:
    case 0x43:
    case 0x4d:
    case 0x4f:
    case 0xcb:
    case 0xcd:
        return BY_W;
    case 0x58:
        return SIZE_4;
    case 0x62 ... 0x63:
        return PACKED_SHORT;
    case 0x78:
        return SIZE_1;
    case 0x79:
        return SIZE_2;
    case 0x88 ... 0x8b:
        return PACKED;
    case 0xb1: /* vbcstnesh2ps */
        return in->code == CODE_VEX ? SIZE_2 : FULL;
    case 0x96 ... 0x9f:
    case 0xa6 ... 0xaf:
    case 0xb6 ... 0xbf: /* odd ones are of one number, but for fmsubadd */
        return in->op & 1 && (in->op & 15) >= 9 ? BY_W : FULL;
    default:
        return FULL;
    }
}

/* Without the prefix 66 numbers have 2 bytes. */
static Shape one_number(const Insn *in)
{
    return in->has_66 ? BY_W : SIZE_2;
}

static Shape new_map_3a(const Insn *in)
{
    switch (in->op) {
    case 0x0a:
        return in->has_66 ? SIZE_4 : SIZE_2;
    case 0x0b:
        return SIZE_8;
    case 0x14:
    case 0x20:
        return SIZE_1;
    case 0x15:
        return SIZE_2;
    case 0x16:
    case 0x22:
        return BY_W;
    case 0x17:
    case 0x21:
        return SIZE_4;
    case 0x18 ... 0x19:
    case 0x38 ... 0x39:
        return SIZE_16;
    case 0x1a ... 0x1b:
    case 0x3a ... 0x3b:
        return SIZE_32;
    case 0x1d:
        return HALF;
    case 0x27:
    case 0x51:
    case 0x55:
    case 0x57:
    case 0x67:
        return one_number(in);
    case 0xc2:
        return in->repeat ? SIZE_2 : FULL;
    default:
        return FULL;
    }
}

/* Half precision. */
static Shape map_5(const Insn *in)
{
    switch (in->op << 4 | prefix(in)) {
    case 0x1d0:
        return SIZE_4;
    case 0x2a2:
    case 0x7b2:
        return BY_W;
    case 0x5a0:
    case 0x781:
    case 0x791:
    case 0x7a1:
    case 0x7b1:
        return QUARTER;
    case 0x5b1:
    case 0x5b2:
    case 0x780:
    case 0x790:
        return HALF;
    case 0x5a3:
        return SIZE_8;
    case 0x2e0:
    case 0x2f0:
    case 0x6e1:
    case 0x7e1:
        return SIZE_2;
    case 0x7a3:
        return FULL;
    default: /* 7C and 7D convert all of a vector */
        return in->repeat && in->op < 0x7c ? SIZE_2 : FULL;
    }
}

static Shape map_6(const Insn *in)
{
    switch (in->op) {
    case 0x13:
        return in->has_66 ? HALF : SIZE_2;
    case 0x2d:
    case 0x43:
    case 0x4d:
    case 0x4f:
        return SIZE_2;
    case 0x57:
    case 0xd7:
        return SIZE_4;
    case 0x96 ... 0x9f:
    case 0xa6 ... 0xaf:
    case 0xb6 ... 0xbf:
        return in->op & 1 && (in->op & 15) >= 9 ? SIZE_2 : FULL;
    default:
        return FULL;
    }
}

/*--- Operands ---*/

static bool is_half_precision(const Insn *in)
{
    return in->map >= 5 || (in->map == 3 && !in->has_66);
}

/* The size of a number that is read once for all of a vector. */
static unsigned broadcast_size(const Insn *in)
{
    if (!is_half_precision(in))
        return in->is_wide ? 8 : 4;
    if (in->map == 6) /* complex numbers are pairs */
        return in->op == 0x56 || in->op == 0xd6 ? 4 : 2;
    if (in->map == 5 && in->op == 0x1d)
        return 4;
    if (in->map == 5 && ((in->op == 0x5a && in->has_66) || (in->op == 0x5b && !prefix(in)) ||
                         (in->op == 0x7a && in->repeat == 0xf2)))
        return in->is_wide ? 8 : 4;
    return 2;
}

static Shape shape_of(const Insn *in)
{
    static Shape (*const maps[])(const Insn *) = {
        [1] = map_0f, [2] = new_map_38, [3] = new_map_3a, [5] = map_5, [6] = map_6};

    return maps[in->map](in);
}

static bool is_write(const Insn *in)
{
    bool is_resized = in->repeat == 0xf3 && in->op >= 0x10 && in->op <= 0x35;

    switch (in->map) {
    case 2:
        return is_resized || in->op == 0x63 || in->op == 0x8a || in->op == 0x8b;
    case 3:
        return (in->op >= 0x14 && in->op <= 0x17) || in->op == 0x19 || in->op == 0x1b ||
               in->op == 0x1d || in->op == 0x39 || in->op == 0x3b;
    default:
        return in->op == 0x11 || in->op == 0x13 || in->op == 0x17 || in->op == 0x29 ||
               in->op == 0x2b || (in->op == 0x7e && in->repeat != 0xf3) || in->op == 0x7f ||
               in->op == 0x91 || in->op == 0xd6 || in->op == 0xe7;
    }
}

static unsigned size_of(const Insn *in, Shape shape)
{
    switch (shape) {
    case FULL:
    case PACKED:
    case PACKED_SHORT:
        return length(in);
    case HALF:
    case QUARTER:
    case EIGHTH:
        return length(in) >> (shape - FULL);
    case BY_W:
        return in->is_wide ? 8 : 4;
    default:
        return 1u << (shape - SIZE_1);
    }
}

/* The number by which a displacement of one byte is multiplied. */
static unsigned scale_of(const Insn *in, Shape shape, unsigned size)
{
    return shape == PACKED         ? (in->is_wide ? 8 : 4)
           : shape == PACKED_SHORT ? (in->is_wide ? 2 : 1)
                                   : size;
}

bool cp_access_gathers(const Insn *in)
{
    return in->code == CODE_EVEX && in->map == 2 &&
           ((in->op >= 0x90 && in->op <= 0x93) || (in->op >= 0xa0 && in->op <= 0xa3));
}

static int cp_accesses_new(const Insn *in, Access *a)
{
    enum { BROADCAST = 0x10 };
    Shape shape = shape_of(in);
    unsigned size;

    if (cp_access_gathers(in))
        return 0;
    size = in->evex & BROADCAST ? broadcast_size(in) : size_of(in, shape);
    *a = (Access){.place = AT_OPERAND, .size = (uint8_t)size, .is_write = is_write(in)};
    if (in->code == CODE_EVEX)
        a->offset = (int16_t)(in->short_offset * ((int)scale_of(in, shape, size) - 1));
    return 1;
}
