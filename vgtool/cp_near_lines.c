/*
 * cp_near_lines.c - accesses of a copy that need no test, since they are to bytes whose lines are
 * known to be the most recently used ones of their sets.
 *
 * Each register is known to be the *value* that some register had at a place in the copy before,
 * and a number more. So are addresses: where two of them differ by a number, it is known which
 * bytes are the same, and that an access to one of them does not come into the set of the other
 * unless it is to its line. An access whose distance is not known may come into any set.
 */
#include "cp_cache.h"
#include "cp_near.h"

/* A value of 0 is no register: the number alone. */
typedef struct {
    UInt value;
    ULong number;
} Sum;

static Sum registers[REGS];
static UInt n_values;

/* Bytes from base + (index << scale) + begin on. */
typedef struct {
    UInt base, index; /* values */
    UInt scale;
    Bool has_fs;
    Long begin, end;
} Bytes;

/* The latest is the last one. */
enum { MOST_KNOWN = 8 };
static Bytes known[MOST_KNOWN];
static UInt n_known;

/*--- Registers ---*/

static Sum new_value(void)
{
    return (Sum){.value = ++n_values};
}

void cp_near_begin_lines(void)
{
    n_known = n_values = 0;
    for (UInt i = 0; i < REGS; i++)
        registers[i] = new_value();
}

static UInt first_register(const Insn *in) /* that ModRM's middle bits name */
{
    return (in->modrm >> 3 & 7u) | (in->rex & 4u) << 1;
}

static UInt last_register(const Insn *in)
{
    return (in->modrm & 7u) | (in->rex & 1u) << 3;
}

static Sum plus(Sum s, Long number)
{
    s.number += (ULong)number;
    return s;
}

/* The bytes of the operand in memory; false: its address is cut to 32 bits. */
static Bool find_operand(const Insn *in, Bytes *b)
{
    Operand o;
    Sum base, index;

    *b = (Bytes){.has_fs = in->has_fs};
    if (in->has_67)
        return False;
    if (in->rip_at) {
        b->begin = (Long)in->target;
        return True;
    }
    o = cp_operand(in);
    base = o.base == NO_BASE ? (Sum){0} : registers[o.base];
    index = o.index == NO_BASE ? (Sum){0} : registers[o.index];
    b->base = base.value;
    b->index = index.value;
    b->scale = b->index ? o.scale : 0;
    b->begin = (Long)(base.number + (index.number << o.scale)) + o.number;
    return True;
}

/* The sum that an instruction on registers of 64 bits sets; false: another value. */
static Bool evaluate(const Insn *in, Sum *sum)
{
    Bytes b;

    if (in->map || in->code != CODE_LEGACY || !in->is_wide)
        return False;
    if (in->op == 0x8d) { /* lea */
        Bool is_sum = find_operand(in, &b) && !b.index && !b.has_fs;
        *sum = (Sum){b.base, (ULong)b.begin};
        return is_sum;
    }
    if (in->modrm < 0xc0)
        return False;
    *sum = registers[last_register(in)];
    switch (in->op) {
    case 0x89: /* mov */
        *sum = registers[first_register(in)];
        return True;
    case 0x8b:
        return True;
    case 0x81: /* add, sub of an immediate */
    case 0x83:
        *sum = plus(*sum, first_register(in) & 7 ? -(Long)in->immediate : in->immediate);
        return (in->modrm >> 3 & 7) == 0 || (in->modrm >> 3 & 7) == 5;
    case 0xff: /* inc, dec */
        *sum = plus(*sum, in->modrm >> 3 & 1 ? -1 : 1);
        return (in->modrm >> 3 & 7) < 2;
    default:
        return False;
    }
}

/* The stack pointer behind a push or pop; false: it is no such. */
static Bool move_stack(const Insn *in, Sum *sp)
{
    Bool is_push = in->op >> 3 == 0xa || in->op == 0x68 || in->op == 0x6a;

    if (in->map || in->code != CODE_LEGACY || in->has_66)
        return False;
    *sp = plus(registers[REG_SP], is_push ? -8 : 8);
    return is_push || (in->op >> 3 == 0xb && in->writes != 1u << REG_SP);
}

void cp_near_pass_lines(const Insn *in)
{
    Sum sum, sp;
    Bool is_sum = evaluate(in, &sum), is_moved = move_stack(in, &sp);

    for (UInt reg = 0; reg < REGS; reg++)
        if (in->writes >> reg & 1)
            registers[reg] = reg == REG_SP && is_moved ? sp : is_sum ? sum : new_value();
}

/*--- Accesses ---*/

static Bool find_bytes(const Insn *in, const Access *a, Bytes *b)
{
    static const UInt bases[] = {[AT_PUSH] = REG_SP,
                                 [AT_TOP] = REG_SP,
                                 [AT_BP] = REG_BP,
                                 [AT_SI] = REG_SI,
                                 [AT_DI] = REG_DI};
    Sum s;

    if (a->place == AT_OPERAND) {
        if (!find_operand(in, b))
            return False;
    } else {
        s = registers[bases[a->place]];
        *b = (Bytes){.base = s.value, .begin = (Long)s.number};
        if (a->place == AT_PUSH)
            b->begin -= 8;
    }
    b->begin += a->offset;
    b->end = b->begin + (a->size < cp_min_line ? a->size : cp_min_line);
    return True;
}

/* True if the distance of the bytes is known, and so short that they are on lines of different
 * sets, or on one line. */
static Bool are_near(const Bytes *a, const Bytes *b)
{
    const Long line = 1L << cp_mru_D1.line_bits, all = line * cp_mru_D1.sets;
    Long begin = a->begin < b->begin ? a->begin : b->begin, end = a->end > b->end ? a->end : b->end;

    return a->base == b->base && a->index == b->index && a->scale == b->scale &&
           a->has_fs == b->has_fs && end - begin <= all - line;
}

/* True if there is no line between them. */
static Bool are_joined(const Bytes *a, const Bytes *b)
{
    const Long line = 1L << cp_mru_D1.line_bits;

    return a->begin - b->end < line && b->begin - a->end < line;
}

static Bool is_known(const Bytes *b)
{
    for (UInt i = 0; i < n_known; i++)
        if (are_near(&known[i], b) && known[i].begin <= b->begin && known[i].end >= b->end)
            return True;
    return False;
}

/* From now on only these bytes, and those that are near, are known. */
static void know(Bytes b)
{
    UInt n = 0;

    for (UInt i = 0; i < n_known; i++) {
        const Bytes *k = &known[i];
        if (!are_near(k, &b))
            continue;
        if (!are_joined(k, &b)) {
            known[n++] = *k;
            continue;
        }
        b.begin = k->begin < b.begin ? k->begin : b.begin;
        b.end = k->end > b.end ? k->end : b.end;
    }
    if (n == MOST_KNOWN)
        VG_(memmove)(known, known + 1, --n * sizeof *known);
    known[n++] = b;
    n_known = n;
}

Bool cp_near_needs_test(const Insn *in, const Access *a)
{
    Bytes b;

    if (!find_bytes(in, a, &b)) {
        n_known = 0;
        return True;
    }
    if (is_known(&b))
        return False;
    know(b);
    return True;
}
