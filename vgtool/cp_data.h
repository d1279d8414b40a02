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
#include "cp_function.h"
#include "cp_image.h"
#include "cp_tool.h"

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

#define DATA_NO_NODE (~0u)

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

/* The allocation function of the thread's outermost call has returned, or was left: what missed in
 * it is put to the blocks that there are now. cp_data_settle(): of all threads. */
void cp_data_return(ThreadId tid);
void cp_data_settle(void);

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

/* Counts lines that are in D1 as if they were evicted, or no longer. */
void cp_data_count_present(Bool on);

/* Forgets all counts. */
void cp_data_reset(void);

UInt cp_data_count(void);
Datum *cp_data_at(UInt index);
UInt cp_data_touch_count(void);
const DataTouch *cp_data_touch(UInt index);

#endif
