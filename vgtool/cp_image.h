/*
 * cp_image.h - ELF files and other files as the program has them in memory: which data lies at an
 * address there.
 *
 * A file of code is an image: its segments, with .bss, at one place. It is read when the first
 * address in it is looked for.
 */
#ifndef CP_IMAGE_H
#define CP_IMAGE_H

#include "cp_elf.h"
#include "cp_tool.h"

typedef struct {
    UInt id; /* its index */
    const HChar *path;
    ULong device, inode;
    Bool is_elf;
    ElfData data; /* of an ELF file */
    UInt datum;   /* as of ElfPart: data of the file that has no symbol and no section */
} DataFile;

/* The file that the address is mapped from; NULL: none. In an ELF file *at is the address in the
 * file, in another one the offset. */
DataFile *cp_image_at(Addr address, Addr *at);

/* cp_image_at() for images that are known, which is quick. */
DataFile *cp_image_known(Addr address, Addr *at);

/* Makes images of all files that code was executed from. True if there are new ones. */
Bool cp_image_of_code(void);

UInt cp_image_file_count(void);
const DataFile *cp_image_file(UInt index);

/* Asks the core to report what is unmapped. */
void cp_image_init(void);

#endif
