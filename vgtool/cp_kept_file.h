/*
 * cp_kept_file.h - a file of kept translations.
 *
 * The file is machine code that will run. It has to be the user's own, and nobody else may be able
 * to write to it; the program that starts the tool looks at the folders above. Checksums find
 * damage, and each translation is looked at before it is used.
 */
#ifndef CP_KEPT_FILE_H
#define CP_KEPT_FILE_H

#include "cp_recipe.h"
#include "libvex.h"
#include "pub_tool_aspacemgr.h"

/* All that generated code depends on, besides the program's code. Unused bytes are 0. */
typedef struct {
    ULong tool;    /* a checksum of the tool's own code */
    ULong machine; /* a checksum of how VEX was told to translate */
    Geometry i1, d1;
    UInt min_line;
    Bool contexts, cache_sim, branch_sim, heap, line_use;
} KeptKey;

/* A translation. Behind it lie the parts of its recipe, the holes, the program's code that was
 * translated, and the machine code with placeholders. */
typedef struct {
    Addr address; /* of the program's code */
    UInt size;    /* of all, a multiple of 8 */
    UInt parts_size;
    UShort n_parts, n_holes, guest_size, host_size;
    UShort sp; /* as of cp_recipe_begin() */
    Bool is_cold, keeps_totals, allocates;
    UInt register_updates; /* VexRegisterUpdates */
    VexTranslateResult result;
} Kept;

Recipe cp_kept_recipe(const Kept *kept);
const Hole *cp_kept_holes(const Kept *kept);
const UChar *cp_kept_guest(const Kept *kept);
const UChar *cp_kept_host(const Kept *kept);

/* The entry of a translation in the index. */
typedef struct {
    Addr address;
    ULong offset, checksum;
    UInt size;
    UShort unused_writes; /* how often the file was written since its last use */
    UShort is_cold;
} KeptEntry;

typedef struct {
    HChar *path;
    const KeptKey *key;
    ULong device, inode;      /* of the file that is mapped */
    const UChar *bytes;       /* NULL: there is none, or none that can be trusted */
    const KeptEntry *entries; /* by rising address; those of hot code come first */
    UInt n_entries;
    UChar *states; /* by entry */
    Bool *used;    /* by entry */
} KeptFile;

/* Bytes of a translation with its pieces. */
UInt cp_kept_size(const Kept *kept);

/* Maps the file whose path and key are set, if there is one that can be trusted and is not the one
 * that is mapped. */
void cp_kept_file_open(KeptFile *file);

/* The first entry at this address or behind it. */
UInt cp_kept_file_first(const KeptFile *file, Addr address);

/* The translation of an entry; NULL: it is damaged. */
const Kept *cp_kept_file_at(KeptFile *file, UInt entry);

/* Writes the file anew, with these translations besides. If another process has written it since it
 * was opened, what that one added is left in it. */
void cp_kept_file_write(KeptFile *file, const Kept *const *news, UInt n);

/* A checksum of `size` bytes, which go on after those of `sum`; 0: they are the first. */
ULong cp_kept_checksum(ULong sum, const void *bytes, SizeT size);

#endif
