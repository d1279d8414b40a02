/*
 * cp_kept_names.c - data structure: where functions of such files begin, by object.
 */
#include "cp_kept_names.h"

#include "cp_file.h"
#include "cp_format.h"
#include "cp_object.h"

typedef struct {
    UInt object;
    Addr start; /* in the file */
    const HChar *name;
} KeptName;

static KeptName *kept;
static UInt n_kept, room;

/* The object whose state was looked at last: basic blocks of one object mostly come together. */
static UInt looked_at = ~0u;
static Bool is_gone;

static void keep(UInt object, Addr start, const HChar *name)
{
    if (n_kept && kept[n_kept - 1].object == object && kept[n_kept - 1].start == start)
        return;
    if (n_kept == room) {
        room = room ? 2 * room : 256;
        kept = VG_(realloc)("cp.kept-names.1", kept, room * sizeof *kept);
    }
    kept[n_kept++] = (KeptName){object, start, name};
}

/* Keeps the name of the function at the address; where it has none, or no table has the code, it is
 * that too which is kept, so that no other function's name is taken for it. */
static void keep_at(UInt object, const ElfFunctions *f, Addr address)
{
    Int at = cp_elf_find(f, f->n, address);
    const ElfFunction *item = at < 0 ? NULL : &f->items[at];
    Int owner = item ? cp_elf_find(f, f->n, item->owner) : -1;

    if (!item)
        return;
    if (item->end > item->start && address >= item->end)
        keep(object, item->end, "???");
    else if (item->transparent)
        keep(object, item->start, CP_STUB_NAME);
    else
        keep(object, item->start,
             owner >= 0 && f->items[owner].name ? f->items[owner].name : "???");
}

void cp_kept_names_note(const BasicBlock *b)
{
    const Range *range = cp_range(b->range);

    if (looked_at != range->object) {
        looked_at = range->object;
        is_gone = cp_object_is_gone(cp_object(looked_at));
    }
    if (is_gone)
        keep_at(looked_at, &cp_object(looked_at)->functions, b->start - range->bias);
}

static Int by_place(const void *a, const void *b)
{
    const KeptName *x = a, *y = b;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

void cp_kept_names_write(void)
{
    VG_(ssort)(kept, n_kept, sizeof *kept, by_place);
    for (UInt i = 0; i < n_kept; i++) {
        if (i && !by_place(&kept[i - 1], &kept[i]))
            continue;
        cp_begin_record(CP_REC_KEPT_NAME);
        cp_put_decimal(kept[i].object);
        cp_put_char(' ');
        cp_put_hex(kept[i].start);
        cp_put_char(' ');
        cp_put_text(kept[i].name);
    }
    n_kept = 0;
    looked_at = ~0u;
}
