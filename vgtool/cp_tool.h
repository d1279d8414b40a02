/*
 * cp_tool.h - what all files of the tool share: the core's interface, the options, small
 * containers.
 *
 * The tool runs inside Valgrind. There is no libc, and all memory is the core's. One thread of the
 * program runs at a time, so nothing here is called concurrently. Names follow the core's customs:
 * capitals begin types, cp_ functions, and clo_ options.
 */
#ifndef CP_TOOL_H
#define CP_TOOL_H

#include "pub_tool_basics.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

/* A cache's shape: bytes, ways, bytes per line. All are -1 if the command line gives none. */
typedef struct {
    Int size, ways, line;
} Geometry;

enum { MOST_COPIES_SIZE = 384 << 10 };

/* The command line. */
extern const HChar *clo_out_file;      /* --cprof-out-file, with %p %q{} %n */
extern Int clo_out_fd;                 /* --cprof-out-fd: a socket, instead of a file; -1: none */
extern Bool clo_cache_sim;             /* --cache-sim */
extern Bool clo_branch_sim;            /* --branch-sim */
extern Bool clo_rep_one;               /* --rep=one */
extern Bool clo_contexts;              /* --contexts */
extern UInt clo_max_contexts;          /* --max-contexts */
extern Bool clo_collect_atstart;       /* --collect-atstart */
extern Bool clo_instr_atstart;         /* --instr-atstart */
extern Bool clo_section_caches_cold;   /* --section-caches=cold */
extern Bool clo_deterministic;         /* --deterministic */
extern Bool clo_fixed_machine;         /* --fixed-machine */
extern const HChar *clo_cpu_level;     /* --cpu-level; NULL: the usual one */
extern Bool clo_fixed_schedule;        /* --fixed-schedule */
extern Int clo_schedule_seed;          /* --schedule-seed; 0: first come, first served */
extern Bool clo_fixed_clock;           /* --fixed-clock */
extern const HChar *clo_progress_file; /* --progress-file; NULL: nobody watches */
extern Int clo_copies_size;            /* --copies-size, in KB: VEX takes what has no room there */
extern Int clo_copies_events;          /* --copies-events, for tests; 0: as many as the core says */
extern Bool clo_heap;                  /* --heap */
extern Bool clo_data;                  /* --data */
extern Bool clo_line_use;              /* --line-use */
extern Bool clo_miss_curves;           /* --miss-curves */
extern const HChar *clo_subject;       /* --subject: "heap", "data" or NULL */
extern Bool clo_check;                 /* --cprof-check, for tests */
extern Bool clo_names;                 /* --cprof-names, for tests */

/* The columns. A profile may lack some: without caches it has no more than Ir and Rep of the first
 * ten. */
enum {
    CP_COLUMN_IR,
    CP_COLUMN_REP, /* how often a repeated string instruction has gone on to itself */
    CP_COLUMN_I1MR,
    CP_COLUMN_ILMR,
    CP_COLUMN_DR,
    CP_COLUMN_D1MR,
    CP_COLUMN_DLMR,
    CP_COLUMN_DW,
    CP_COLUMN_D1MW,
    CP_COLUMN_DLMW,
    CP_COLUMN_BC,
    CP_COLUMN_BCM,
    CP_COLUMN_BI,
    CP_COLUMN_BIM,
    CP_COLUMNS
};

/* The names of these events. */
extern const HChar *const cp_column_names[CP_COLUMNS];

/* True if the profile has the column. */
static inline Bool cp_has_column(UInt column)
{
    return column <= CP_COLUMN_REP || (column < CP_COLUMN_BC ? clo_cache_sim : clo_branch_sim);
}

/* The number of bits that are set, without a call: the instruction for it is not on all machines.
 */
static inline UInt cp_count_bits(ULong bits)
{
    bits -= bits >> 1 & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (UInt)(bits * 0x0101010101010101ULL >> 56);
}

/*
 * A growing array whose elements never move: generated code holds their addresses. Elements start
 * as zeroes. The initialiser gives `size` and `tag`, the array's name in the core's heap profile.
 */
typedef struct {
    SizeT size;
    const HChar *tag;
    UInt n;
    UInt n_chunks;
    UChar **chunks;
} Pool;

#define POOL_CHUNK 1024 /* elements */

/* Zeroed memory that is never freed. The system gives it so, which the core's calloc() clears once
 * more. `tag`: its name in the core's heap profile. */
void *cp_fresh(const HChar *tag, SizeT size);

/* Adds a zeroed element. */
void *cp_pool_add(Pool *pool);

static inline void *cp_pool_at(const Pool *pool, UInt i)
{
    return pool->chunks[i / POOL_CHUNK] + i % POOL_CHUNK * pool->size;
}

#endif
