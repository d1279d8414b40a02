/*
 * cp_elf_unwind.c - the functions that an ELF file's unwind table has. (Linux Standard Base,
 * "Exception Frames".)
 *
 * .eh_frame has records: a length of four bytes, then a number. It is 0 in a record of what is
 * common to others (CIE); in one of a function (FDE) it is the distance back to its CIE, and
 * address and length of the function follow, in an encoding that the CIE gives.
 */
#include "cp_elf_file.h"

#define ENCODING_ABSOLUTE 0x00 /* eight bytes */
#define ENCODING_DATA4    0x03 /* four; with ENCODING_SIGNED they have a sign */
#define ENCODING_DATA8    0x04
#define ENCODING_SIGNED   0x08
#define ENCODING_RELATIVE 0x10 /* to the place of the number itself */
#define ENCODING_UNKNOWN  0xff

typedef struct {
    const UChar *bytes;
    ULong size;
    Addr address;
} Table;

static UInt word_at(const Table *t, ULong at)
{
    UInt value;

    VG_(memcpy)(&value, t->bytes + at, sizeof value);
    return value;
}

/* Bytes of a number of this encoding; 0: it is none that is read here. */
static UInt encoded_size(UChar encoding)
{
    switch (encoding & 0x07) {
    case ENCODING_ABSOLUTE:
    case ENCODING_DATA4 + 1:
        return 8;
    case ENCODING_DATA4:
        return 4;
    default:
        return 0;
    }
}

/* Goes over a number of any length. */
static ULong skip_number(const Table *t, ULong at, ULong end)
{
    while (at < end && (t->bytes[at] & 0x80))
        at++;
    return at + 1;
}

/* The encoding of addresses that the CIE gives whose content, behind the 0, lies from `at` to
 * `end`. Its augmentation is a text such as "zPLR": a letter for each part of the data. */
static UChar encoding_of(const Table *t, ULong at, ULong end)
{
    ULong letter = at + 1;

    for (at++; at < end && t->bytes[at]; at++)
        ;
    if (letter >= end || t->bytes[letter] != 'z')
        return letter < end && !t->bytes[letter] ? ENCODING_ABSOLUTE : ENCODING_UNKNOWN;
    /* Two factors, the register of the return address, the length of the data. */
    for (UInt i = 0; i < 4; i++)
        at = skip_number(t, i ? at : at + 1, end);
    while (t->bytes[++letter]) {
        UChar encoding = at < end ? t->bytes[at] : ENCODING_UNKNOWN;
        if (t->bytes[letter] == 'R')
            return encoding;
        if (t->bytes[letter] == 'P')
            at += 1 + encoded_size(encoding);
        else if (t->bytes[letter] == 'L')
            at++;
        else if (t->bytes[letter] != 'S' && t->bytes[letter] != 'B')
            return ENCODING_UNKNOWN;
    }
    return ENCODING_ABSOLUTE;
}

/* The number of the encoding at `at`. */
static ULong number_at(const Table *t, ULong at, UChar encoding)
{
    ULong value;

    if (encoded_size(encoding) == 4)
        return encoding & ENCODING_SIGNED ? (ULong)(Long)(Int)word_at(t, at) : word_at(t, at);
    VG_(memcpy)(&value, t->bytes + at, sizeof value);
    return value;
}

/* The instructions of an FDE that say what is on the stack, and where code has gone on; those of
 * nothing. The CIE says what is there where a function begins. */
enum { CFA_NOP = 0, CFA_DEFINE = 0x0c, CFA_DEFINE_OFFSET = 0x0e, CFA_OFFSET = 2 }; /* two bits */

/* True if the instructions of an FDE, behind its data, tell first of a frame that is there where
 * its code begins: the code is a part of a function that was split. */
static Bool begins_inside(const Table *t, ULong at, ULong end)
{
    ULong data = at < end ? t->bytes[at] : 0;

    if (data & 0x80)
        return False;
    at += 1 + data;
    while (at < end && t->bytes[at] == CFA_NOP)
        at++;
    return at < end && (t->bytes[at] == CFA_DEFINE || t->bytes[at] == CFA_DEFINE_OFFSET ||
                        t->bytes[at] >> 6 == CFA_OFFSET);
}

