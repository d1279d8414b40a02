/*
 * cp_accesses_new.c - the accesses of instructions that VEX does not know: those of AVX-512, and
 * some younger ones behind VEX's prefixes. A processor's operand is one access, masked or not:
 * which of its numbers are left out depends on the mask. Those of gathers depend on registers, too.
 * tests/tool/decode-new.c compares sizes and places with objdump's.
 *
 * Source of the sizes: Intel's manual, volume 2, chapter 2.7.5, the tuple types of EVEX: they are
 * the sizes of operands, by which displacements of one byte are multiplied.
 */
#include "cp_accesses.h"

/* Sizes of operands. Those from SIZE_1 on are so many bytes. */
typedef enum {
    FULL, /* a vector */
    HALF,
    QUARTER,
    EIGHTH,
    BY_W,   /* 4 bytes, or with W 8 */
    PACKED, /* a vector's first numbers, so many as its mask has; they are of 4 bytes, or with W 8
             */
    PACKED_SHORT, /* likewise, of 1 byte, or with W 2 */
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

static Shape map_38(const Insn *in)
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

static Shape map_3a(const Insn *in)
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
        [1] = map_0f, [2] = map_38, [3] = map_3a, [5] = map_5, [6] = map_6};

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

int cp_accesses_new(const Insn *in, Access *a)
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
