/*
 * Data structure #1: objects, in the order of their first execution. #2: ranges, likewise; several
 * ranges may cover one address, as mappings come and go, and the last one made is the one in force
 * unless the mapping has changed since (`generation`).
 */
#include "cp_object.h"
#include "cp_format.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_tooliface.h"

/* What identifies a mapping while it lasts. */
typedef struct {
    Range range;
    ULong device, inode;
    Off64T offset;
    UInt generation;
} Mapping;

/* ELF64, as far as a build-id and a load bias need it (System V ABI, chapters 4 and 5). */
typedef struct {
    UInt type, flags;
    ULong offset, vaddr, paddr, filesz, memsz, align;
} ProgramHeader;
#define ELF_HEADER_SIZE 64
#define ELF_PT_LOAD     1
#define ELF_PT_NOTE     4
#define ELF_PF_X        1
#define ELF_NT_BUILD_ID 3
#define ELF_MAX_PHNUM   64
#define ELF_MAX_NOTES   4096

static Pool objects = {.size = sizeof(Object), .tag = "cp.object.1"};
static Pool mappings = {.size = sizeof(Mapping), .tag = "cp.object.2"};

/* Counts changes of executable memory; a mapping that was looked at before the last change is
 * looked at again. */
static UInt generation = 1;

static void on_map(Addr a, SizeT size, Bool r, Bool w, Bool x, ULong handle)
{
    if (x)
        generation++;
}

static void on_protect(Addr a, SizeT size, Bool r, Bool w, Bool x)
{
    if (x)
        generation++;
}

void cp_object_init(void)
{
    VG_(track_new_mem_mmap)(on_map);
    VG_(track_change_mem_mprotect)(on_protect);
}

/* Reads exactly `size` bytes at `offset`. */
static Bool read_at(Int fd, ULong offset, void *buffer, Int size)
{
    return VG_(lseek)(fd, (Off64T)offset, VKI_SEEK_SET) == (Off64T)offset &&
           VG_(read)(fd, buffer, size) == size;
}

/* Finds the GNU build-id among `size` bytes of notes (name size, descriptor size, type, both padded
 * to 4 bytes). */
static void find_build_id(Object *object, const UChar *notes, UInt size)
{
    UInt at = 0;

    while (at + 12 <= size) {
        UInt head[3];
        UInt name, desc;

        VG_(memcpy)(head, notes + at, sizeof head);
        if (head[0] > size || head[1] > size)
            return;
        name = at + 12;
        desc = name + VG_ROUNDUP(head[0], 4);
        if (desc + head[1] > size)
            return;
        if (head[2] == ELF_NT_BUILD_ID && head[0] == 4 && !VG_(memcmp)(notes + name, "GNU", 4)) {
            object->n_build_id = head[1] < CP_BUILD_ID_MAX ? head[1] : CP_BUILD_ID_MAX;
            VG_(memcpy)(object->build_id, notes + desc, object->n_build_id);
            return;
        }
        at = desc + VG_ROUNDUP(head[1], 4);
    }
}

static void read_notes(Object *object, Int fd, const ProgramHeader *header)
{
    static UChar notes[ELF_MAX_NOTES];

    if (header->filesz <= sizeof notes && read_at(fd, header->offset, notes, (Int)header->filesz))
        find_build_id(object, notes, (UInt)header->filesz);
}

/* Reads the program headers of an ELF64 file; returns how many, 0 where it is no such file. */
static UInt read_program_headers(Int fd, ProgramHeader *headers)
{
    UChar elf[ELF_HEADER_SIZE];
    ULong phoff;
    UShort phentsize, phnum;

    if (!read_at(fd, 0, elf, sizeof elf) || VG_(memcmp)(elf, "\177ELF\2", 5))
        return 0;
    VG_(memcpy)(&phoff, elf + 32, sizeof phoff);
    VG_(memcpy)(&phentsize, elf + 54, sizeof phentsize);
    VG_(memcpy)(&phnum, elf + 56, sizeof phnum);
    if (phentsize != sizeof *headers || phnum > ELF_MAX_PHNUM)
        return 0;
    return read_at(fd, phoff, headers, (Int)(phnum * sizeof *headers)) ? phnum : 0;
}

/* File offset to address: the executable segment that holds the offset decides. Without one the
 * offset itself is the address. */
