/*
 * elf_image.h - ELF files in memory, made of what is packed within others.
 */
#ifndef SYMBOLS_ELF_IMAGE_H
#define SYMBOLS_ELF_IMAGE_H

#include <gelf.h>
#include <stdbool.h>

struct elf_image {
    Elf *elf; /* NULL: there is none */
    char *bytes;
};

/* The file of symbols that Fedora and others leave in stripped ones, .gnu_debugdata (packed by xz).
 * Returns false where there is none, or it cannot be unpacked. */
bool elf_image_of_symbols(struct elf_image *image, Elf *elf);
/* The same file with sections unpacked that were packed by zstd: not every libdw reads them.
 * Returns false where there are none, or they cannot be unpacked. */
bool elf_image_of_zstd(struct elf_image *image, Elf *elf);
void elf_image_free(struct elf_image *image);

#endif
