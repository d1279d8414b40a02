/*
 * cp_tool.h - what every file of the tool shares: the core's interface, the options, small
 * containers.
 *
 * The tool runs inside Valgrind: there is no libc, all memory is the core's, one thread of the
 * program runs at a time, and nothing here is called concurrently. Names follow the core's customs:
 * types in capitals, cp_ for functions, clo_ for options.
 */
#ifndef CP_TOOL_H
#define CP_TOOL_H

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

/* A cache's shape: bytes, ways, bytes per line. All -1 where the command line gave none. */
typedef struct {
    Int size, ways, line;
} Geometry;

/* The command line. */
extern const HChar *clo_out_file;      /* --cprof-out-file, with %p %q{} %n */
extern Bool clo_cache_sim;             /* --cache-sim */
extern Bool clo_branch_sim;            /* --branch-sim */
extern Bool clo_contexts;              /* --contexts */
extern UInt clo_max_contexts;          /* --max-contexts */
extern Bool clo_collect_atstart;       /* --collect-atstart */
extern Bool clo_instr_atstart;         /* --instr-atstart */
extern Bool clo_deterministic;         /* --deterministic */
extern const HChar *clo_progress_file; /* --progress-file; NULL: nobody watches */
extern Bool clo_check;                 /* --cprof-check, for tests */
extern Bool clo_names;                 /* --cprof-names, for tests */

/* The columns of a profile, in the order of its events, whether it has them or not: a profile
 * without caches has just Ir of the first nine. */
enum {
    CP_COLUMN_IR,
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

/* Whether the profile has the column. */
static inline Bool cp_has_column(UInt column)
{
    return column == CP_COLUMN_IR || (column < CP_COLUMN_BC ? clo_cache_sim : clo_branch_sim);
}

/*
 * A growing array whose elements never move: generated code holds their addresses. Elements start
 * as zeroes. Give `size` and `tag` (the site's name in the core's heap profile) in the initialiser.
 */
typedef struct {
    SizeT size;
    const HChar *tag;
    UInt n;
    UInt n_chunks;
    UChar **chunks;
} Pool;

#define POOL_CHUNK 1024 /* elements */

/* A new zeroed element. */
void *cp_pool_add(Pool *pool);

static inline void *cp_pool_at(const Pool *pool, UInt i)
{
    return pool->chunks[i / POOL_CHUNK] + i % POOL_CHUNK * pool->size;
}

#endif
