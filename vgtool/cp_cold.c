/*
 * cp_cold.c - data structure #1: each superblock's cold blocks, in a list. Equal ones are kept
 * once, so that translating code again adds nothing. #2: a queue of superblocks that have become
 * hot.
 */
#include "cp_cold.h"

#include "cp_cache.h"
#include "cp_context.h"
#include "cp_core.h"
#include "cp_lines.h"

/* A superblock is translated anew after so many executions of one of its basic blocks, or of its
 * end. A translation costs about as much as these (doc/design.md). */
#define HOT       1000
#define HOT_ENDS  5000
#define CHECK_HOT 2 /* with --cprof-check */

/* After discarding more than one translation the core has to look for all again, so several are
 * discarded at once. */
#define QUEUE    512
#define INTERVAL 50000 /* superblocks */

/* Cold blocks that one superblock may have: more than one content of it needs. */
#define MAX_BLOCKS 256

static UInt hot_executions;
UInt cp_cold_max_ends;
static ColdCode *queue[QUEUE];
static UInt n_queue;

/* Cold blocks lie one behind another, in the order of translation. Released ones are used again, by
 * their number of accesses. */
#define CHUNK 65536
static UChar *chunk;
static SizeT in_chunk = CHUNK;
static ColdBlock *released[COLD_ACCESSES + 1];

static SizeT size_of(const ColdBlock *cold)
{
    return offsetof(ColdBlock, accesses) + cold->n_accesses * sizeof *cold->accesses;
}

static ColdBlock *new_block(const ColdBlock *like)
{
    ColdBlock *cold = released[like->n_accesses];
    SizeT size = size_of(like);

    if (cold) {
        released[like->n_accesses] = cold->next;
        return cold;
    }
    if (in_chunk + size > CHUNK) {
        chunk = VG_(malloc)("cp.cold.1", CHUNK);
        in_chunk = 0;
    }
    in_chunk += size;
    return (ColdBlock *)(chunk + in_chunk - size);
}

/* Compares the totals too: a basic block's record may count other code by now. */
static Bool same_block(const ColdBlock *a, const ColdBlock *b)
{
    return a->code == b->code && a->block == b->block && a->ir == b->ir && a->dr == b->dr &&
           a->dw == b->dw && a->bc == b->bc && a->bi == b->bi && a->n_accesses == b->n_accesses &&
           a->address == b->address &&
           !VG_(memcmp)(a->accesses, b->accesses, a->n_accesses * sizeof *a->accesses);
}

/* Releases the superblock's cold blocks. Where code is rewritten over and over, their translation
 * is gone. */
static void forget_blocks(ColdCode *code)
{
    while (code->blocks) {
        ColdBlock *cold = code->blocks;
        code->blocks = cold->next;
        cold->next = released[cold->n_accesses];
        released[cold->n_accesses] = cold;
    }
    code->n_blocks = 0;
}

Bool cp_cold_begin(void)
{
    ColdCode *code = cp_superblock_cold();

    if (code->n_blocks > MAX_BLOCKS)
        forget_blocks(code);
    return !code->hot;
}

void cp_cold_add_access(ColdBlock *cold, AccessPoint *access)
{
    cold->accesses[cold->n_accesses++] = (ColdAccess){.point = access, .size = access->size};
}

void cp_cold_add_fetch(ColdBlock *cold, AccessPoint *fetch, Addr address, UInt size, UInt lines)
{
    if (!cold->address)
        cold->address = fetch->address;
    cold->accesses[cold->n_accesses++] = (ColdAccess){.point = fetch,
                                                      .delta = (UInt)(address - cold->address),
                                                      .size = (UShort)size,
                                                      .fetched = (UShort)lines};
}

void cp_cold_set_block(ColdBlock *cold, BasicBlock *block)
{
    ULong totals[CP_COLUMNS];

    cp_block_costs(block->instrs, block->n_instrs, totals);
    cold->block = block;
    cold->slot = block->slot;
    cold->ir = (UShort)totals[CP_COLUMN_IR];
    cold->dr = (UShort)totals[CP_COLUMN_DR];
    cold->dw = (UShort)totals[CP_COLUMN_DW];
    cold->bc = (UShort)totals[CP_COLUMN_BC];
    cold->bi = (UShort)totals[CP_COLUMN_BI];
}

