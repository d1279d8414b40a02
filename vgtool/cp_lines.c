/*
 * cp_lines.c - data structure #1: rows of used bytes. #2: the owner of each row's line.
 */
#include "cp_lines.h"

#include "cp_arch.h"

#define MAX_FETCHED 2 /* by one access */

ULong *cp_lines_reach;
UChar *cp_lines_rows;
UWord cp_lines_set_mask;
void (*cp_lines_evicted)(ULong owner, UInt used);

static ULong near_reach[LINES_NEAR];
static ULong *owners; /* by row; 0: nobody */
static UInt n_rows;
static UInt fetched[MAX_FETCHED], n_fetched;

void cp_lines_init(UInt sets, UInt ways)
{
    SizeT size;

    cp_lines_reach =
        sets <= LINES_NEAR ? near_reach : VG_(calloc)("cp.lines.3", sets, sizeof *cp_lines_reach);
    cp_lines_set_mask = sets - 1;
    n_rows = sets * ways;
    size = (SizeT)n_rows * LINES_ROW;
    cp_lines_rows = (UChar *)VG_ROUNDUP((Addr)VG_(malloc)("cp.lines.1", size + 63), 64);
    VG_(memset)(cp_lines_rows, 0, size);
    owners = VG_(calloc)("cp.lines.2", n_rows, sizeof *owners);
    cp_lines_reach[0] = (Addr)cp_lines_rows; /* line 0 is in D1 at first */
}

VG_REGPARM(2) void cp_lines_mark_guarded(Addr a, UWord size)
{
    cp_lines_mark(a, (UInt)size);
}

/* The number of bytes in the row that were used. */
static inline UInt used_bytes(UInt row)
{
    const UChar *at = cp_lines_row(row);
    ULong used = 0;

    for (UInt i = 0; i < LINES_SIZE; i += sizeof(Vector))
        used |= (ULong)cp_v_mask_bytes(cp_v_load(at + i)) << i;
    return cp_count_bits(used);
}

static void evict(UInt row)
{
    if (LIKELY(owners[row]))
        cp_lines_evicted(owners[row], used_bytes(row));
    owners[row] = 0;
    for (UInt i = 0; i < LINES_SIZE; i += sizeof(Vector))
        cp_v_store(cp_lines_row(row) + i, cp_v_zero());
}

void cp_lines_fetch(UInt row)
{
    evict(row);
    tl_assert(n_fetched < MAX_FETCHED);
    fetched[n_fetched++] = row;
}

void cp_lines_empty(void)
{
    for (UInt i = 0; i < n_rows; i++)
        evict(i);
}

UInt cp_lines_own(ULong owner, UInt *rows)
{
    UInt n = n_fetched;

    for (UInt i = 0; i < n; i++) {
        rows[i] = fetched[i];
        owners[fetched[i]] = owner;
    }
    n_fetched = 0;
    return n;
}

void cp_lines_pass(UInt row, ULong from, ULong to)
{
    if (owners[row] == from)
        owners[row] = to;
}

void cp_lines_forget(void)
{
    VG_(memset)(owners, 0, n_rows * sizeof *owners);
}

void cp_lines_each(void (*tell)(ULong owner, UInt used))
{
    for (UInt i = 0; i < n_rows; i++)
        if (owners[i])
            tell(owners[i], used_bytes(i));
}
