/*
 * cp_near_known.c - registers whose values follow from the instructions of a copy alone. VEX works
 * such values out, and makes no branch where it knows the way.
 */
#include "cp_near.h"

static ULong values[REGS];
static UInt known; /* a set */

static UInt first_register(const Insn *in) /* that ModRM's middle bits name */
{
    return (in->modrm >> 3 & 7u) | (in->rex & 4u) << 1;
}

static UInt last_register(const Insn *in)
{
    return (in->modrm & 7u) | (in->rex & 1u) << 3;
}

static Bool is_known(UInt reg)
{
    return known >> reg & 1;
}

/* The operations of add, or, adc, sbb, and, sub, xor, cmp by their numbers. */
static Bool combine(UInt operation, ULong a, ULong b, ULong *result)
{
    switch (operation) {
    case 0:
        *result = a + b;
        return True;
    case 1:
        *result = a | b;
        return True;
    case 4:
        *result = a & b;
        return True;
    case 5:
        *result = a - b;
        return True;
    case 6:
        *result = a ^ b;
        return True;
    default:
        return False;
    }
}

static Bool combine_registers(const Insn *in, ULong *result)
{
    UInt g = first_register(in), e = last_register(in);
    UInt to = in->op & 2 ? g : e, from = in->op & 2 ? e : g;

    if (in->op >> 3 == 6 && to == from) {
        *result = 0;
        return True;
    }
    return is_known(to) && is_known(from) && combine(in->op >> 3, values[to], values[from], result);
}

static Bool shift(const Insn *in, UInt by, ULong *result)
{
    UInt reg = last_register(in), operation = in->modrm >> 3 & 7;
    ULong value = values[reg];

    if (!is_known(reg) || (operation != 4 && operation != 5))
        return False;
    if (!in->is_wide)
        value = (UInt)value;
    by &= in->is_wide ? 63 : 31;
    *result = operation == 4 ? value << by : value >> by;
    return True;
}

/* lea of an address relative to RIP, or of a register and a displacement. */
static Bool load_address(const Insn *in, ULong *result)
{
    const UChar *modrm = in->bytes + in->modrm_at;
    UInt mod = in->modrm >> 6, reg = last_register(in);
    Int displacement = 0;

    if (in->rip_at) {
        *result = in->target;
        return True;
    }
    if ((in->modrm & 7) == REG_SP || !is_known(reg))
        return False;
    if (mod == 1)
        displacement = (signed char)modrm[1];
    else if (mod == 2)
        __builtin_memcpy(&displacement, modrm + 1, sizeof displacement);
    *result = values[reg] + (ULong)(Long)displacement;
    return True;
}

/* The result of an instruction on registers of 32 or 64 bits. */
static Bool evaluate(const Insn *in, ULong *result)
{
    ULong number = (ULong)(Long)in->immediate;
    UInt reg = last_register(in);

    if (in->op == 0x8d)
        return load_address(in, result);
    *result = number;
    if (in->op >= 0xb8 && in->op <= 0xbf) {
        if (in->is_wide) /* the number has 64 bits */
            __builtin_memcpy(result, (const void *)(in->address + in->length - 8), 8);
        return True;
    }
    if (in->modrm < 0xc0)
        return False;
    switch (in->op) {
    case 0xc7:
        return True;
    case 0x89:
    case 0x8b:
        reg = in->op == 0x89 ? first_register(in) : reg;
        *result = values[reg];
        return is_known(reg);
    case 0x81:
    case 0x83:
        return is_known(reg) && combine(in->modrm >> 3 & 7, values[reg], number, result);
    case 0xc1:
        return shift(in, (UInt)number, result);
    case 0xd1:
        return shift(in, 1, result);
    case 0xff: /* inc, dec */
        *result = values[reg] + ((in->modrm >> 3 & 7) ? ~0ULL : 1);
        return is_known(reg) && (in->modrm >> 3 & 7) < 2;
    default:
        return in->op < 0x40 && ((in->op & 7) == 1 || (in->op & 7) == 3) &&
               combine_registers(in, result);
    }
}

static void follow(const Insn *in)
{
    ULong result = 0;
    Bool is_plain = in->code == CODE_LEGACY && !in->map && !in->has_66 && !in->has_67 &&
                    in->kind == INSN_PLAIN && in->writes && !(in->writes & (in->writes - 1));

    if (is_plain && evaluate(in, &result)) {
        known |= in->writes;
        values[__builtin_ctz(in->writes)] = in->is_wide ? result : (UInt)result;
    } else {
        known = cp_near_ends_superblock(in) ? 0 : known & ~(UInt)in->writes;
    }
}

Bool cp_near_knows_register(const Insn *insns, UInt n, UInt reg, ULong *value)
{
    known = 0;
    for (UInt i = 0; i < n; i++)
        follow(&insns[i]);
    *value = values[reg];
    return is_known(reg);
}

/*--- Branches ---*/

/* VEX optimises a superblock once more, and finds out then, if it uses registers of x87. */
static Bool has_x87(const Insn *insns, UInt i)
{
    while (i-- > 0 && !cp_near_ends_superblock(&insns[i]))
        if (insns[i].has_x87)
            return True;
    return False;
}

static Bool knows(const Insn *insns, UInt n, UInt reg)
{
    ULong value;

    return cp_near_knows_register(insns, n, reg, &value);
}

/* True if the flags that insns[i] sets follow from registers whose values are known. */
static Bool knows_flags(const Insn *insns, UInt i)
{
    const Insn *in = &insns[i];
    UInt reads = in->reads;

    if (in->writes && !(in->writes & (in->writes - 1)) &&
        knows(insns, i + 1, __builtin_ctz(in->writes)))
        return True;
    if (!reads || (in->modrm_at && in->modrm < 0xc0))
        return False;
    for (; reads; reads &= reads - 1)
        if (!knows(insns, i, __builtin_ctz(reads)))
            return False;
    return True;
}

/* Which of these branches are left, depends on the operation, on the condition, and on the version
 * of VEX. */
Bool cp_near_may_know_way(const Insn *insns, UInt i)
{
    if (insns[i].kind != INSN_JCC || !has_x87(insns, i))
        return False;
    do
        i--;
    while (!insns[i].flags_killed && !cp_near_ends_superblock(&insns[i]) && i > 0);
    return knows_flags(insns, i);
}
