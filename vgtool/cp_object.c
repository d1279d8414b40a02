/*
 * cp_object.c - data structure #1: files that were mapped as code. #2: objects, in the order of
 * their first execution. #3: ranges, in the order of their first execution. As mappings come and
 * go, several ranges may cover one address. The newest is in force unless the mapping has changed
 * since (`generation`).
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
    const Object *file; /* NULL: none */
    Bool is_over;       /* another file took its place, be it with the same inode */
    UInt generation;
} Mapping;

static Pool files = {.size = sizeof(Object), .tag = "cp.object.4"};
static Pool objects = {.size = sizeof(Object *), .tag = "cp.object.1"};
static Pool mappings = {.size = sizeof(Mapping), .tag = "cp.object.2"};

/* Counts changes of executable memory. A mapping that was checked before the last change is checked
 * again. */
static UInt generation = 1;

/* Sets what the file's state says. False if the path leads to no file. */
static Bool look(Object *file)
{
    struct vg_stat st;

    if (sr_isError(VG_(stat)(file->path, &st)))
        return False;
    file->device = st.dev;
    file->inode = st.ino;
    file->size = st.size;
    file->modified = st.mtime;
    file->modified_ns = st.mtime_nsec;
    return True;
}

static Bool same_state(const Object *a, const Object *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified == b->modified && a->modified_ns == b->modified_ns;
}

Bool cp_object_is_gone(const Object *object)
{
    Object now = {.path = object->path};

    return object->inode && (!look(&now) || !same_state(&now, object));
}

/* The file that the segment maps. */
static const Object *file_of(const NSegment *segment)
{
    Object file = {.path = VG_(am_get_filename)(segment)};
    Bool is_there;

    if (!file.path)
        file.path = "???";
    is_there = look(&file) && file.device == segment->dev && file.inode == segment->ino;
    if (!is_there)
        file = (Object){.path = file.path, .device = segment->dev, .inode = segment->ino};
    for (UInt i = files.n; i-- > 0;) {
        const Object *known = cp_pool_at(&files, i);
        if (known->device == file.device && known->inode == file.inode &&
            (!is_there || same_state(known, &file)) && !VG_(strcmp)(known->path, file.path))
            return known;
    }
    if (is_there && cp_elf_identify(file.path, &file.elf))
        cp_elf_functions(file.path, &file.elf, &file.functions);
    file.path = VG_(strdup)("cp.object.3", file.path);
    return VG_(memcpy)(cp_pool_add(&files), &file, sizeof file);
}

static Bool has_file(const NSegment *segment)
{
    return segment && (segment->kind == SkFileC || segment->kind == SkFileV);
}

/* Code of a file has come to the `size` bytes at `a`. */
static void on_code(Addr a, SizeT size)
{
    const NSegment *segment = VG_(am_find_nsegment)(a);
    const Object *file = has_file(segment) ? file_of(segment) : NULL;

    generation++;
    for (UInt i = 0; i < mappings.n && file; i++) {
        Mapping *m = cp_pool_at(&mappings, i);
        if (m->range.start < a + size && a < m->range.end && m->file != file)
            m->is_over = True;
    }
}

static void on_map(Addr a, SizeT size, Bool r, Bool w, Bool x, ULong handle)
{
    if (x)
        on_code(a, size);
}

static void on_protect(Addr a, SizeT size, Bool r, Bool w, Bool x)
{
    if (x)
        on_code(a, size);
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

/* The index of the object; it may be a new one. Another file that is the same build is the same
 * object if it has its place. */
static UInt object_of(const Object *wanted)
{
    for (UInt i = 0; i < objects.n; i++) {
        const Object *o = cp_object(i);
        if (o == wanted ||
            (o->elf.n_build_id && o->device == wanted->device && o->inode == wanted->inode &&
             o->elf.n_build_id == wanted->elf.n_build_id &&
             !VG_(memcmp)(o->elf.build_id, wanted->elf.build_id, o->elf.n_build_id) &&
             !VG_(strcmp)(o->path, wanted->path)))
            return i;
    }
    *(const Object **)cp_pool_add(&objects) = wanted;
    return objects.n - 1;
}

/* Sets the object of a new mapping's range, which may be new too, and its bias. */
static void identify(Mapping *mapping, const NSegment *segment)
{
    static const Object anonymous = {.path = CP_ANONYMOUS};
    const Object *object = has_file(segment) ? file_of(segment) : &anonymous;

    if (object != &anonymous) {
        mapping->file = object;
        mapping->range.bias = bias_of(&object->elf, segment->start, (ULong)segment->offset);
    }
    mapping->range.object = object_of(object);
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
        if (address < m->range.start || address >= m->range.end || m->is_over)
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
    return *(const Object **)cp_pool_at(&objects, index);
}

UInt cp_object_count(void)
{
    return objects.n;
}
