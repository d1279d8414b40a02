/* cp_arch.c - registers of threads, whatever the processor. */
#include "cp_arch.h"

#include "pub_tool_machine.h"

enum { NO_SHADOW = 0 /* the register itself, for functions that access its shadows, too */ };

ULong cp_arch_register(ThreadId tid, PtrdiffT offset)
{
    ULong value;

    VG_(get_shadow_regs_area)(tid, (UChar *)&value, NO_SHADOW, offset, sizeof value);
    return value;
}

void cp_arch_set_register(ThreadId tid, PtrdiffT offset, ULong value)
{
    VG_(set_shadow_regs_area)(tid, NO_SHADOW, offset, sizeof value, (const UChar *)&value);
}

void cp_arch_set_result(ThreadId tid, Word result)
{
    cp_arch_set_register(tid, CP_RESULT_OFFSET, (ULong)result);
}
