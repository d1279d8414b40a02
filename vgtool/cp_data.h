/*
 * cp_data.h - which data misses: each miss of D1, and of LL behind it, is put to the datum that
 * the address lies in.
 *
 * A datum is all blocks of the heap that one context allocated; a variable; a section of an ELF
 * file, where it names no variable; the frames of one function; a file that is mapped; a stretch
 * of other memory. Misses are kept by (context, access point, datum), with the least offset in
 * the datum and the greatest common divisor of the distances between offsets: where all elements
 * of an array have one size, that size divides it, and the remainder tells the field.
 */
#ifndef CP_DATA_H
#define CP_DATA_H

#include "cp_block.h"
#include "cp_elf.h"
#include "cp_function.h"
#include "cp_tool.h"

/*
 * ELF files and other files as the program has them in memory: which data lies at an
 * address there.
 *
 * A file of code is an image: its segments, with .bss, at one place. It is read when the first
 * address in it is looked for.
 */

typedef struct {
    UInt id; /* its index */
    const HChar *path;
    ULong device, inode;
    Bool is_elf;
    ElfData data; /* of an ELF file */
    UInt datum;   /* as of ElfPart: data of the file that has no symbol and no section */
} DataFile;

typedef enum {
    DATA_BLOCKS,    /* of the heap */
    DATA_VARIABLE,  /* of an ELF file */
    DATA_SECTION,   /* of an ELF file */
    DATA_STACK,     /* the frames of a function, or what lies beside frames */
    DATA_FILE,      /* that is mapped */
    DATA_ANONYMOUS, /* memory of the system's that is none of the others */
    DATA_ALLOCATOR, /* what an allocation function uses that is no block's and no variable */
    DATA_FREE,      /* memory of the heap that no block has */
    DATA_UNKNOWN,
    DATA_ALL, /* where data are not told apart, but the use of lines is counted */
    DATA_KINDS
} DataKind;

typedef struct {
    DataKind kind;
    UInt id;                  /* its index */
    UInt number;              /* in the profile that is being written */
    UInt node;                /* of blocks: the context; DATA_NO_NODE: it was not counted */
    const Function *function; /* of frames; NULL: none */
    const DataFile *file;     /* of variables, sections and files */
    const ElfPart *part;      /* of variables and sections; NULL: not in any section */
    Addr start;               /* of other memory */
} Datum;

typedef struct {
    UInt node, point, datum; /* their indices */
    ULong counts[2];         /* first-level misses, last-level misses */
    ULong least, first;      /* offsets: the least, the first one */
    ULong stride;            /* that divides their distances; 0: all are one */
    ULong lines, used;       /* lines that D1 fetched, bytes of those that it evicted */
} DataTouch;

/* Call it when all options are known. */
void cp_data_init(void);

/* The greatest common divisor; 0 divides nothing: of 0 and n it is n. */
static inline ULong cp_data_divisor(ULong a, ULong b)
{
    while (b) {
        ULong rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Forgets all counts. */
void cp_data_reset(void);

/*--- Writing ---*/

/*
 * The lines of the raw profile that say which data misses, and those that have
 * miss curves. Without --data=yes there are none of data.
 */

/* Writes the line of the header. */
void cp_data_write_key(void);

/* Writes the records, behind those of contexts. */
void cp_data_write(void);

/*--- Miss curves: without --miss-curves=yes there are no lines ---*/

/* Writes the line of the header. */
void cp_curve_write_key(void);

/* Writes the records, behind those of data, which gave data their numbers. */
void cp_curve_write(void);

#endif
