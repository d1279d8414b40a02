/*
 * Data structure #1: pools of sections, of sites and of counters, in the order of first
 * translation. #2: a hash table of blocks by (address, range), each with the list of its sections
 * and sites.
 */
#include "cp_section.h"
#include "cp_object.h"

struct Block {
    Block *next;
    Addr address;
    UInt range;
    UInt n_sections, n_sites;
    UInt max_sections, max_sites;
    Section **sections;
    Site **sites;
};

/*
 * The first counters lie in the tool's own data, whose addresses fit in 32 bits and make shorter
 * code; the page they are on is only touched when used.
 */
#define NEAR_COUNTERS (256 * 1024)
static ULong near_counters[NEAR_COUNTERS];
static Pool far_counters = {.size = sizeof(ULong), .tag = "cp.section.1"};
static UInt n_counters;

static Pool sections = {.size = sizeof(Section), .tag = "cp.section.2"};
static Pool sites = {.size = sizeof(Site), .tag = "cp.section.3"};

#define MIN_BUCKETS 4096
static Block **buckets;
static UInt n_buckets, n_blocks;

/* The block being translated, and how many of its sections and sites have been met. */
static Block *current;
static UInt at_section, at_site;
static Bool is_new;

static UInt bucket_of(Addr address)
{
    return (UInt)((address * 0x9E3779B97F4A7C15ULL) >> 32) & (n_buckets - 1);
}

static void grow_buckets(void)
{
    Block **old = buckets;
    UInt n_old = n_buckets;

    n_buckets = n_old ? n_old * 2 : MIN_BUCKETS;
    buckets = VG_(calloc)("cp.section.4", n_buckets, sizeof *buckets);
    for (UInt i = 0; i < n_old; i++)
        for (Block *b = old[i], *next; b; b = next) {
            Block **bucket = &buckets[bucket_of(b->address)];
            next = b->next;
            b->next = *bucket;
            *bucket = b;
        }
    VG_(free)(old);
}

void cp_block_begin(Addr address)
{
    UInt range = cp_range_at(address);
    Block **bucket;

    if (n_blocks == n_buckets)
        grow_buckets();
    bucket = &buckets[bucket_of(address)];
    for (current = *bucket; current; current = current->next)
        if (current->address == address && current->range == range)
            break;
    is_new = !current;
    if (is_new) {
        current = VG_(calloc)("cp.section.5", 1, sizeof *current);
        current->address = address;
        current->range = range;
        current->next = *bucket;
        *bucket = current;
        n_blocks++;
    }
    at_section = at_site = 0;
}

UInt cp_block_range(void)
{
    return current->range;
}

Bool cp_block_end(void)
{
    return is_new;
}

static ULong *new_counter(void)
{
    if (n_counters < NEAR_COUNTERS)
        return &near_counters[n_counters++];
    return cp_pool_add(&far_counters);
}

static Section *new_section(Addr start, const InstrCost *instrs, UInt n)
{
    Section *s = cp_pool_add(&sections);
    InstrCost *copy = VG_(malloc)("cp.section.6", n * sizeof *copy);

    VG_(memcpy)(copy, instrs, n * sizeof *copy);
    s->range = current->range;
    s->start = start;
    s->instrs = copy;
    s->n_instrs = n;
    s->count = new_counter();
    return s;
}

static Bool same_section(const Section *s, Addr start, const InstrCost *instrs, UInt n)
{
    return s->start == start && s->n_instrs == n &&
           !VG_(memcmp)(s->instrs, instrs, n * sizeof *instrs);
}

Section *cp_block_section(Addr start, const InstrCost *instrs, UInt n)
{
    UInt i = at_section++;

    if (i == current->max_sections) {
        current->max_sections = i ? i * 2 : 2;
        current->sections = VG_(realloc)("cp.section.7", current->sections,
                                         current->max_sections * sizeof *current->sections);
    }
    if (i == current->n_sections)
        current->n_sections++;
    else if (same_section(current->sections[i], start, instrs, n))
        return current->sections[i];
    return current->sections[i] = new_section(start, instrs, n);
}

static Site *new_site(SiteKind kind, Addr address, UInt size)
{
    Site *s = cp_pool_add(&sites);

    s->kind = (UShort)kind;
    s->address = address;
    s->range = current->range;
    s->size = (UShort)size;
    return s;
}

Site *cp_block_site(SiteKind kind, Addr address, UInt size)
{
    UInt i = at_site++;

    if (i == current->max_sites) {
        current->max_sites = i ? i * 2 : 4;
        current->sites = VG_(realloc)("cp.section.8", current->sites,
                                      current->max_sites * sizeof *current->sites);
    }
    if (i == current->n_sites) {
        current->n_sites++;
    } else {
        Site *s = current->sites[i];
        if (s->kind == kind && s->address == address && s->size == size)
            return s;
    }
    return current->sites[i] = new_site(kind, address, size);
}

UInt cp_section_count(void)
{
    return sections.n;
}

const Section *cp_section(UInt index)
{
    return cp_pool_at(&sections, index);
}

UInt cp_site_count(void)
{
    return sites.n;
}

const Site *cp_site(UInt index)
{
    return cp_pool_at(&sites, index);
}

void cp_section_reset(void)
{
    for (UInt i = 0; i < sections.n; i++)
        *cp_section(i)->count = 0;
    for (UInt i = 0; i < sites.n; i++) {
        Site *s = cp_pool_at(&sites, i);
        s->miss1 = s->missL = s->n = 0;
    }
}
