/*
 * cp_object.c - data structure #1: objects, in the order of their first execution. #2: ranges,
 * likewise. As mappings come and go, several ranges may cover one address. The newest is in force
 * unless the mapping has changed since (`generation`).
 */
#include "cp_object.h"

#include "cp_format.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_tooliface.h"

/* A mapping, and what identifies it while it lasts. */
typedef struct {
    Range range;
    ULong device, inode;
    Off64T offset;
    UInt generation;
} Mapping;

static Pool objects = {.size = sizeof(Object), .tag = "cp.object.1"};
static Pool mappings = {.size = sizeof(Mapping), .tag = "cp.object.2"};

/* Counts changes of executable memory. A mapping that was checked before the last change is checked
 * again. */
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

/* The bias by which a file is mapped. The executable segment that holds the offset decides; without
 * one the offset itself is the address. */
static Addr bias_of(const ElfIdentity *elf, Addr start, ULong offset)
{
    for (UInt i = 0; i < elf->n_segments; i++) {
        const ElfSegment *s = &elf->segments[i];
        if (offset >= VG_PGROUNDDN(s->offset) && offset < VG_PGROUNDUP(s->offset + s->size))
            return start - offset - (s->vaddr - s->offset);
    }
    return start - offset;
}

static UInt find_object(const Object *wanted)
{
    for (UInt i = 0; i < objects.n; i++) {
        const Object *o = cp_pool_at(&objects, i);
        if (o->device == wanted->device && o->inode == wanted->inode &&
            o->elf.n_build_id == wanted->elf.n_build_id &&
            !VG_(memcmp)(o->elf.build_id, wanted->elf.build_id, o->elf.n_build_id) &&
            !VG_(strcmp)(o->path, wanted->path))
            return i;
    }
    return objects.n;
}

/* Sets the object of a new mapping's range, which may be new too, and its bias. */
static void identify(Mapping *mapping, const NSegment *segment)
{
    Object object = {.path = CP_ANONYMOUS};
    UInt i;

    if (segment && (segment->kind == SkFileC || segment->kind == SkFileV)) {
        const HChar *path = VG_(am_get_filename)(segment);

        object.path = path ? path : "???";
        object.device = segment->dev;
        object.inode = segment->ino;
        if (path)
            cp_elf_identify(path, &object.elf);
        mapping->range.bias = bias_of(&object.elf, segment->start, (ULong)segment->offset);
    }
    i = find_object(&object);
    if (i == objects.n) {
        object.path = VG_(strdup)("cp.object.3", object.path);
        *(Object *)cp_pool_add(&objects) = object;
    }
    mapping->range.object = i;
}

/* True if the segment still maps what the mapping describes. Code without a file is one object
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
 * Tries the range of the last address first, then all, newest first; there are about as many as
 * loaded libraries. An older range is in force only if nothing executable was mapped since, or if
 * the address-space manager confirms that the same file is still there.
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
