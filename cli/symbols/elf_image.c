#include <config.h>

#include "symbols/elf_image.h"

#include "symbols/elf_file.h"

#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

/* More is no debug information of one program, but damage. */
#define UNPACKED_MOST ((size_t)4 << 30)
#define XZ_MEMORY     ((uint64_t)1 << 30)

/* gABI's number, which older elf.h lacks. */
enum { COMPRESSED_BY_ZSTD = 2 };

/* `mapped`: 0, where malloc() has given the bytes. */
static bool open_image(struct elf_image *image, char *bytes, size_t size, size_t mapped)
{
    *image = (struct elf_image){elf_memory(bytes, size), bytes, mapped};
    if (image->elf && elf_kind(image->elf) == ELF_K_ELF)
        return true;
    elf_image_free(image);
    return false;
}

void elf_image_free(struct elf_image *image)
{
    elf_end(image->elf);
    if (image->mapped)
        munmap(image->bytes, image->mapped);
    else
        free(image->bytes);
    *image = (struct elf_image){NULL, NULL, 0};
}

/* Unpacks all of `in`; NULL: it is damaged, or too large. */
static char *unpack_xz(const void *in, size_t size, size_t *unpacked)
{
    lzma_stream z = LZMA_STREAM_INIT;
    lzma_ret result = lzma_stream_decoder(&z, XZ_MEMORY, 0);
    size_t room = 0;
    char *out = NULL;

    z.next_in = in;
    z.avail_in = size;
    while (result == LZMA_OK && room < UNPACKED_MOST) {
        char *larger = realloc(out, room = room ? room * 2 : 4 * size + 4096);

        if (!larger)
            break;
        out = larger;
        z.next_out = (unsigned char *)out + z.total_out;
        z.avail_out = room - (size_t)z.total_out;
        result = lzma_code(&z, LZMA_FINISH);
    }
    *unpacked = (size_t)z.total_out;
    lzma_end(&z);
    if (result == LZMA_STREAM_END)
        return out;
    free(out);
    return NULL;
}

bool elf_image_of_symbols(struct elf_image *image, Elf *elf)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(elf, ".gnu_debugdata", &header);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    size_t size;
    char *bytes = data && data->d_buf ? unpack_xz(data->d_buf, data->d_size, &size) : NULL;

    return bytes && open_image(image, bytes, size, 0);
}

/*--- Packed sections ---*/

/* A file of 64 bits, in memory. */
struct packed_file {
    const char *bytes;
    size_t size;
    size_t first, n; /* its section headers: where they are, their number */
    size_t names;    /* where the names of sections are */
};

/* A section, and how it is packed. */
struct packed_section {
    Elf64_Shdr header;
    Elf64_Chdr packed;
};

static Elf64_Shdr header_of(const struct packed_file *f, size_t i)
{
    Elf64_Shdr header;

    memcpy(&header, f->bytes + f->first + i * sizeof header, sizeof header);
    return header;
}

