/* cp_near_free.c - registers that code of the tool may use between two instructions of a copy. */
#include "cp_near.h"

/* True if the processor may refuse the instruction, or what it accesses: a handler of the program
 * sees all registers then. Those of vectors may be unknown to it. */
static Bool may_fault(const Insn *in)
{
    const UChar *bytes = in->bytes;
    UInt op = bytes[in->opcode_at], modrm = bytes[in->modrm_at];

    if (in->kind == INSN_JCC)
        return False;
    if (in->kind != INSN_PLAIN || in->code != CODE_LEGACY || in->has_x87 || in->is_locked ||
        (in->reads | in->writes) & 1u << REG_SP)
        return True;
    if (!in->modrm_at)
        return op == 0xd7 || (op >= 0xa0 && op <= 0xaf && (op | 1) != 0xa9); /* as movs, xlat */
    if (in->opcode_at && bytes[in->opcode_at - 1] == 0x0f)
        return modrm < 0xc0 || op < 0x40 || (op >= 0x50 && op < 0x90) ||
               (op >= 0xc2 && op < 0xc8) || op >= 0xd0;
    if (in->opcode_at > 1 && bytes[in->opcode_at - 2] == 0x0f)
        return True;
    return modrm < 0xc0 ? op != 0x8d : (op | 1) == 0xf7 && modrm >= 0xf0; /* lea; div */
}

UInt cp_near_free_registers(const Insn *at, const Insn *last, Bool exact)
{
    UInt used = 1u << REG_SP, free = 0;

    for (; at <= last && used != 0xffff && !(exact && may_fault(at)); at++) {
        free |= at->writes & ~(UInt)at->reads & ~used;
        used |= at->reads | at->writes;
    }
    return free;
}
