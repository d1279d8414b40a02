/*
 * cp_pieces.c - data structure: chunks, of which pieces are cut off; a list of free pieces for each
 * size, in words. Large pieces are the core's. The growth of arrays whose elements never move
 * (cp_tool.h).
 */
#include "cp_pieces.h"

#include "cp_core.h"

enum { MOST_WORDS = 512, CHUNK = 1 << 18 };

/* A piece that was given back. */
typedef struct Free {
    struct Free *next;
} Free;

static Free *unused[MOST_WORDS + 1]; /* by words */
static UChar *chunk;
static SizeT left; /* of the chunk */

static SizeT words_of(SizeT size)
{
    return (size + sizeof(ULong) - 1) / sizeof(ULong);
}

static void *cut(SizeT size)
{
    if (left < size) {
        chunk = cp_fresh("cp.pieces.1", CHUNK);
        left = CHUNK;
    }
    left -= size;
    return chunk + left;
}

void *cp_piece(SizeT size)
{
    SizeT words = words_of(size);
    Free *piece;

    if (words > MOST_WORDS)
        return VG_(calloc)("cp.pieces.2", 1, size);
    piece = unused[words];
    if (!piece)
        return cut(words * sizeof(ULong));
    unused[words] = piece->next;
    return VG_(memset)(piece, 0, words * sizeof(ULong));
}

void cp_piece_free(void *piece, SizeT size)
{
    SizeT words = words_of(size);

    if (words > MOST_WORDS) {
        VG_(free)(piece);
    } else if (words) {
        Free *f = piece;
        f->next = unused[words];
        unused[words] = f;
    }
}

/*--- Arrays whose elements never move ---*/

void *cp_fresh(const HChar *tag, SizeT size)
{
    enum { REGION = 64 << 20, ALIGNMENT = 128 }; /* two lines of the host's caches */
    static UChar *region;
    static SizeT room;

    size = (size + ALIGNMENT - 1) & ~(SizeT)(ALIGNMENT - 1);
    if (size > REGION / 64)
        return VG_(calloc)(tag, 1, size);
    if (room < size) {
        region = cp_core_memory(REGION);
        room = region ? REGION : 0;
        if (!region)
            return VG_(calloc)(tag, 1, size);
        cp_core_huge(region, REGION);
    }
    room -= size;
    return region + room;
}

void *cp_pool_add(Pool *pool)
{
    if (pool->n == pool->n_chunks * POOL_CHUNK) {
        pool->chunks =
            VG_(realloc)(pool->tag, pool->chunks, (pool->n_chunks + 1) * sizeof *pool->chunks);
        pool->chunks[pool->n_chunks++] = cp_fresh(pool->tag, POOL_CHUNK * pool->size);
    }
    return cp_pool_at(pool, pool->n++);
}
