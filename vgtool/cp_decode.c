/*
 * cp_decode.c - an opcode's row says which bytes follow it and what it does with its operands; the
 * rest of an instruction's form is the same for all of them: prefixes, opcode, ModRM, SIB,
 * displacement, immediate.
 */
#include "cp_opcodes.h"

static uint8_t peek(const Form *f)
{
    return f->at < f->end ? *f->at : 0;
}

static uint8_t take(Form *f)
{
    uint8_t byte = peek(f);

    f->at++;
    return byte;
}

/* Prefixes of the first kinds, and REX. */
static void take_prefixes(Form *f, Insn *in)
{
    for (;; f->at++) {
        switch (peek(f)) {
        case 0x66:
            f->has_66 = true;
            continue;
        case 0xf2:
        case 0xf3:
            f->repeat = peek(f);
            continue;
        case 0xf0:
            in->is_locked = true;
            continue;
        case 0x64:
            in->has_fs = true;
            continue;
        case 0x65:
            f->has_gs = true;
            continue;
        case 0x67:
            f->has_67 = true;
            continue;
        case 0x26: /* other segments, and hints on jumps: without effect */
        case 0x2e:
        case 0x36:
        case 0x3e:
            continue;
        default:
            break;
        }
        break;
    }
    if ((peek(f) & 0xf0) != 0x40)
        return;
    in->rex = take(f);
    f->w = in->rex >> 3 & 1;
    f->r = (in->rex & 4) << 1;
    f->x = (in->rex & 2) << 2;
    f->b = (in->rex & 1) << 3;
}

static void set_prefix(Form *f, unsigned pp)
{
    f->has_66 = pp == 1;
    f->repeat = pp == 2 ? 0xf3 : pp == 3 ? 0xf2 : 0;
}

/* The bytes of VEX or EVEX behind the first one. Prefixes that they stand for are not allowed
 * before them. */
static bool take_vex(Form *f, Insn *in, unsigned first)
{
    unsigned p0, p1;

    if (in->rex || f->has_66 || f->repeat || in->is_locked)
        return false;
    p0 = take(f);
    in->code = first == 0x62 ? CODE_EVEX : CODE_VEX;
    f->r = p0 & 0x80 ? 0 : 8;
    if (first == 0xc5) {
        f->map = 1;
        p1 = p0 & 0x7f;
    } else {
        p1 = take(f);
        f->x = p0 & 0x40 ? 0 : 8;
        f->b = p0 & 0x20 ? 0 : 8;
        f->map = (uint8_t)(p0 & (first == 0x62 ? 7 : 31));
        f->w = (uint8_t)(p1 >> 7);
    }
    if (first == 0x62) {
        if (p0 & 8 || !(p1 & 4))
            return false;
        in->evex = take(f);
    }
    f->v = ~p1 >> 3 & 15;
    f->is_256 = first != 0x62 && (p1 & 4);
    set_prefix(f, p1 & 3);
    return (f->map >= 1 && f->map <= 3) || (first == 0x62 && (f->map == 5 || f->map == 6));
}

/* The opcode, with the bytes that say which map it is of. */
static bool take_opcode(Form *f, Insn *in)
{
    unsigned first = take(f);

    if (first == 0xc4 || first == 0xc5 || first == 0x62) {
        if (!take_vex(f, in, first))
            return false;
        f->op = take(f);
    } else {
        f->op = (uint8_t)first;
        if (first == 0x0f) {
            f->map = 1;
            f->op = take(f);
            if (f->op == 0x38 || f->op == 0x3a) {
                f->map = f->op == 0x38 ? 2 : 3;
                f->op = take(f);
            }
        }
    }
    in->opcode_at = (uint8_t)(f->at - 1 - f->bytes);
    f->modrm = peek(f);
    return true;
}

