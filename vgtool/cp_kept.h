/*
 * cp_kept.h - kept translations: generated code that outlives the run, in files.
 *
 * There is a file for each object, such as a program or library, at each address where it is
 * mapped, for each way of counting. A run maps those that it needs, and takes from them the
 * translations of code that is the same as it was. At the end it writes new files, with its own
 * translations besides, where it made some. Whatever is odd about a file, or a translation in it,
 * makes it as good as absent.
 */
#ifndef CP_KEPT_H
#define CP_KEPT_H

#include "cp_kept_file.h"

/* A walk through the translations of the code at one address; those of hot code come first. */
typedef struct {
    Addr address;
    KeptFile *file;
    struct KeptNew *next_new;
    UInt next_old;
    Bool is_old; /* where the last one came from */
} KeptWalk;

/* From now on translations are kept, and those of files for this key are found. False: they must
 * not be, since the process has rights that its user lacks. */
Bool cp_kept_begin(const KeptKey *key);

/* Begins a walk. `segment` is of a file, and the address lies in it. */
void cp_kept_walk(KeptWalk *walk, const NSegment *segment, Addr address);
/* The next translation, which is sound; NULL: there are no more. */
const Kept *cp_kept_next(KeptWalk *walk);
/* The last one is used. */
void cp_kept_use(const KeptWalk *walk);

/* Keeps a copy of the translation of the segment's code, whose pieces lie where the arguments say.
 */
void cp_kept_add(const NSegment *segment, const Kept *kept, const UChar *parts, const Hole *holes,
                 const UChar *guest, const UChar *host);

/* Writes those files anew to which there is enough to add. */
void cp_kept_write(void);

/* This process is a forked child: its parent writes. */
void cp_kept_forget(void);

#endif