static bool read_file(struct packed_file *f, Elf *elf)
{
    Elf64_Ehdr header;
    size_t names;

    f->bytes = elf_rawfile(elf, &f->size);
    if (gelf_getclass(elf) != ELFCLASS64 || !f->bytes || f->size < sizeof header ||
        elf_getshdrnum(elf, &f->n) != 0 || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    memcpy(&header, f->bytes, sizeof header);
    f->first = header.e_shoff;
    if (header.e_shentsize != sizeof(Elf64_Shdr) || f->first > f->size ||
        f->n > (f->size - f->first) / sizeof(Elf64_Shdr) || names >= f->n)
        return false;
    f->names = header_of(f, names).sh_offset;
    return true;
}

/* True for where variables are that move within a function: nobody asks for them. */
static bool is_unread(const struct packed_file *f, const Elf64_Shdr *header)
{
    static const char name[] = ".debug_loclists";

    return f->names < f->size && header->sh_name < f->size - f->names &&
           f->size - f->names - header->sh_name >= sizeof name &&
           !memcmp(f->bytes + f->names + header->sh_name, name, sizeof name);
}

/* Not every libdw knows zstd. All know zlib's way, but take three times as long as libdeflate. */
static bool can_unpack(Elf64_Word packing)
{
#ifdef HAVE_LIBDEFLATE
    if (packing == ELFCOMPRESS_ZLIB)
        return true;
#endif
    return packing == COMPRESSED_BY_ZSTD;
}

/* Unpacks all of `in`, to that size. */
static bool unpack(Elf64_Word packing, const void *in, size_t in_size, void *out, size_t size)
{
#ifdef HAVE_LIBDEFLATE
    if (packing == ELFCOMPRESS_ZLIB) {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        bool whole = d && libdeflate_zlib_decompress(d, in, in_size, out, size, NULL) == 0;

        libdeflate_free_decompressor(d);
        return whole;
    }
#endif
    return packing == COMPRESSED_BY_ZSTD && ZSTD_decompress(out, size, in, in_size) == size;
}

/* Reads section `i`, if it is packed and can be unpacked here. */
static bool read_packed(const struct packed_file *f, size_t i, struct packed_section *s)
{
    s->header = header_of(f, i);
    if (!(s->header.sh_flags & SHF_COMPRESSED) || s->header.sh_size < sizeof s->packed ||
        s->header.sh_offset > f->size || s->header.sh_size > f->size - s->header.sh_offset)
        return false;
    memcpy(&s->packed, f->bytes + s->header.sh_offset, sizeof s->packed);
    if (is_unread(f, &s->header))
        s->packed.ch_size = 0;
    return can_unpack(s->packed.ch_type);
}

/* The size of all that is packed when it is not; 0: nothing is, or it is too large. */
static size_t unpacked_size(const struct packed_file *f)
{
    struct packed_section s;
    size_t size = 0;

    for (size_t i = 0; i < f->n; i++)
        if (read_packed(f, i, &s)) {
            if (s.packed.ch_size > UNPACKED_MOST || size > UNPACKED_MOST)
                return 0;
            size += s.packed.ch_size;
        }
    return size;
}

/* Unpacks section `i` to `at` of the image, and describes it so. */
static bool unpack_section(const struct packed_file *f, char *image, size_t i,
                           struct packed_section *s, size_t at)
{
    Elf64_Shdr *header = &s->header;
    const char *from = f->bytes + header->sh_offset + sizeof s->packed;
    size_t size = s->packed.ch_size;

    if (!size)
        header->sh_type = SHT_NOBITS;
    else if (!unpack(s->packed.ch_type, from, (size_t)header->sh_size - sizeof s->packed,
                     image + at, size))
        return false;
    header->sh_flags &= ~(Elf64_Xword)SHF_COMPRESSED;
    header->sh_offset = at;
    header->sh_size = size;
    header->sh_addralign = 1;
    memcpy(image + f->first + i * sizeof *header, header, sizeof *header);
    return true;
}

/* The file in memory, where pages that nobody reads take none, with `more` bytes behind it. */
static char *map_image(int fd, size_t size, size_t more)
{
    const int rights = PROT_READ | PROT_WRITE;
    char *image = mmap(NULL, size + more, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (image == MAP_FAILED)
        return NULL;
    if (mmap(image, size, rights, MAP_PRIVATE | MAP_FIXED, fd, 0) == image)
        return image;
    munmap(image, size + more);
    return NULL;
}

bool elf_image_of_packed(struct elf_image *image, Elf *elf, int fd)
{
    struct packed_file f;
    struct packed_section s;
    size_t more = read_file(&f, elf) ? unpacked_size(&f) : 0, at = f.size;
    char *bytes = more ? map_image(fd, f.size, more) : NULL;
    bool whole = bytes != NULL;

    if (!whole)
        return false;
    for (size_t i = 0; whole && i < f.n; i++)
        if (read_packed(&f, i, &s)) {
            whole = unpack_section(&f, bytes, i, &s, at);
            at += s.packed.ch_size;
        }
    if (whole)
        return open_image(image, bytes, at, f.size + more);
    munmap(bytes, f.size + more);
    return false;
}
