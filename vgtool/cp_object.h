/*
 * cp_object.h - which file the code at an address comes from.
 *
 * An object is a file that code was executed from; one more stands for code without a file. An
 * object stays known after its code is unmapped. Two files that take turns at one address are two
 * objects; one file that is mapped twice is one object with two ranges.
 */
#ifndef CP_OBJECT_H
#define CP_OBJECT_H

#include "cp_elf.h"
#include "cp_tool.h"

typedef struct {
    const HChar *path;
    ULong device, inode; /* 0, 0: no file */
    /* The file as it was when it was mapped: read then, since it may be gone before its code runs,
     * or be another one. A mapped file that was gone already has none of it. */
    Long size;
    ULong modified, modified_ns;
    ElfIdentity elf;
    ElfFunctions functions; /* addresses of the file */
} Object;

/* A stretch of memory that has, or had, an object's code. The address in the file is the address in
 * memory - bias. */
typedef struct {
    UInt object;
    Addr start, end; /* end is the first address behind */
    Addr bias;
} Range;

/* The index of the range that `address` lies in now; it may be a new one. */
UInt cp_range_at(Addr address);
const Range *cp_range(UInt index);
UInt cp_range_count(void);
const Object *cp_object(UInt index);
UInt cp_object_count(void);

/* True if the file that was mapped is not the one at its path now. */
Bool cp_object_is_gone(const Object *object);

/* Asks the core to report new code. Call it before any code is translated. */
void cp_object_init(void);

#endif
