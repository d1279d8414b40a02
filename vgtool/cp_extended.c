/*
 * cp_extended.c - code that says, as it runs first, that the program uses long doubles of 80 bits.
 * The system's libraries do not count: they use them by themselves, as libstdc++ does to size hash
 * tables, and what a program gets of them in other places goes through its own code.
 */
#include "cp_extended.h"

#include "cp_arch.h"
#include "cp_object.h"
#include "cp_recipe.h"

static ULong is_said;

static void say(void)
{
    is_said = True;
    VG_(umsg)("long doubles of 80 bits are computed with 64\n");
}

static Bool is_system(Addr address)
{
    static const HChar *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    const HChar *path = cp_object(cp_range(cp_range_at(address))->object)->path;

    for (UInt i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!VG_(strncmp)(path, folders[i], VG_(strlen)(folders[i])))
            return True;
    return False;
}

void cp_extended_watch(IRSB *out, const IRDirty *d, Addr address)
{
    IRExpr *is_first;

    if (!cp_arch_is_extended(d->cee->name) || is_system(address))
        return;
    cp_recipe_refuse(); /* a later run may begin with this use, and has to say it, too */
    if (is_said)
        return;
    is_first =
        IRExpr_Binop(Iop_CmpEQ64, cp_ir_load(out, cp_ir_word((Addr)&is_said)), cp_ir_word(0));
    cp_ir_call(out, 0, "say", say, mkIRExprVec_0(), cp_ir_assign(out, Ity_I1, is_first));
}
