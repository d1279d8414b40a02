/*
 * cp_pieces.c - data structure: chunks, of which pieces are cut off; a list of free pieces for each
 * size, in words. The largest free piece is the next chunk, if it is large enough. Large pieces are
 * the core's. The growth of arrays whose elements never move (cp_tool.h).
 */
#include "cp_pieces.h"

#include "cp_core.h"

enum { MOST_WORDS = 512, CHUNK = 1 << 18 };

/* A piece that was given back. */
typedef struct Free {
    struct Free *next;
} Free;

static Free *unused[MOST_WORDS + 1]; /* by words */
static SizeT longest;                /* no free piece has more words */
static ULong *chunk;                 /* zeroes */
static SizeT left;                   /* words of the chunk */

static SizeT words_of(SizeT size)
{
    return (size + sizeof(ULong) - 1) / sizeof(ULong);
}

static void put_back(void *piece, SizeT words)
{
    Free *f = piece;

    f->next = unused[words];
    unused[words] = f;
    if (longest < words)
        longest = words;
}

/* NULL: there is none of so many words. Else it is zeroed. */
static void *take(SizeT words)
{
    Free *piece = unused[words];

    if (!piece)
        return NULL;
    unused[words] = piece->next;
    return VG_(memset)(piece, 0, words * sizeof(ULong));
}

/* Begins a chunk of so many words at least. What is left of the one before is free. */
static void begin_chunk(SizeT words)
{
    ULong *rest = chunk;
    SizeT n = left;

    while (longest && !unused[longest])
        longest--;
    left = longest;
    chunk = left < words ? NULL : take(left);
    if (!chunk) {
        left = CHUNK / sizeof(ULong);
        chunk = cp_fresh("cp.pieces.1", CHUNK);
    }
    if (n)
        put_back(rest, n);
}

static void *cut(SizeT words)
{
    if (left < words)
        begin_chunk(words);
    left -= words;
    return chunk + left;
}

void *cp_piece(SizeT size)
{
    SizeT words = words_of(size);
    void *piece;

    if (words > MOST_WORDS)
        return VG_(calloc)("cp.pieces.2", 1, size);
    piece = take(words);
    return piece ? piece : cut(words);
}

void cp_piece_free(void *piece, SizeT size)
{
    SizeT words = words_of(size);

    if (words > MOST_WORDS)
        VG_(free)(piece);
    else if (words)
        put_back(piece, words);
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
