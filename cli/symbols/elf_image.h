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
    size_t mapped; /* bytes of them, by mmap(); 0: they are malloc()'s */
};

/* The file of symbols that Fedora and others leave in stripped ones, .gnu_debugdata (packed by xz).
 * Returns false where there is none, or it cannot be unpacked. */
bool elf_image_of_symbols(struct elf_image *image, Elf *elf);
/* The same file, which `fd` is, with packed sections unpacked. Returns false where there are none,
 * or they are left to libdw. */
bool elf_image_of_packed(struct elf_image *image, Elf *elf, int fd);
void elf_image_free(struct elf_image *image);

#endif
