/*
 * Data structure #1: each block's steps, in a list; equal ones are kept once, so that code that is
 * translated over and over adds nothing. #2: a queue of blocks that have become hot.
 */
#include "cp_tier.h"
#include "cp_core.h"

#include "cp_cache.h"
#include "cp_context.h"

/* Runs after which a block is translated anew; about what that costs, in runs (performance.md). */
#define HOT       1000
#define CHECK_HOT 2 /* with --cprof-check */

/* Discarding more than one translation makes the core forget where all are: so it is done for some
 * at once. */
#define QUEUE    512
#define INTERVAL 50000 /* blocks */

/* More than one content of a block can have. */
#define MAX_STEPS 256

static UInt hot_runs;
static Tier *queue[QUEUE];
static UInt n_queue;
Bool cp_tier_changing;

/* Steps lie one behind another, in the order of translation. Those that are let go are used again,
 * by their number of sites. */
#define CHUNK 65536
static UChar *chunk;
static SizeT in_chunk = CHUNK;
static Step *released[STEP_SITES + 1];

static SizeT size_of(const Step *s)
{
    return offsetof(Step, sites) + s->n_sites * sizeof *s->sites;
}

static Step *new_step(const Step *like)
{
    Step *s = released[like->n_sites];
    SizeT size = size_of(like);

    if (s) {
        released[like->n_sites] = s->next;
        return s;
    }
    if (in_chunk + size > CHUNK) {
        chunk = VG_(malloc)("cp.tier.1", CHUNK);
        in_chunk = 0;
    }
    in_chunk += size;
    return (Step *)(chunk + in_chunk - size);
}

/* The totals are compared, too: a section's record may have been made of use for other code. */
static Bool same_step(const Step *a, const Step *b)
{
    return a->tier == b->tier && a->section == b->section && a->ir == b->ir && a->dr == b->dr &&
           a->dw == b->dw && a->bc == b->bc && a->bi == b->bi && a->n_sites == b->n_sites &&
           a->address == b->address &&
           !VG_(memcmp)(a->sites, b->sites, a->n_sites * sizeof *a->sites);
}

/* Where code is rewritten over and over, old steps are let go: the block that had them is gone. */
static void forget_steps(Tier *tier)
{
    while (tier->steps) {
        Step *s = tier->steps;
        tier->steps = s->next;
        s->next = released[s->n_sites];
        released[s->n_sites] = s;
    }
    tier->n_steps = 0;
}

Bool cp_tier_begin(void)
{
    Tier *tier = cp_block_tier();

    if (tier->n_steps > MAX_STEPS)
        forget_steps(tier);
    return clo_cache_sim && !tier->hot;
}

void cp_tier_add(Step *step, Site *access)
{
    step->sites[step->n_sites++] = (StepSite){.site = access, .size = access->size};
}

void cp_tier_add_fetch(Step *step, Site *fetch, Addr address, UInt size, UInt lines)
{
    if (!step->address)
        step->address = fetch->address;
    step->sites[step->n_sites++] = (StepSite){.site = fetch,
                                              .delta = (UInt)(address - step->address),
                                              .size = (UShort)size,
                                              .fetched = (UShort)lines};
}

const Step *cp_tier_keep(const Step *step)
{
    Tier *tier = cp_block_tier();
    Step *s;

    for (s = tier->steps; s; s = s->next)
        if (same_step(s, step))
            return s;
    s = new_step(step);
    VG_(memcpy)(s, step, size_of(step));
    s->next = tier->steps;
    tier->n_steps++;
    return tier->steps = s;
}

static inline Bool is_most_recent(const Mru *mru, Addr a, UInt size)
{
    return a - mru->lines[(a >> mru->line_bits) & (mru->sets - 1)] <= (1u << mru->line_bits) - size;
}

static void add_totals(const Step *s)
{
    cp_totals[CP_COLUMN_IR] += s->ir;
    cp_totals[CP_COLUMN_DR] += s->dr;
    cp_totals[CP_COLUMN_DW] += s->dw;
    cp_totals[CP_COLUMN_BC] += s->bc;
    cp_totals[CP_COLUMN_BI] += s->bi;
}

/* Once for each block: where the queue is full, the block tries again. */
static __attribute__((noinline)) void enqueue(Tier *tier)
{
    if (tier->hot || n_queue == QUEUE)
        return;
    tier->hot = True;
    queue[n_queue++] = tier;
}

static inline __attribute__((always_inline)) void do_step(Step *s, const Addr *next)
{
    const StepSite *end = s->sites + s->n_sites;

    if (UNLIKELY(++s->runs >= hot_runs) && s->tier)
        enqueue(s->tier);
    for (const StepSite *i = s->sites; i < end; i++) {
        if (i->fetched) {
            Addr address = s->address + i->delta;
            if (!is_most_recent(&cp_mru_I1, address, i->size))
                (i->fetched == 1 ? cp_cache_fetch : cp_cache_fetch_two)(address, i->site);
        } else {
            Addr address = *next++;
            if (!is_most_recent(&cp_mru_D1, address, i->size))
                cp_cache_data(address, i->site, cp_cache_room(i->size));
        }
    }
    if (s->section)
        cp_now.counts[s->slot]++;
}

void cp_tier_step_flat(Step *s, Addr a, Addr b, Addr c, Addr d, Addr e)
{
    const Addr addresses[STEP_ADDRESSES] = {a, b, c, d, e};

    do_step(s, addresses);
}

void cp_tier_step(Step *s, Addr a, Addr b, Addr c, Addr d, Addr e)
{
    const Addr addresses[STEP_ADDRESSES] = {a, b, c, d, e};

    do_step(s, addresses);
    if (s->section)
        add_totals(s);
}

void cp_tier_init(void)
{
    hot_runs = clo_check ? CHECK_HOT : HOT;
}

void cp_tier_change(ULong blocks)
{
    static ULong changed;

    if (LIKELY(!n_queue) || (n_queue < QUEUE / 8 && blocks - changed < INTERVAL))
        return;
    changed = blocks;
    cp_tier_changing = True;
    for (UInt i = 0; i < n_queue; i++)
        /* Nothing runs here. */
        VG_(discard_translations)(queue[i]->address, 1, "cprof");
    cp_tier_changing = False;
    n_queue = 0;
}
