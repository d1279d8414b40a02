/*
 * cp_opcodes_vex.c - the rows of opcodes behind VEX and EVEX. AMX and APX are refused.
 */
#include "cp_opcodes.h"

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