/* Registers of an operand in memory, and its displacement. */
static void take_memory(Form *f, uint32_t what, Insn *in)
{
    unsigned mod = f->modrm >> 6, rm = f->modrm & 7;
    unsigned displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;

    if (rm == 4) {
        unsigned sib = take(f), index = (sib >> 3 & 7) + f->x, base = sib & 7;

        if (index != REG_SP && !(what & VSIB))
            in->reads |= (uint16_t)BIT(index);
        if (base == 5 && !mod)
            displacement = 4;
        else
            in->reads |= (uint16_t)BIT(base + f->b);
    } else if (rm == 5 && !mod) {
        in->rip_at = (uint8_t)(f->at - f->bytes);
        displacement = 4;
    } else {
        in->reads |= (uint16_t)BIT(rm + f->b);
    }
    if (displacement == 1)
        in->short_offset = (int8_t)peek(f);
    f->at += displacement;
}

static unsigned immediate_size(const Form *f, uint32_t what)
{
    if (what & MOFFS)
        return f->has_67 ? 4 : 8;
    if (what & IMM_V)
        return f->w ? 8 : f->has_66 ? 2 : 4;
    if (what & IMM_Z)
        return f->has_66 && !f->w ? 2 : 4;
    return what & IMM_2 ? 2 : what & IMM_1 ? 1 : 0;
}

/* An operand in a register. Writing fewer than 32 bits keeps the others. Without REX, 4 to 7 are ah
 * to bh where it has 8 bits. */
static void use(Insn *in, unsigned number, bool reads, bool writes, bool is_byte, bool is_narrow)
{
    uint16_t bit;

    if (is_byte && in->code == CODE_LEGACY && !in->rex && number >= 4)
        number -= 4;
    bit = (uint16_t)BIT(number);
    if (reads || (writes && is_narrow))
        in->reads |= bit;
    if (writes)
        in->writes |= bit;
}

static void use_operands(const Form *f, uint32_t what, Insn *in)
{
    bool is_byte = what & BYTES, is_narrow = is_byte || (f->has_66 && !f->w && !(what & PREFIXED));

    if (what & (G_R | G_W))
        use(in, (f->modrm >> 3 & 7u) + f->r, what & G_R, what & G_W, is_byte, is_narrow);
    if (what & (O_R | O_W))
        use(in, (f->op & 7u) + f->b, what & O_R, what & O_W, is_byte, is_narrow);
    if (what & (V_R | V_W))
        use(in, f->v, what & V_R, what & V_W, false, false);
    if (what & (E_R | E_W) && cp_form_is_register(f))
        use(in, (f->modrm & 7u) + f->b, what & E_R, what & E_W, is_byte || (what & E_BYTE),
            is_narrow);
}

/* xor and sub of a register with itself look at nothing. */
static void forget_own_value(const Form *f, Insn *in)
{
    bool is_clearing = f->map == 0 && in->code == CODE_LEGACY &&
                       ((f->op >= 0x30 && f->op <= 0x33) || (f->op >= 0x28 && f->op <= 0x2b));

    if (is_clearing && f->op & 1 && !f->has_66 && cp_form_is_register(f) &&
        (f->modrm >> 3 & 7) + f->r == (f->modrm & 7) + f->b)
        in->reads = 0;
}

/* A shift by no bits changes no flags. */
static bool is_shift_by_nothing(const Form *f, const Insn *in, unsigned immediate)
{
    bool is_byte = f->map == 0 && f->op == 0xc0;
    bool is_shift =
        f->map == 0 ? is_byte || f->op == 0xc1 : f->map == 1 && (f->op == 0xa4 || f->op == 0xac);

    return is_shift && in->code == CODE_LEGACY && !(immediate & (f->w && !is_byte ? 63 : 31));
}

static int64_t signed_number(const uint8_t *bytes, unsigned size)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < size; i++)
        n |= (uint64_t)bytes[i] << 8 * i;
    return size == 1 ? (int8_t)n : size == 2 ? (int16_t)n : size == 4 ? (int32_t)n : (int64_t)n;
}

