/*
 * cp_object.h - which file the code at an address comes from.
 *
 * An object is a file that code was executed from, or the one that stands for code without a file.
 * It stays known after its code is unmapped. Two files that take turns at one address are two
 * objects; one file mapped twice is one object with two ranges.
 */
#ifndef CP_OBJECT_H
#define CP_OBJECT_H

#include "cp_elf.h"
#include "cp_tool.h"

typedef struct {
    const HChar *path;
    ULong device, inode; /* 0, 0: no file */
    ElfIdentity elf;
} Object;

/* A stretch of memory that an object's code was at; address in the file = address in memory - bias.
 */
typedef struct {
    UInt object;
    Addr start, end; /* end is the first address behind */
    Addr bias;
} Range;

/* The range that `address` lies in now, as an index; it is made when it is new. */
UInt cp_range_at(Addr address);
const Range *cp_range(UInt index);
UInt cp_range_count(void);
const Object *cp_object(UInt index);
UInt cp_object_count(void);

/* Registers with the core what it needs in order to notice that code was mapped. Call before any
 * code is translated. */
void cp_object_init(void);

#endif
