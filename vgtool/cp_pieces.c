/*
 * cp_pieces.c - data structure: chunks, of which pieces are cut off; a list of free pieces for each
 * size, in words. Large pieces are the core's.
 */
#include "cp_pieces.h"

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
