/*
 * cp_pieces.h - memory in small pieces, such as a context's counters: there are hundreds of
 * thousands of them, for which the core's allocator would take longer, and add 32 bytes to each.
 */
#ifndef CP_PIECES_H
#define CP_PIECES_H

#include "cp_tool.h"

/* A piece of `size` zeroed bytes; its address is a multiple of 8. */
void *cp_piece(SizeT size);

/* Gives a piece back. `size`: what it was asked for with. */
void cp_piece_free(void *piece, SizeT size);

#endif