const ColdBlock *cp_cold_keep(const ColdBlock *like)
{
    ColdCode *code = cp_superblock_cold();
    ColdBlock *cold;

    for (cold = code->blocks; cold; cold = cold->next)
        if (same_block(cold, like))
            return cold;
    cold = new_block(like);
    VG_(memcpy)(cold, like, size_of(like));
    cold->next = code->blocks;
    code->n_blocks++;
    return code->blocks = cold;
}

static inline Bool is_most_recent(const Mru *mru, Addr a, UInt size)
{
    return a - mru->lines[(a >> mru->line_bits) & (mru->sets - 1)] <= (1u << mru->line_bits) - size;
}

static void add_totals(const ColdBlock *cold)
{
    cp_totals[CP_COLUMN_IR] += cold->ir;
    cp_totals[CP_COLUMN_DR] += cold->dr;
    cp_totals[CP_COLUMN_DW] += cold->dw;
    cp_totals[CP_COLUMN_BC] += cold->bc;
    cp_totals[CP_COLUMN_BI] += cold->bi;
}

/* Where the queue is full, the superblock tries again. */
__attribute__((noinline)) void cp_cold_enqueue(ColdCode *code)
{
    if (code->hot || n_queue == QUEUE)
        return;
    code->hot = True;
    queue[n_queue++] = code;
}

/* marks: the use of lines counts; a constant. */
static inline __attribute__((always_inline)) void execute(ColdBlock *cold, const Addr *next,
                                                          Bool marks)
{
    const ColdAccess *end = cold->accesses + cold->n_accesses;

    if (UNLIKELY(++cold->executions >= hot_executions) && cold->code)
        cp_cold_enqueue(cold->code);
    for (const ColdAccess *i = cold->accesses; i < end; i++) {
        if (i->fetched) {
            Addr address = cold->address + i->delta;
            if (!is_most_recent(&cp_mru_I1, address, i->size))
                (i->fetched == 1 ? cp_cache_fetch : cp_cache_fetch_two)(address, i->point);
        } else {
            Addr address = *next++;
            if (!is_most_recent(&cp_mru_D1, address, i->size))
                cp_cache_data(address, i->point, cp_cache_room(i->size));
            if (marks)
                cp_lines_mark(address, i->size);
        }
    }
    if (cold->block)
        cp_context_count(cold->slot, 1);
}

static void execute_flat(ColdBlock *cold, Addr a, Addr b, Addr c, Addr d, Addr e)
{
    const Addr addresses[COLD_ADDRESSES] = {a, b, c, d, e};

    execute(cold, addresses, False);
}

static void execute_with_totals(ColdBlock *cold, Addr a, Addr b, Addr c, Addr d, Addr e)
{
    const Addr addresses[COLD_ADDRESSES] = {a, b, c, d, e};

    execute(cold, addresses, False);
    if (cold->block)
        add_totals(cold);
}

static void execute_marked(ColdBlock *cold, Addr a, Addr b, Addr c, Addr d, Addr e)
{
    const Addr addresses[COLD_ADDRESSES] = {a, b, c, d, e};

    execute(cold, addresses, True);
    if (cold->block)
        add_totals(cold);
}

void *cp_cold_execute(void)
{
    return clo_line_use ? execute_marked : cp_keeps_totals ? execute_with_totals : execute_flat;
}

void cp_cold_init(void)
{
    hot_executions = clo_check ? CHECK_HOT : HOT;
    cp_cold_max_ends = clo_check ? CHECK_HOT : HOT_ENDS;
}

void cp_cold_discard(ULong superblocks)
{
    static ULong discarded;

    if (LIKELY(!n_queue) || (n_queue < QUEUE / 8 && superblocks - discarded < INTERVAL))
        return;
    discarded = superblocks;
    for (UInt i = 0; i < n_queue; i++)
        VG_(discard_translations)(queue[i]->address, 1, "cprof");
    n_queue = 0;
}
