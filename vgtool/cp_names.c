/*
 * cp_names.c - data structure: a pool of names, sorted when they are written.
 */
#include "cp_names.h"

#include "cp_block.h"
#include "cp_file.h"
#include "cp_format.h"
#include "pub_tool_debuginfo.h"

typedef struct {
    UInt range;
    Addr address;
    const HChar *name;
} Name;

static Pool names = {.size = sizeof(Name), .tag = "cp.names.1"};

void cp_names_note(Addr address)
{
    Name *n = cp_pool_add(&names);
    const HChar *text;

    n->range = cp_superblock_range();
    n->address = address;
    if (!VG_(get_fnname)(VG_(current_DiEpoch)(), address, &text))
        text = "???";
    n->name = VG_(strdup)("cp.names.2", text);
}

static Int by_place(const void *a, const void *b)
{
    const Name *x = *(const Name *const *)a, *y = *(const Name *const *)b;

    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Writes one record for each instruction, however many superblocks have it. */
void cp_names_write(void (*put_place)(UInt range, Addr address))
{
    const Name **sorted = VG_(malloc)("cp.names.3", (names.n + 1) * sizeof *sorted);

    for (UInt i = 0; i < names.n; i++)
        sorted[i] = cp_pool_at(&names, i);
    VG_(ssort)(sorted, names.n, sizeof *sorted, by_place);
    for (UInt i = 0; i < names.n; i++) {
        const Name *n = sorted[i];
        if (i && by_place(&sorted[i - 1], &sorted[i]) == 0)
            continue;
        cp_begin_record(CP_REC_NAME);
        put_place(n->range, n->address);
        cp_put_char(' ');
        cp_put_text(n->name);
    }
    VG_(free)(sorted);
}