/* True if the prefixes fit the instruction. */
static bool are_prefixes_known(const Form *f, const Row *r, const Insn *in)
{
    bool is_of_16_bits = f->has_66 && !f->w;

    if (f->has_gs)
        return false;
    if (is_of_16_bits && ((r->what & WIDE) || r->kind > INSN_REPEAT))
        return false; /* a push of 16 bits, a jump of 16 bits on some processors */
    if (in->rip_at && (f->has_67 || in->has_fs || f->x))
        return false;
    if (f->has_67 &&
        (r->kind == INSN_STATUS || r->kind == INSN_JMP_INDIRECT || r->kind == INSN_CALL_INDIRECT))
        return false; /* copies make other instructions of them */
    return r->kind != INSN_REPEAT || !in->has_fs;
}

static void set_form(const Form *f, Insn *in)
{
    in->has_66 = f->has_66;
    in->has_67 = f->has_67;
    in->is_wide = f->w;
    in->is_256 = f->is_256;
    in->repeat = f->repeat;
    in->map = f->map;
    in->op = f->op;
    in->modrm = f->modrm;
}

/* The rest of the instruction, whose opcode has the row. */
static bool take_rest(Form *f, const Row *r, Insn *in)
{
    uint32_t what = r->what;
    unsigned size;

    in->reads = r->reads;
    in->writes = r->writes;
    if (what & MODRM) {
        in->modrm_at = (uint8_t)(f->at - f->bytes);
        f->at++;
        if (what & (cp_form_is_register(f) ? MEMORY_ONLY : REGISTER_ONLY))
            return false;
        if (!cp_form_is_register(f))
            take_memory(f, what, in);
    }
    use_operands(f, what, in);
    forget_own_value(f, in);
    size = immediate_size(f, what);
    f->at += size;
    if (f->at > f->end || f->at - f->bytes > 15 || !are_prefixes_known(f, r, in))
        return false;
    in->length = (uint8_t)(f->at - f->bytes);
    in->has_x87 = what & X87;
    in->has_masks = in->code == CODE_EVEX || what & MASKS;
    in->is_new = in->has_masks || what & NEW;
    in->flags_read = r->flags_read;
    if (!is_shift_by_nothing(f, in, in->length ? f->at[-1] : 0))
        in->flags_killed = r->flags_killed;
    in->kind = r->kind;
    set_form(f, in);
    in->immediate = (int32_t)signed_number(f->at - size, size);
    if (r->kind == INSN_JCC)
        in->condition = f->op & 15;
    if (r->kind == INSN_RET && size)
        in->pops = (uint16_t)(f->at[-2] | f->at[-1] << 8);
    if (r->kind == INSN_JCC || r->kind == INSN_JMP || r->kind == INSN_CALL)
        in->target = in->address + in->length + (uint64_t)signed_number(f->at - size, size);
    else if (in->rip_at)
        in->target = in->address + in->length + (uint64_t)signed_number(f->bytes + in->rip_at, 4);
    return true;
}

static Row row_of(const Form *f, const Insn *in)
{
    switch (in->code) {
    case CODE_EVEX:
        return cp_opcode_evex(f, f->op);
    case CODE_VEX:
        return cp_opcode_vex(f, f->op);
    default:
        return cp_opcode_legacy(f, f->op);
    }
}

bool cp_decode(const uint8_t *bytes, uint32_t room, uint64_t address, Insn *in)
{
    Form f = {.bytes = bytes, .at = bytes, .end = bytes + room};
    Row r;

    *in = (Insn){.address = address, .bytes = bytes};
    take_prefixes(&f, in);
    if (f.at - bytes < 12 && take_opcode(&f, in)) {
        r = row_of(&f, in);
        if (!(r.what & REFUSED) && take_rest(&f, &r, in))
            return true;
    }
    *in = (Insn){.address = address, .bytes = bytes};
    return false;
}
