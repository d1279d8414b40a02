/*
 * cp_block.c - data structure #1: pools of basic blocks and of access points, in the order of their
 * first translation. #2: a hash table of superblocks by (address, range, function); each has lists
 * of its basic blocks and access points.
 *
 * A program may write other code to one place again and again. Then only the last few contents of a
 * basic block are told apart. The costs of earlier ones are added up at the superblock's address,
 * in basic blocks of one event each, and their counters are used again. This is safe, since a
 * superblock has one translation at a time: nothing bumps the old counters any more.
 */
#include "cp_block.h"

#include "cp_context.h"
#include "cp_hash.h"
#include "cp_object.h"

/* Most superblocks have no more than these. */
#define FEW_BLOCKS 2
#define FEW_POINTS 6

typedef struct {
    Addr address;
    UInt range;
    Function *function;
    UInt n_blocks, n_points;
    UInt max_blocks, max_points;
    BasicBlock **blocks;
    AccessPoint **points;
    BasicBlock *parts;                    /* one of each length */
    BasicBlock *first_blocks[FEW_BLOCKS]; /* what the lists are at first */
    AccessPoint *first_points[FEW_POINTS];
    BasicBlock *
        *retired; /* by column, those that blocks can cost; NULL: nothing has been retired */
    struct CallSite *call;
} Superblock;

/* The number of contents of one basic block that are told apart. */
#define MAX_VARIANTS 4

static Pool superblocks = {.size = sizeof(Superblock), .tag = "cp.block.5"};
static Pool blocks = {.size = sizeof(BasicBlock), .tag = "cp.block.2"};
static Pool points = {.size = sizeof(AccessPoint), .tag = "cp.block.3"};

#define INSTRS_CHUNK 8192 /* more than a basic block can have */
static HashTable table;

/* The superblock that is being translated, and how many of its basic blocks and access points have
 * been met. */
static Superblock *current;
static UInt at_block, at_point;

static UInt hash_superblock(const void *element)
{
    const Superblock *s = element;

    return cp_hash(s->address, 0, 0);
}

static Bool same_superblock(const void *a, const void *b)
{
    const Superblock *x = a, *y = b;

    return x->address == y->address && x->range == y->range && x->function == y->function;
}

static Superblock *new_superblock(Addr address, UInt range, Function *function)
{
    Superblock *s = cp_pool_add(&superblocks);

    s->address = address;
    s->range = range;
    s->function = function;
    s->blocks = s->first_blocks;
    s->max_blocks = FEW_BLOCKS;
    s->points = s->first_points;
    s->max_points = FEW_POINTS;
    return s;
}

void cp_superblock_begin(Addr address, Function *function)
{
    UInt range = cp_range_at(address);
    const Superblock key = {.address = address, .range = range, .function = function};
    void **entry = cp_hash_find(&table, &key, hash_superblock, same_superblock);

    if (!*entry)
        *entry = new_superblock(address, range, function);
    current = *entry;
    at_block = at_point = 0;
}

UInt cp_superblock_range(void)
{
    return current->range;
}

struct CallSite **cp_superblock_call(void)
{
    return &current->call;
}

/* Basic blocks' instructions lie one behind another. They are never freed. */
static InstrCost *new_instrs(UInt n)
{
    static InstrCost *chunk;
    static UInt left;

    if (left < n) {
        chunk = VG_(malloc)("cp.block.6", INSTRS_CHUNK * sizeof *chunk);
        left = INSTRS_CHUNK;
    }
    left -= n;
    return chunk + left;
}

/* Makes the basic block count these instructions. */
static void set_content(BasicBlock *b, Addr start, const InstrCost *instrs, UInt n)
{
    if (n > b->max_instrs) {
        b->instrs = new_instrs(n);
        b->max_instrs = n;
    }
    VG_(memcpy)(b->instrs, instrs, n * sizeof *instrs);
    b->range = current->range;
    b->start = start;
    b->n_instrs = n;
}

static BasicBlock *new_block(Addr start, const InstrCost *instrs, UInt n)
{
    BasicBlock *b = cp_pool_add(&blocks);

    set_content(b, start, instrs, n);
    b->slot = cp_context_slot(current->function);
    current->function->blocks[b->slot] = b;
    return b;
}

/* The basic block that stands for one event at the superblock's address. */
static BasicBlock *retired(UInt column)
{
    InstrCost one = {.ir = column == CP_COLUMN_IR,
                     .rep = column == CP_COLUMN_REP,
                     .dr = column == CP_COLUMN_DR,
                     .dw = column == CP_COLUMN_DW,
                     .bc = column == CP_COLUMN_BC,
                     .bi = column == CP_COLUMN_BI};

    if (!current->retired)
        current->retired = VG_(calloc)("cp.block.9", CP_COLUMNS, sizeof(BasicBlock *));
    if (!current->retired[column])
        current->retired[column] = new_block(current->address, &one, 1);
    return current->retired[column];
}

