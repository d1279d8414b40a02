/*
 * cp_lines.h - use of lines (--line-use): of each line in D1 the bytes that were read or written
 * since it was fetched, and who fetched it.
 *
 * Each way of D1 has a row: a byte for each byte of its line, not 0 where that was used. reach[set]
 * leads from an address on the set's most recently used line to its byte in the row, so that
 * generated code marks an access by a few stores and never has to ask. A row has room behind it for
 * what an access has on the next line; nobody reads that. An access to a line that is not its set's
 * most recently used calls the model (cp_l1.c) first, which sets reach.
 */
#ifndef CP_LINES_H
#define CP_LINES_H

#include "cp_tool.h"

/* Other sizes of lines are refused, and so are caches of one set: the two lines of one access must
 * be in two sets. */
#define LINES_SIZE 64
#define LINES_ROW  (2 * LINES_SIZE)

extern ULong *cp_lines_reach; /* by set; of up to LINES_NEAR sets at the same address in each run */
#define LINES_NEAR 4096
extern UChar *cp_lines_rows;
extern UWord cp_lines_set_mask;

/* Call it before D1 is used. */
void cp_lines_init(UInt sets, UInt ways);

static inline UChar *cp_lines_row(UInt row)
{
    return cp_lines_rows + (SizeT)row * LINES_ROW;
}

/* Marks an access to a line that is its set's most recently used. Of two lines, it marks the bytes
 * of the first one. */
static inline void cp_lines_mark(Addr a, UInt size)
{
    UChar *at = (UChar *)(cp_lines_reach[a / LINES_SIZE & cp_lines_set_mask] + a);

    for (; size >= sizeof(ULong); size -= sizeof(ULong), at += sizeof(ULong))
        *(ULong *)at = ~0ULL;
    for (; size; size--)
        *at++ = 0xff;
}

/* Marks the bytes of an access as used, for generated code. */
VG_REGPARM(2) void cp_lines_mark_guarded(Addr a, UWord size);

/* The way's line is evicted, and another one is fetched. cp_lines_own() says who fetched it. */
void cp_lines_fetch(UInt row);

/* All lines are evicted. */
void cp_lines_empty(void);

/* Lines that were fetched since the last call, at most two, belong to `owner` (0: nobody). Returns
 * how many there are, and writes their rows. */
UInt cp_lines_own(ULong owner, UInt *rows);

/* The line of the row, if `from` owns it, belongs to `to`. */
void cp_lines_pass(UInt row, ULong from, ULong to);

/* Lines in D1 are nobody's from now on. */
void cp_lines_forget(void);

/* A line with an owner was evicted, of which `used` bytes were used. */
extern void (*cp_lines_evicted)(ULong owner, UInt used);

/* Calls the function for each line in D1 that has an owner, as if it were evicted. */
void cp_lines_each(void (*tell)(ULong owner, UInt used));

#endif
