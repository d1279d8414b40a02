/*
 * cp_elf.c - reads ELF files: headers and build-id; lists of functions.
 */
#include "cp_elf.h"

#include "cp_elf_file.h"
#include "pub_tool_libcfile.h"

/*--- Reading ---*/

void *cp_elf_read(Int fd, ULong offset, ULong size)
{
    HChar *data;

    if (size > MAX_TABLE || VG_(lseek)(fd, (Off64T)offset, VKI_SEEK_SET) != (Off64T)offset)
        return NULL;
    data = VG_(malloc)("cp.elf.1", size + 1);
    data[size] = '\0';
    for (ULong done = 0; done < size;) {
        Int n = VG_(read)(fd, data + done, (Int)(size - done));
        if (n <= 0) {
            VG_(free)(data);
            return NULL;
        }
        done += (ULong)n;
    }
    return data;
}

UShort cp_elf_short(const Elf *e, UInt at)
{
    UShort value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

ULong cp_elf_long(const Elf *e, UInt at)
{
    ULong value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

void cp_elf_close(Elf *e)
{
    VG_(close)(e->fd);
    VG_(free)(e->segments);
    VG_(free)(e->sections);
    VG_(free)(e->section_names);
}

Bool cp_elf_open(Elf *e, const HChar *path)
{
    VG_(memset)(e, 0, sizeof *e);
    e->fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
    if (e->fd < 0)
        return False;
    if (VG_(read)(e->fd, e->header, HEADER_SIZE) == HEADER_SIZE &&
        !VG_(memcmp)(e->header, "\177ELF\2", 5) && cp_elf_short(e, 54) == sizeof(ProgramHeader) &&
        cp_elf_short(e, 56) <= MAX_PHNUM) {
        e->n_segments = cp_elf_short(e, 56);
        e->segments = cp_elf_read(e->fd, cp_elf_long(e, 32), e->n_segments * sizeof(ProgramHeader));
        if (e->segments)
            return True;
    }
    cp_elf_close(e);
    return False;
}

void cp_elf_sections(Elf *e)
{
    UInt n = cp_elf_short(e, 60), names = cp_elf_short(e, 62);

    if (cp_elf_short(e, 58) != sizeof(SectionHeader) || n > MAX_SHNUM || names >= n)
        return;
    e->sections = cp_elf_read(e->fd, cp_elf_long(e, 40), n * sizeof(SectionHeader));
    if (!e->sections)
        return;
    e->n_section_names = e->sections[names].size;
    e->section_names = cp_elf_read(e->fd, e->sections[names].offset, e->n_section_names);
    e->n_sections = e->section_names ? n : 0;
}

const HChar *cp_elf_section_name(const Elf *e, const SectionHeader *s)
{
    return s->name < e->n_section_names ? e->section_names + s->name : "";
}

/*--- Identity ---*/

/* Finds the GNU build-id among notes. A note has the name's size, the descriptor's size and the
 * type, then name and descriptor, padded to four bytes. */
static void find_build_id(ElfIdentity *identity, const UChar *notes, ULong size)
{
    ULong at = 0;

    while (at + 12 <= size) {
        UInt head[3];
        ULong name, desc;

        VG_(memcpy)(head, notes + at, sizeof head);
        name = at + 12;
        desc = name + VG_ROUNDUP((ULong)head[0], 4);
        if (desc + head[1] > size)
            return;
        if (head[2] == NT_BUILD_ID && head[0] == 4 && !VG_(memcmp)(notes + name, "GNU", 4)) {
            identity->n_build_id = head[1] < CP_BUILD_ID_MAX ? head[1] : CP_BUILD_ID_MAX;
            VG_(memcpy)(identity->build_id, notes + desc, identity->n_build_id);
            return;
        }
        at = desc + VG_ROUNDUP((ULong)head[1], 4);
    }
}

Bool cp_elf_identify(const HChar *path, ElfIdentity *identity)
{
    Elf e;

    VG_(memset)(identity, 0, sizeof *identity);
    if (!cp_elf_open(&e, path))
        return False;
    for (UInt i = 0; i < e.n_segments; i++) {
        const ProgramHeader *h = &e.segments[i];
        if (h->type == PT_LOAD && (h->flags & PF_X) && identity->n_segments < 8) {
            identity->segments[identity->n_segments++] =
                (ElfSegment){h->offset, h->vaddr, h->filesz};
        } else if (h->type == PT_NOTE && !identity->n_build_id) {
            UChar *notes = cp_elf_read(e.fd, h->offset, h->filesz);
            if (notes)
                find_build_id(identity, notes, h->filesz);
            VG_(free)(notes);
        }
    }
    cp_elf_close(&e);
    return True;
}

Bool cp_elf_open_debug(const ElfIdentity *identity, Elf *e)
{
    HChar path[48 + 2 * CP_BUILD_ID_MAX];
    UInt n;

    if (identity->n_build_id < 2)
        return False;
    n = VG_(sprintf)(path, "/usr/lib/debug/.build-id/%02x/", identity->build_id[0]);
    for (UInt i = 1; i < identity->n_build_id; i++)
        n += VG_(sprintf)(path + n, "%02x", identity->build_id[i]);
    VG_(strcpy)(path + n, ".debug");
    return cp_elf_open(e, path);
}

/*--- Lists of functions ---*/

void cp_elf_add(ElfFunctions *f, Addr start, Addr end, Bool transparent)
{
    if (f->n == f->max) {
        f->max = f->max ? f->max * 2 : 256;
        f->items = VG_(realloc)("cp.elf.2", f->items, f->max * sizeof *f->items);
    }
    f->items[f->n++] =
        (ElfFunction){.start = start, .end = end, .owner = start, .transparent = transparent};
}

Int cp_elf_find(const ElfFunctions *f, UInt n, Addr address)
{
    UInt low = 0, high = n;

    while (low < high) {
        UInt middle = (low + high) / 2;
        if (f->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return (Int)low - 1;
}
