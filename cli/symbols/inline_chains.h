/*
 * inline_chains.h - chains of functions that were inlined one into the other, as a tree that all
 * addresses of a profile share: a chain is its innermost link. Equal chains are one.
 */
#ifndef SYMBOLS_INLINE_CHAINS_H
#define SYMBOLS_INLINE_CHAINS_H

#include "cprof_internal.h"

#include <stdint.h>

#define CHAIN_NONE UINT32_MAX

struct inline_chain {
    uint32_t parent; /* the link it was inlined into; CHAIN_NONE: the function that has the code */
    uint32_t function; /* index in the builder */
    uint32_t file;     /* of the place in the parent that calls it; CPROF_NONE: not known */
    uint32_t line;
};

/* Zero-initialised is empty. Parents stand before their children. */
struct inline_chains {
    uint32_t n, room;
    struct inline_chain *items;
    struct map map;
};

/* The index of the chain that is equal to `chain`, made if new. */
uint32_t inline_chains_add(struct inline_chains *chains, const struct inline_chain *chain);
void inline_chains_free(struct inline_chains *chains);

#endif
