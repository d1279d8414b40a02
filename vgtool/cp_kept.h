/*
 * cp_kept.h - kept translations: generated code that outlives the run, in a file.
 *
 * There is a file for each program and each way of counting. A run maps it, and takes from it the
 * translations of code that is the same as it was. At the end it writes a new file, with its own
 * translations besides, if it made some. Whatever is odd about the file, or a translation in it,
 * makes it as good as absent.
 */
#ifndef CP_KEPT_H
#define CP_KEPT_H

#include "cp_recipe.h"
#include "libvex.h"

/* All that generated code depends on, besides the program's code. Unused bytes are 0. */
typedef struct {
    ULong tool;    /* a checksum of the tool's own code */
    ULong machine; /* a checksum of how VEX was told to translate */
    Geometry i1, d1;
    UInt min_line;
    Bool contexts, cache_sim, branch_sim, unused;
} KeptKey;

/* A translation. Behind it lie the parts of its recipe, the holes, the program's code that was
 * translated, and the machine code with placeholders. */
typedef struct {
    Addr address; /* of the program's code */
    UInt size;    /* of all, a multiple of 8 */
    UInt parts_size;
    UShort n_parts, n_holes, guest_size, host_size;
    UShort sp; /* as of cp_recipe_begin() */
    Bool is_cold, keeps_totals;
    UInt register_updates; /* VexRegisterUpdates */
    VexTranslateResult result;
} Kept;

Recipe cp_kept_recipe(const Kept *kept);
const Hole *cp_kept_holes(const Kept *kept);
const UChar *cp_kept_guest(const Kept *kept);
const UChar *cp_kept_host(const Kept *kept);

/* A walk through the translations of the code at one address; those of hot code come first. */
typedef struct {
    Addr address;
    struct KeptNew *next_new;
    UInt next_old;
    Bool is_old; /* where the last one came from */
} KeptWalk;

/* Opens the file for this key and the program, if there is one that can be trusted. */
void cp_kept_open(const KeptKey *key);

void cp_kept_walk(KeptWalk *walk, Addr address);
/* The next translation, which is sound; NULL: there are no more. */
const Kept *cp_kept_next(KeptWalk *walk);
/* The last one is used. */
void cp_kept_use(const KeptWalk *walk);

/* Keeps a copy of the translation, whose pieces lie where the arguments say. */
void cp_kept_add(const Kept *kept, const UChar *parts, const Hole *holes, const UChar *guest,
                 const UChar *host);

/* Writes the file anew if there is enough to add. */
void cp_kept_write(void);

/* This process is a forked child: its parent writes. */
void cp_kept_forget(void);

/* A checksum of `size` bytes, which go on after those of `sum`; 0: they are the first. */
ULong cp_kept_checksum(ULong sum, const void *bytes, SizeT size);

#endif
