/*
 * cp_near_unknown.c - instructions that copies execute and VEX does not know. The first of them
 * that ran is told to the user, as VEX's own are: other ways to count lack it.
 */
#include "cp_near.h"
#include "pub_tool_debuginfo.h"

/* A basic block with such an instruction. */
typedef struct {
    const Function *function;
    UInt slot;
    Addr address;
    Bool gathers;
    UChar length, bytes[15];
} Unknown;
static Pool blocks = {.size = sizeof(Unknown), .tag = "cp.near.9"};

void cp_near_note_unknown(const Function *f, UInt slot, const Insn *in)
{
    Unknown *u = cp_pool_add(&blocks);

    *u = (Unknown){.function = f,
                   .slot = slot,
                   .address = in->address,
                   .gathers = cp_access_gathers(in),
                   .length = in->length};
    VG_(memcpy)(u->bytes, (const void *)in->address, in->length);
}

static Bool has_executed(const Unknown *u)
{
    const Node *n = cp_function_nodes(u->function);

    while (n && !cp_node_counted(n, u->slot))
        n = cp_node_of_same(n);
    return n != NULL;
}

/* Data of gathers are not counted. */
static void say_gathers(void)
{
    for (UInt i = 0; i < blocks.n; i++) {
        const Unknown *u = cp_pool_at(&blocks, i);
        if (u->gathers && has_executed(u)) {
            VG_(umsg)("gathers or scatters of AVX-512 ran\n");
            return;
        }
    }
}

void cp_near_say_unknown(void)
{
    const Unknown *u = NULL;
    UInt i = 0;

    while (i < blocks.n && !has_executed(u = cp_pool_at(&blocks, i)))
        i++;
    if (i == blocks.n)
        return;
    VG_(umsg)("copied instruction bytes:");
    for (i = 0; i < u->length; i++)
        VG_(umsg)(" 0x%X", u->bytes[i]);
    VG_(umsg)("\n   at %s\n", VG_(describe_IP)(VG_(current_DiEpoch)(), u->address, NULL));
    if (clo_cache_sim)
        say_gathers();
}
