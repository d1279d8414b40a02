/*
 * Data structure #1: pools of sections and of sites, in the order of first
 * translation. #2: a hash table of blocks by (address, range), each with the list of its sections
 * and sites.
 *
 * Where a program writes other code to one place over and over, only the last few contents are told
 * apart. What those before them cost is added up at the block's address, in sections of one event
 * each, and their counters are used again: a block has one translation at a time, so nothing bumps
 * them any more.
 */
#include "cp_section.h"
#include "cp_context.h"
#include "cp_hash.h"
#include "cp_object.h"
#include "cp_tier.h"

/* As most blocks have. */
#define FEW_SECTIONS 2
#define FEW_SITES    6

typedef struct {
    Addr address;
    UInt range;
    Function *function;
    UInt n_sections, n_sites;
    UInt max_sections, max_sites;
    Section **sections;
    Site **sites;
    Section *first_sections[FEW_SECTIONS]; /* what the lists are to begin with */
    Site *first_sites[FEW_SITES];
    Section **retired; /* by column, those that sections can cost; NULL: nothing has been retired */
    struct CallSite *call;
    Tier tier;
} Block;

/* How many different contents of one place of a block are told apart. */
#define MAX_VARIANTS 4

static Pool blocks = {.size = sizeof(Block), .tag = "cp.section.5"};
static Pool sections = {.size = sizeof(Section), .tag = "cp.section.2"};
static Pool sites = {.size = sizeof(Site), .tag = "cp.section.3"};

#define INSTRS_CHUNK 8192 /* more than a section can have */
static HashTable table;

/* The block being translated, and how many of its sections and sites have been met. */
static Block *current;
static UInt at_section, at_site;

static UInt hash_block(const void *element)
{
    const Block *b = element;

    return cp_hash(b->address, 0, 0);
}

static Bool same_block(const void *a, const void *b)
{
    const Block *x = a, *y = b;

    return x->address == y->address && x->range == y->range && x->function == y->function;
}

static Block *new_block(Addr address, UInt range, Function *function)
{
    Block *b = cp_pool_add(&blocks);

    b->address = b->tier.address = address;
    b->range = range;
    b->function = function;
    b->sections = b->first_sections;
    b->max_sections = FEW_SECTIONS;
    b->sites = b->first_sites;
    b->max_sites = FEW_SITES;
    return b;
}

void cp_block_begin(Addr address, Function *function)
{
    UInt range = cp_range_at(address);
    const Block key = {.address = address, .range = range, .function = function};
    void **entry = cp_hash_find(&table, &key, hash_block, same_block);

    if (!*entry)
        *entry = new_block(address, range, function);
    current = *entry;
    at_section = at_site = 0;
}

UInt cp_block_range(void)
{
    return current->range;
}

struct CallSite **cp_block_call(void)
{
    return &current->call;
}

Tier *cp_block_tier(void)
{
    return &current->tier;
}

/* Sections' instructions lie one behind another. Nothing is given back. */
static InstrCost *new_instrs(UInt n)
{
    static InstrCost *chunk;
    static UInt left;

    if (left < n) {
        chunk = VG_(malloc)("cp.section.6", INSTRS_CHUNK * sizeof *chunk);
        left = INSTRS_CHUNK;
    }
    left -= n;
    return chunk + left;
}

/* Makes the section count these instructions. */
static void set_content(Section *s, Addr start, const InstrCost *instrs, UInt n)
{
    if (n > s->max_instrs) {
        s->instrs = new_instrs(n);
        s->max_instrs = n;
    }
    VG_(memcpy)(s->instrs, instrs, n * sizeof *instrs);
    s->range = current->range;
    s->start = start;
    s->n_instrs = n;
}

static Section *new_section(Addr start, const InstrCost *instrs, UInt n)
{
    Section *s = cp_pool_add(&sections);

    set_content(s, start, instrs, n);
    s->slot = cp_context_slot(current->function);
    current->function->sections[s->slot] = s;
    return s;
}

