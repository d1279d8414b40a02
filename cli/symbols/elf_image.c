#include <config.h>

#include "symbols/elf_image.h"

#include "symbols/elf_file.h"

#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* More is no debug information of one program, but damage. */
#define UNPACKED_MOST ((size_t)4 << 30)
#define XZ_MEMORY     ((uint64_t)1 << 30)

/* gABI's number, which older elf.h lacks. */
enum { COMPRESSED_BY_ZSTD = 2 };

static bool open_image(struct elf_image *image, char *bytes, size_t size)
{
    *image = (struct elf_image){elf_memory(bytes, size), bytes};
    if (image->elf && elf_kind(image->elf) == ELF_K_ELF)
        return true;
    elf_image_free(image);
    return false;
}

void elf_image_free(struct elf_image *image)
{
    elf_end(image->elf);
    free(image->bytes);
    *image = (struct elf_image){NULL, NULL};
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

    return bytes && open_image(image, bytes, size);
}

/*--- Sections packed by zstd ---*/

/* A file of 64 bits, in memory. */
struct packed_file {
    const char *bytes;
    size_t size;
    size_t first, n; /* its section headers: where they are, their number */
};

static bool read_file(struct packed_file *f, Elf *elf)
{
    Elf64_Ehdr header;

    f->bytes = elf_rawfile(elf, &f->size);
    if (gelf_getclass(elf) != ELFCLASS64 || !f->bytes || f->size < sizeof header ||
        elf_getshdrnum(elf, &f->n) != 0)
        return false;
    memcpy(&header, f->bytes, sizeof header);
    f->first = header.e_shoff;
    return header.e_shentsize == sizeof(Elf64_Shdr) && f->first <= f->size &&
           f->n <= (f->size - f->first) / sizeof(Elf64_Shdr);
}

/* Reads the headers of section `i`, if it is packed by zstd. */
static bool is_packed(const struct packed_file *f, size_t i, Elf64_Shdr *header, Elf64_Chdr *packed)
{
    memcpy(header, f->bytes + f->first + i * sizeof *header, sizeof *header);
    if (!(header->sh_flags & SHF_COMPRESSED) || header->sh_size < sizeof *packed ||
        header->sh_offset > f->size || header->sh_size > f->size - header->sh_offset)
        return false;
    memcpy(packed, f->bytes + header->sh_offset, sizeof *packed);
    return packed->ch_type == COMPRESSED_BY_ZSTD;
}

/* The size of all that is packed when it is not; 0: nothing is, or it is too large. */
static size_t unpacked_size(const struct packed_file *f)
{
    Elf64_Shdr header;
    Elf64_Chdr packed;
    size_t size = 0;

    for (size_t i = 0; i < f->n; i++)
        if (is_packed(f, i, &header, &packed)) {
            if (packed.ch_size > UNPACKED_MOST || size > UNPACKED_MOST)
                return 0;
            size += packed.ch_size;
        }
    return size;
}

/* Unpacks a section to `at` of the image, and describes it so. */
static bool unpack_section(const struct packed_file *f, char *image, size_t i, Elf64_Shdr *header,
                           const Elf64_Chdr *packed, size_t at)
{
    const char *from = f->bytes + header->sh_offset + sizeof *packed;
    size_t size = ZSTD_decompress(image + at, packed->ch_size, from,
                                  (size_t)header->sh_size - sizeof *packed);

    if (ZSTD_isError(size) || size != packed->ch_size)
        return false;
    header->sh_flags &= ~(Elf64_Xword)SHF_COMPRESSED;
    header->sh_offset = at;
    header->sh_size = size;
    header->sh_addralign = 1;
    memcpy(image + f->first + i * sizeof *header, header, sizeof *header);
    return true;
}

bool elf_image_of_zstd(struct elf_image *image, Elf *elf)
{
    struct packed_file f;
    Elf64_Shdr header;
    Elf64_Chdr packed;
    size_t more = read_file(&f, elf) ? unpacked_size(&f) : 0, at = f.size;
    char *bytes = more ? malloc(f.size + more) : NULL;
    bool whole = bytes != NULL;

    if (whole)
        memcpy(bytes, f.bytes, f.size);
    for (size_t i = 0; whole && i < f.n; i++)
        if (is_packed(&f, i, &header, &packed)) {
            whole = unpack_section(&f, bytes, i, &header, &packed, at);
            at += whole ? packed.ch_size : 0;
        }
    if (whole)
        return open_image(image, bytes, at);
    free(bytes);
    return false;
}