/* Moves the costs of the basic block to the retired ones, and sets its counters to 0. */
static void retire(BasicBlock *b)
{
    ULong costs[CP_COLUMNS];

    cp_block_costs(b->instrs, b->n_instrs, costs);
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (costs[i])
            cp_context_add_slot(current->function, retired(i)->slot, b->slot, costs[i]);
    cp_context_clear_slot(current->function, b->slot);
}

void cp_block_costs(const InstrCost *instrs, UInt n, ULong *costs)
{
    VG_(memset)(costs, 0, CP_COLUMNS * sizeof *costs);
    for (UInt i = 0; i < n; i++) {
        costs[CP_COLUMN_IR] += instrs[i].ir;
        costs[CP_COLUMN_REP] += instrs[i].rep;
        costs[CP_COLUMN_DR] += instrs[i].dr;
        costs[CP_COLUMN_DW] += instrs[i].dw;
        costs[CP_COLUMN_BC] += instrs[i].bc;
        costs[CP_COLUMN_BI] += instrs[i].bi;
    }
}

static Bool same_block(const BasicBlock *b, Addr start, const InstrCost *instrs, UInt n)
{
    return b->start == start && b->n_instrs == n &&
           !VG_(memcmp)(b->instrs, instrs, n * sizeof *instrs);
}

/* Doubles the room of a list of n pointers. The list may still be the first one, within its
 * superblock. */
static void *grow(void *list, const void *first, UInt n)
{
    SizeT size = n * sizeof(void *);
    void *longer = VG_(realloc)("cp.block.7", list == first ? NULL : list, 2 * size);

    if (list == first)
        VG_(memcpy)(longer, first, size);
    return longer;
}

BasicBlock *cp_block_next(Addr start, const InstrCost *instrs, UInt n)
{
    UInt i = at_block++, variants = 0;
    BasicBlock *b, **last;

    if (i == current->n_blocks) {
        if (i == current->max_blocks) {
            current->max_blocks = i * 2;
            current->blocks = grow(current->blocks, current->first_blocks, i);
        }
        current->blocks[current->n_blocks++] = NULL;
    }
    for (last = &current->blocks[i]; *last; last = &(*last)->variant, variants++)
        if (same_block(*last, start, instrs, n))
            return *last;
    if (variants < MAX_VARIANTS) {
        b = new_block(start, instrs, n);
    } else {
        for (last = &current->blocks[i]; (*last)->variant; last = &(*last)->variant)
            ;
        b = *last;
        *last = NULL;
        retire(b);
        set_content(b, start, instrs, n);
    }
    b->variant = current->blocks[i];
    return current->blocks[i] = b;
}

BasicBlock *cp_block_part(Addr start, const InstrCost *instrs, UInt n)
{
    BasicBlock *b;

    for (b = current->parts; b; b = b->variant) {
        if (b->n_instrs != n)
            continue;
        if (!same_block(b, start, instrs, n)) {
            retire(b);
            set_content(b, start, instrs, n);
        }
        return b;
    }
    b = new_block(start, instrs, n);
    b->variant = current->parts;
    return current->parts = b;
}

static AccessPoint *new_point(PointKind kind, Addr address, UInt size, Bool guarded)
{
    AccessPoint *p = cp_pool_add(&points);

    p->id = points.n - 1;
    p->kind = (UChar)kind;
    p->address = address;
    p->range = current->range;
    p->size = (UShort)size;
    p->guarded = guarded;
    if (guarded) {
        p->slot = cp_context_slot(current->function);
        p->next = current->function->guarded;
        current->function->guarded = p;
    }
    return p;
}

const AccessPoint *cp_point(UInt id)
{
    return cp_pool_at(&points, id);
}

UInt cp_point_count(void)
{
    return points.n;
}

/* NULL: none has this content, of those that may stand for the superblock's point i. */
static AccessPoint *find_point(UInt i, PointKind kind, Addr address, UInt size, Bool guarded)
{
    for (AccessPoint *p = current->points[i]; p; p = p->variant)
        if (p->kind == kind && p->address == address && p->size == size && p->guarded == guarded)
            return p;
    return NULL;
}

AccessPoint *cp_point_next(PointKind kind, Addr address, UInt size, Bool guarded)
{
    UInt i = at_point++;
    AccessPoint *p;

    if (i == current->n_points) {
        if (i == current->max_points) {
            current->max_points = i * 2;
            current->points = grow(current->points, current->first_points, i);
        }
        current->points[current->n_points++] = NULL;
    }
    p = find_point(i, kind, address, size, guarded);
    if (p)
        return p;
    p = new_point(kind, address, size, guarded);
    p->variant = current->points[i];
    return current->points[i] = p;
}

AccessPoint *cp_point_of(PointKind kind, Addr address, UInt size)
{
    for (UInt i = 0; i < current->n_points; i++) {
        AccessPoint *p = find_point(i, kind, address, size, False);
        if (p)
            return p;
    }
    at_point = current->n_points;
    return cp_point_next(kind, address, size, False);
}