/* Adds the function of an FDE whose content, behind the distance, lies from `at` to `end`. */
static void add_described(const Table *t, ULong at, ULong end, UChar encoding, ElfFunctions *f,
                          UInt known)
{
    UInt size = encoded_size(encoding);
    Addr start, length;
    Int before;

    if (!size || at + 2 * size > end || (encoding & 0x70 & ~ENCODING_RELATIVE))
        return;
    start = number_at(t, at, encoding) + (encoding & ENCODING_RELATIVE ? t->address + at : 0);
    length = number_at(t, at + size, encoding & ~ENCODING_SIGNED);
    before = cp_elf_find(f, known, start);
    /* Functions that the linker dropped begin at 0. */
    if (start <= 1 || !length || length > ~start)
        return;
    if (before >= 0 && start == f->items[before].start) {
        if (f->items[before].end < start + length)
            f->items[before].end = start + length;
    } else if (before < 0 || start >= f->items[before].end) {
        cp_elf_add(f, start, start + length, False);
        f->items[f->n - 1].is_inner =
            encoding != ENCODING_ABSOLUTE && begins_inside(t, at + 2 * size, end);
    }
}

static void add_table(const Table *t, ElfFunctions *f, UInt known)
{
    ULong last_cie = ~0ULL;
    UChar encoding = ENCODING_UNKNOWN;

    for (ULong at = 0; at + 8 <= t->size && word_at(t, at);) {
        ULong body = at + 4, end = body + word_at(t, at), cie;
        if (end > t->size || end < body + 4)
            return;
        at = end;
        if (!word_at(t, body))
            continue;
        cie = body - word_at(t, body);
        if (cie != last_cie) {
            last_cie = cie;
            encoding = cie + 8 <= t->size && cie + 4 + word_at(t, cie) <= t->size
                           ? encoding_of(t, cie + 8, cie + 4 + word_at(t, cie))
                           : ENCODING_UNKNOWN;
        }
        add_described(t, body + 4, end, encoding, f, known);
    }
}

/* Where .eh_frame lies in the file. Without sections .eh_frame_hdr tells where it begins: a
 * version, three encodings, and its address relative to the place of that. False: not known. */
static Bool find_table(const Elf *e, Addr *address, ULong *offset, ULong *size)
{
    for (UInt i = 0; i < e->n_sections; i++)
        if (!VG_(strcmp)(cp_elf_section_name(e, &e->sections[i]), ".eh_frame")) {
            *address = e->sections[i].addr;
            *offset = e->sections[i].offset;
            *size = e->sections[i].size;
            return True;
        }
    *address = 0;
    for (UInt i = 0; i < e->n_segments; i++) {
        const ProgramHeader *h = &e->segments[i];
        Int *head =
            h->type == PT_GNU_EH_FRAME && h->filesz >= 8 ? cp_elf_read(e->fd, h->offset, 8) : NULL;
        if (head && ((UInt)head[0] & 0xffff) == 0x1b01)
            *address = h->vaddr + 4 + (Long)head[1];
        VG_(free)(head);
    }
    for (UInt i = 0; i < e->n_segments && *address; i++) {
        const ProgramHeader *h = &e->segments[i];
        if (h->type == PT_LOAD && *address - h->vaddr < h->filesz) {
            *offset = h->offset + (*address - h->vaddr);
            *size = h->filesz - (*address - h->vaddr);
            return True;
        }
    }
    return False;
}

void cp_elf_add_unwind(const Elf *e, ElfFunctions *f, UInt known)
{
    Table t = {NULL, 0, 0};
    ULong offset = 0;
    UChar *bytes;

    if (!find_table(e, &t.address, &offset, &t.size))
        return;
    t.bytes = bytes = cp_elf_read(e->fd, offset, t.size);
    if (bytes)
        add_table(&t, f, known);
    VG_(free)(bytes);
}
