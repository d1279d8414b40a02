/*
 * cp_opcodes_x87.c - the rows of x87's opcodes, D8 to DF. Their operands are on a stack of
 * registers of its own; general registers are in addresses alone, but for fnstsw.
 */
#include "cp_opcodes.h"

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

Row cp_opcode_x87(const Form *f, unsigned op)
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
