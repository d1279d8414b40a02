/*
 * cp_image.c - data structure #1: files, in the order in which they were met. #2: images, which
 * come and go.
 */
#include "cp_image.h"

#include "cp_object.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_tooliface.h"

typedef struct {
    Addr start, end;
    Addr bias;
    UInt file;
} Image;

static Pool files = {.size = sizeof(DataFile), .tag = "cp.image.1"};
static Image *images;
static UInt n_images;

UInt cp_image_file_count(void)
{
    return files.n;
}

const DataFile *cp_image_file(UInt index)
{
    return cp_pool_at(&files, index);
}

/* Where no image is, as far as it was looked for: a program may have most of its data between two.
 */
static Addr gap_start, gap_end;

DataFile *cp_image_known(Addr address, Addr *at)
{
    static UInt last;
    Addr low = 0, high = ~(Addr)0;

    if (LIKELY(address - gap_start < gap_end - gap_start))
        return NULL;
    for (UInt k = 0; k <= n_images; k++) {
        UInt i = k ? k - 1 : last;
        const Image *image;
        if (i >= n_images)
            continue;
        image = &images[i];
        if (address - image->start >= image->end - image->start) {
            if (image->end <= address && image->end > low)
                low = image->end;
            if (image->start > address && image->start < high)
                high = image->start;
            continue;
        }
        last = i;
        *at = address - image->bias;
        return cp_pool_at(&files, image->file);
    }
    gap_start = low;
    gap_end = high;
    return NULL;
}

/* An image that is unmapped with its beginning is gone. The dynamic linker unmaps holes in them. */
static void on_unmap(Addr start, SizeT size)
{
    UInt n = 0;

    for (UInt i = 0; i < n_images; i++)
        if (images[i].start - start >= size)
            images[n++] = images[i];
    n_images = n;
    gap_start = gap_end = 0;
}

void cp_image_init(void)
{
    VG_(track_die_mem_munmap)(on_unmap);
}

static void add_image(const DataFile *file, Addr bias)
{
    gap_start = gap_end = 0;
    images = VG_(realloc)("cp.image.2", images, (n_images + 1) * sizeof *images);
    images[n_images++] = (Image){.start = file->data.first + bias,
                                 .end = file->data.end + bias,
                                 .bias = bias,
                                 .file = file->id};
}

static DataFile *find_file(const NSegment *segment, const HChar *path, Bool is_elf)
{
    for (UInt i = 0; i < files.n; i++) {
        DataFile *f = cp_pool_at(&files, i);
        if (f->device == segment->dev && f->inode == segment->ino && f->is_elf == is_elf &&
            !VG_(strcmp)(f->path, path))
            return f;
    }
    return NULL;
}

static DataFile *new_file(const NSegment *segment, const HChar *path, const ElfData *data)
{
    DataFile *f = cp_pool_add(&files);

    *f = (DataFile){.id = files.n - 1,
                    .path = VG_(strdup)("cp.image.3", path),
                    .device = segment->dev,
                    .inode = segment->ino,
                    .is_elf = data != NULL};
    if (data)
        f->data = *data;
    return f;
}

DataFile *cp_image_at(Addr address, Addr *at)
{
    const NSegment *segment = VG_(am_find_nsegment)(address);
    const HChar *path = segment && segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
    DataFile *file;
    ElfData data;
    Addr start;

    if (!path)
        return NULL;
    *at = address - segment->start + (ULong)segment->offset;
    file = find_file(segment, path, False);
    if (file)
        return file;
    if (!cp_elf_data(path, (ULong)segment->offset, segment->end + 1 - segment->start, &data,
                     &start))
        return new_file(segment, path, NULL);
    file = find_file(segment, path, True);
    if (!file)
        file = new_file(segment, path, &data);
    add_image(file, segment->start - start);
    *at = address - segment->start + start;
    return file;
}

Bool cp_image_of_code(void)
{
    static UInt seen; /* ranges */
    UInt before = n_images;

    for (; seen < cp_range_count(); seen++) {
        Addr start = cp_range(seen)->start, at;
        if (cp_object(cp_range(seen)->object)->inode && !cp_image_known(start, &at))
            cp_image_at(start, &at);
    }
    return n_images > before;
}