static Addr bias_of(const ProgramHeader *headers, UInt n, Addr start, ULong offset)
{
    for (UInt i = 0; i < n; i++) {
        const ProgramHeader *h = &headers[i];
        if (h->type == ELF_PT_LOAD && (h->flags & ELF_PF_X) && offset >= VG_PGROUNDDN(h->offset) &&
            offset < VG_PGROUNDUP(h->offset + h->filesz))
            return start - offset - (h->vaddr - h->offset);
    }
    return start - offset;
}

static UInt find_object(const Object *wanted)
{
    for (UInt i = 0; i < objects.n; i++) {
        const Object *o = cp_pool_at(&objects, i);
        if (o->device == wanted->device && o->inode == wanted->inode &&
            o->n_build_id == wanted->n_build_id &&
            !VG_(memcmp)(o->build_id, wanted->build_id, o->n_build_id) &&
            !VG_(strcmp)(o->path, wanted->path))
            return i;
    }
    return objects.n;
}

/* Fills the range of a new mapping: its object (made where it is new) and bias. */
static void identify(Mapping *mapping, const NSegment *segment)
{
    Object object = {.path = CP_ANONYMOUS};
    UInt i;

    if (segment && (segment->kind == SkFileC || segment->kind == SkFileV)) {
        ProgramHeader headers[ELF_MAX_PHNUM];
        const HChar *path = VG_(am_get_filename)(segment);
        Int fd = path ? VG_(fd_open)(path, VKI_O_RDONLY, 0) : -1;
        UInt n = 0;

        object.path = path ? path : "???";
        object.device = segment->dev;
        object.inode = segment->ino;
        if (fd >= 0) {
            n = read_program_headers(fd, headers);
            for (UInt k = 0; k < n && !object.n_build_id; k++)
                if (headers[k].type == ELF_PT_NOTE)
                    read_notes(&object, fd, &headers[k]);
            VG_(close)(fd);
        }
        mapping->range.bias = bias_of(headers, n, segment->start, (ULong)segment->offset);
    }
    i = find_object(&object);
    if (i == objects.n) {
        object.path = VG_(strdup)("cp.object.3", object.path);
        *(Object *)cp_pool_add(&objects) = object;
    }
    mapping->range.object = i;
}

/* Whether the mapping still describes what the segment maps. Code without a file is one object
 * wherever it is. */
static Bool same_file(const Mapping *m, const NSegment *segment)
{
    if (!segment || (!segment->dev && !segment->ino))
        return !m->device && !m->inode;
    return m->device == segment->dev && m->inode == segment->ino &&
           m->offset - (Off64T)m->range.start == segment->offset - (Off64T)segment->start;
}

static UInt new_mapping(Addr address, const NSegment *segment)
{
    UInt index = mappings.n;
    Mapping *m = cp_pool_add(&mappings);

    m->generation = generation;
    m->range.start = segment ? segment->start : VG_PGROUNDDN(address);
    m->range.end = segment ? segment->end + 1 : m->range.start + VKI_PAGE_SIZE;
    if (segment) {
        m->device = segment->dev;
        m->inode = segment->ino;
        m->offset = segment->offset;
    }
    identify(m, segment);
    return index;
}

/*
 * The range that held the last address is tried first, then all, newest first; there are about as
 * many as loaded libraries. An older one is in force only where nothing executable was mapped
 * since, or the address-space manager confirms that the same file is still there.
 */
UInt cp_range_at(Addr address)
{
    static UInt last;
    const NSegment *segment = NULL;
    Bool looked_up = False;

    for (UInt k = 0; k <= mappings.n; k++) {
        UInt i = k ? mappings.n - k : last;
        Mapping *m;

        if (i >= mappings.n)
            continue;
        m = cp_pool_at(&mappings, i);
        if (address < m->range.start || address >= m->range.end)
            continue;
        if (m->generation != generation) {
            if (!looked_up)
                segment = VG_(am_find_nsegment)(address);
            looked_up = True;
            if (!same_file(m, segment))
                continue;
            m->generation = generation;
        }
        return last = i;
    }
    return last = new_mapping(address, VG_(am_find_nsegment)(address));
}

const Range *cp_range(UInt index)
{
    return &((Mapping *)cp_pool_at(&mappings, index))->range;
}

UInt cp_range_count(void)
{
    return mappings.n;
}

const Object *cp_object(UInt index)
{
    return cp_pool_at(&objects, index);
}

UInt cp_object_count(void)
{
    return objects.n;
}
