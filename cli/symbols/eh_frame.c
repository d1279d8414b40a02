#include <config.h>

#include "symbols/eh_frame.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ENTRIES_MAX = 1 << 22 };

/* The section, and what its addresses are relative to. */
struct table {
    const unsigned char *ident;
    Elf_Data *data;
    uint64_t address;
    bool wide; /* addresses have 8 bytes */
    Dwarf_Off cie;
    int encoding; /* of addresses in entries of that CIE; -1: not understood */
};

/* Bytes of an encoded pointer; 0: no fixed number. */
static size_t encoded_size(const struct table *t, unsigned encoding)
{
    switch (encoding & 0x07) {
    case DW_EH_PE_absptr:
        return t->wide ? 8 : 4;
    case DW_EH_PE_udata2:
        return 2;
    case DW_EH_PE_udata4:
        return 4;
    case DW_EH_PE_udata8:
        return 8;
    default:
        return 0;
    }
}

/* The encoding that a CIE's augmentation gives: LSB, "The .eh_frame section". */
static int encoding_of(const struct table *t, const Dwarf_CIE *cie)
{
    const char *letter = cie->augmentation;
    const uint8_t *at = cie->augmentation_data, *end;

    if (!letter || *letter != 'z')
        return DW_EH_PE_absptr;
    if (!at)
        return -1;
    end = at + cie->augmentation_data_size;
    while (*++letter) {
        if (*letter == 'S' || *letter == 'B')
            continue;
        if (at >= end || !strchr("RLP", *letter))
            return -1;
        if (*letter == 'R')
            return *at;
        if (*letter == 'P') {
            size_t size = encoded_size(t, *at);

            if (!size || size >= (size_t)(end - at))
                return -1;
            at += size;
        }
        at++;
    }
    return DW_EH_PE_absptr;
}

/* The encoding for entries of the CIE at `offset`. */
static int encoding_at(struct table *t, Dwarf_Off offset)
{
    Dwarf_CFI_Entry entry;
    Dwarf_Off next;

    if (t->cie != offset) {
        t->cie = offset;
        t->encoding = -1;
        if (dwarf_next_cfi(t->ident, t->data, true, offset, &next, &entry) == 0 &&
            dwarf_cfi_cie_p(&entry))
            t->encoding = encoding_of(t, &entry.cie);
    }
    return t->encoding;
}

/* A number of `size` bytes, little-endian as all that we run. */
static uint64_t read_number(const uint8_t *at, size_t size, bool is_signed)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    if (is_signed && size < 8 && value >> (8 * size - 1))
        value |= UINT64_MAX << 8 * size;
    return value;
}

static void add_entry(struct intervals *ranges, struct table *t, const Dwarf_FDE *fde)
{
    int encoding = encoding_at(t, fde->CIE_pointer);
    size_t size = encoding < 0 ? 0 : encoded_size(t, (unsigned)encoding);
    const uint8_t *begin = t->data->d_buf;
    uint64_t start, length;

    if (!size || fde->start < begin || (size_t)(fde->end - fde->start) < 2 * size)
        return;
    start = read_number(fde->start, size, encoding & DW_EH_PE_signed);
    if ((encoding & 0x70) == DW_EH_PE_pcrel)
        start += t->address + (uint64_t)(fde->start - begin);
    else if ((encoding & 0x70) != DW_EH_PE_absptr)
        return;
    length = read_number(fde->start + size, size, false);
    /* Functions that the linker dropped begin at 0. */
    if (start > 1 && length <= UINT64_MAX - start)
        intervals_add(ranges, start, start + length, (uint32_t)ranges->n);
}

void eh_frame_load(struct intervals *ranges, const struct elf_file *f)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(f->elf, ".eh_frame", &header);
    struct table t = {.cie = (Dwarf_Off)-1, .encoding = -1};
    Dwarf_Off offset = 0, next = 0;
    Dwarf_CFI_Entry entry;

    *ranges = (struct intervals){.n = 0};
    t.ident = (const unsigned char *)elf_getident(f->elf, NULL);
    t.data = section ? elf_rawdata(section, NULL) : NULL;
    if (!t.ident || !t.data || !t.data->d_buf || t.ident[EI_DATA] != ELFDATA2LSB)
        return;
    t.address = header.sh_addr;
    t.wide = t.ident[EI_CLASS] == ELFCLASS64;
    for (; ranges->n < ENTRIES_MAX; offset = next) {
        int status = dwarf_next_cfi(t.ident, t.data, true, offset, &next, &entry);

        if (status > 0 || next <= offset || next == (Dwarf_Off)-1)
            break;
        if (status == 0 && !dwarf_cfi_cie_p(&entry))
            add_entry(ranges, &t, &entry.fde);
    }
    intervals_flatten(ranges);
    for (size_t i = 0; i < ranges->n; i++)
        ranges->items[i].value = (uint32_t)i;
}