/* What stands for one event at the block's address. */
static Section *retired(UInt column)
{
    InstrCost one = {.ir = column == CP_COLUMN_IR,
                     .dr = column == CP_COLUMN_DR,
                     .dw = column == CP_COLUMN_DW,
                     .bc = column == CP_COLUMN_BC,
                     .bi = column == CP_COLUMN_BI};

    if (!current->retired)
        current->retired = VG_(calloc)("cp.section.9", CP_COLUMNS, sizeof(Section *));
    if (!current->retired[column])
        current->retired[column] = new_section(current->address, &one, 1);
    return current->retired[column];
}

/* Adds up what the section has cost where nothing tells it apart, and leaves its counters at 0. */
static void retire(Section *s)
{
    ULong costs[CP_COLUMNS];

    cp_section_costs(s->instrs, s->n_instrs, costs);
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (costs[i])
            cp_context_add_slot(current->function, retired(i)->slot, s->slot, costs[i]);
    cp_context_clear_slot(current->function, s->slot);
}

void cp_section_costs(const InstrCost *instrs, UInt n, ULong *costs)
{
    VG_(memset)(costs, 0, CP_COLUMNS * sizeof *costs);
    for (UInt i = 0; i < n; i++) {
        costs[CP_COLUMN_IR] += instrs[i].ir;
        costs[CP_COLUMN_DR] += instrs[i].dr;
        costs[CP_COLUMN_DW] += instrs[i].dw;
        costs[CP_COLUMN_BC] += instrs[i].bc;
        costs[CP_COLUMN_BI] += instrs[i].bi;
    }
}

static Bool same_section(const Section *s, Addr start, const InstrCost *instrs, UInt n)
{
    return s->start == start && s->n_instrs == n &&
           !VG_(memcmp)(s->instrs, instrs, n * sizeof *instrs);
}

/* Twice the room for a list of n pointers, which may be the one that is part of its block. */
static void *grow(void *list, const void *first, UInt n)
{
    SizeT size = n * sizeof(void *);
    void *longer = VG_(realloc)("cp.section.7", list == first ? NULL : list, 2 * size);

    if (list == first)
        VG_(memcpy)(longer, first, size);
    return longer;
}

Section *cp_block_section(Addr start, const InstrCost *instrs, UInt n)
{
    UInt i = at_section++, variants = 0;
    Section *s, **last;

    if (i == current->n_sections) {
        if (i == current->max_sections) {
            current->max_sections = i * 2;
            current->sections = grow(current->sections, current->first_sections, i);
        }
        current->sections[current->n_sections++] = NULL;
    }
    for (last = &current->sections[i]; *last; last = &(*last)->variant, variants++)
        if (same_section(*last, start, instrs, n))
            return *last;
    if (variants < MAX_VARIANTS) {
        s = new_section(start, instrs, n);
    } else {
        for (last = &current->sections[i]; (*last)->variant; last = &(*last)->variant)
            ;
        s = *last;
        *last = NULL;
        retire(s);
        set_content(s, start, instrs, n);
    }
    s->variant = current->sections[i];
    return current->sections[i] = s;
}

static Site *new_site(SiteKind kind, Addr address, UInt size, Bool guarded)
{
    Site *s = cp_pool_add(&sites);

    s->id = sites.n - 1;
    s->kind = (UChar)kind;
    s->address = address;
    s->range = current->range;
    s->size = (UShort)size;
    s->guarded = guarded;
    if (guarded) {
        s->slot = cp_context_slot(current->function);
        s->next = current->function->guarded;
        current->function->guarded = s;
    }
    return s;
}

const Site *cp_site(UInt id)
{
    return cp_pool_at(&sites, id);
}

UInt cp_site_count(void)
{
    return sites.n;
}

Site *cp_block_site(SiteKind kind, Addr address, UInt size, Bool guarded)
{
    UInt i = at_site++;
    Site *s;

    if (i == current->n_sites) {
        if (i == current->max_sites) {
            current->max_sites = i * 2;
            current->sites = grow(current->sites, current->first_sites, i);
        }
        current->sites[current->n_sites++] = NULL;
    }
    for (s = current->sites[i]; s; s = s->variant)
        if (s->kind == kind && s->address == address && s->size == size && s->guarded == guarded)
            return s;
    s = new_site(kind, address, size, guarded);
    s->variant = current->sites[i];
    return current->sites[i] = s;
}
