#include <config.h>

#include "symbols/elf_file.h"

#include "base/file.h"
#include "base/memory.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

Elf_Scn *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *section_name;

        if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
            continue;
        section_name = elf_strptr(elf, names, header->sh_name);
        if (section_name && !strcmp(section_name, name))
            return section;
    }
    return NULL;
}

/* The first section of type `type` that has contents. */
static Elf_Scn *section_of_type(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, header) && header->sh_type == type && header->sh_size)
            return section;
    return NULL;
}

bool elf_file_has_symbols(Elf *elf)
{
    GElf_Shdr header;

    return elf && section_of_type(elf, SHT_SYMTAB, &header);
}

bool elf_file_code_segment(Elf *elf, uint64_t address, GElf_Phdr *segment)
{
    size_t n = 0;

    if (elf_getphdrnum(elf, &n) != 0)
        return false;
    for (size_t i = 0; i < n && i < INT32_MAX; i++)
        if (gelf_getphdr(elf, (int)i, segment) && segment->p_type == PT_LOAD &&
            segment->p_flags & PF_X && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_memsz)
            return true;
    return false;
}

void elf_file_each_symbol(Elf *elf, GElf_Word type, elf_file_symbol *each, void *data)
{
    GElf_Shdr header;
    Elf_Scn *section = elf ? section_of_type(elf, type, &header) : NULL;
    Elf_Data *table = section ? elf_getdata(section, NULL) : NULL;
    size_t n = table && header.sh_entsize ? table->d_size / header.sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; i < n && i < INT32_MAX && gelf_getsym(table, (int)i, &symbol); i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

        if (name && *name)
            each(data, elf, &symbol, name);
    }
}

bool elf_file_needs(Elf *elf, bool (*is)(const void *data, const char *library), const void *data)
{
    GElf_Shdr header;
    Elf_Scn *section = section_of_type(elf, SHT_DYNAMIC, &header);
    Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;
    GElf_Dyn entry;

    for (int i = 0; entries && gelf_getdyn(entries, i, &entry) && entry.d_tag != DT_NULL; i++) {
        const char *name =
            entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;

        if (name && is(data, name))
            return true;
    }
    return false;
}

const char *elf_file_interpreter(Elf *elf)
{
    size_t n = 0, size = 0;
    const char *bytes = elf_rawfile(elf, &size);
    GElf_Phdr p;

    if (!bytes || elf_getphdrnum(elf, &n) != 0)
        return NULL;
    for (size_t i = 0; i < n && i < INT32_MAX; i++)
        if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_INTERP && p.p_offset < size &&
            memchr(bytes + p.p_offset, '\0', size - p.p_offset))
            return bytes + p.p_offset;
    return NULL;
}

char *elf_file_hex(const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *hex = xmalloc(2 * size + 1);

    for (size_t i = 0; i < size; i++) {
        unsigned byte = ((const unsigned char *)bytes)[i];

        hex[2 * i] = digits[byte >> 4];
        hex[2 * i + 1] = digits[byte & 15];
    }
    hex[2 * size] = '\0';
    return hex;
}

char *elf_file_build_id(Elf *elf)
{
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

    return size <= 0 || size > 64 ? NULL : elf_file_hex(bytes, (size_t)size);
}

int elf_file_open_plain(const char *path, Elf **elf)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0)
        return -1;
    elf_version(EV_CURRENT);
    *elf = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (*elf && elf_kind(*elf) == ELF_K_ELF)
        return fd;
    elf_end(*elf);
    *elf = NULL;
    close(fd);
    return -1;
}

/*--- Files within others ---*/

/* More is no debug information of one program, but damage. */
#define UNPACKED_MOST ((size_t)4 << 30)
#define XZ_MEMORY     ((uint64_t)1 << 30)

/* gABI's number, which older elf.h lacks. */
enum { COMPRESSED_BY_ZSTD = 2 };

static void elf_image_free(struct elf_image *image)
{
    elf_end(image->elf);
    if (image->mapped)
        munmap(image->bytes, image->mapped);
    else
        free(image->bytes);
    *image = (struct elf_image){NULL, NULL, 0};
}

/* `mapped`: 0, where malloc() has given the bytes. */
static bool open_image(struct elf_image *image, char *bytes, size_t size, size_t mapped)
{
    *image = (struct elf_image){elf_memory(bytes, size), bytes, mapped};
    if (image->elf && elf_kind(image->elf) == ELF_K_ELF)
        return true;
    elf_image_free(image);
    return false;
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

/* The file of symbols that Fedora and others leave in stripped ones, .gnu_debugdata (packed by xz).
 * Returns false where there is none, or it cannot be unpacked. */
static bool elf_image_of_symbols(struct elf_image *image, Elf *elf)
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

char *elf_file_map(int fd, size_t size, size_t more)
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

/* The image of the file, which `fd` is, with packed sections unpacked. Returns false where there
 * are none, or they are left to libdw. */
static bool elf_image_of_packed(struct elf_image *image, Elf *elf, int fd)
{
    struct packed_file f;
    struct packed_section s;
    size_t more = read_file(&f, elf) ? unpacked_size(&f) : 0, at = f.size;
    char *bytes = more ? elf_file_map(fd, f.size, more) : NULL;
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

/*--- Debug files ---*/

/* The CRC-32 of .gnu_debuglink, over the whole file. */
static uint32_t file_crc(Elf *elf)
{
    size_t size = 0;
    const char *bytes = elf_rawfile(elf, &size);

    return (uint32_t)crc32_z(0, (const unsigned char *)bytes, size);
}

/* Takes the debug file at `path` if it belongs to the object: by build-id, or by `crc` where one of
 * them has none. */
static bool try_debug(struct elf_file *f, char *path, const char *build_id, const GElf_Word *crc)
{
    Elf *elf = NULL;
    int fd = elf_file_open_plain(path, &elf);
    char *file_id = fd < 0 ? NULL : elf_file_build_id(elf);
    bool fits =
        file_id && build_id ? !strcmp(file_id, build_id) : fd >= 0 && crc && file_crc(elf) == *crc;

    free(file_id);
    if (fits) {
        f->debug_path = path;
        f->debug = elf;
        f->debug_fd = fd;
        return true;
    }
    free(path);
    if (fd >= 0) {
        elf_end(elf);
        close(fd);
    }
    return false;
}

/* Looks for the separate debug file in the places that gdb's manual lists ("Debugging Information
 * in Separate Files"). */
static void find_debug(struct elf_file *f, const char *path, const char *build_id)
{
    GElf_Word crc = 0;
    const char *link = dwelf_elf_gnu_debuglink(f->elf, &crc);
    char *folder;

    if (build_id && strlen(build_id) > 2 &&
        try_debug(f, xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", build_id, build_id + 2),
                  build_id, NULL))
        return;
    if (!link || strchr(link, '/'))
        return;
    folder = path_folder(path);
    if (!folder)
        folder = xstrdup(".");
    if (!try_debug(f, xasprintf("%s/%s", folder, link), build_id, &crc) &&
        !try_debug(f, xasprintf("%s/.debug/%s", folder, link), build_id, &crc))
        (void)try_debug(f, xasprintf(DEBUG_ROOT "%s/%s", folder, link), build_id, &crc);
    free(folder);
}

static bool has_dwarf(Elf *elf)
{
    GElf_Shdr header;

    return elf && (elf_file_section(elf, ".debug_info", &header) ||
                   elf_file_section(elf, ".zdebug_info", &header));
}

/* Opens the debug information of the object at `path`, or of its debug file. */
static void open_dwarf(struct elf_file *f, const char *path, const char *build_id)
{
    Elf *with;

    if (!has_dwarf(f->elf) || !elf_file_has_symbols(f->elf))
        find_debug(f, path, build_id);
    if (!elf_file_has_symbols(f->elf) && !elf_file_has_symbols(f->debug))
        (void)elf_image_of_symbols(&f->symbols, f->elf);
    with = has_dwarf(f->elf) ? f->elf : has_dwarf(f->debug) ? f->debug : NULL;
    if (!with)
        return;
    memory_expect_much(); /* libdw unpacks sections, those of libc to 8 MB */
    (void)elf_image_of_packed(&f->unpacked, with, with == f->elf ? f->fd : f->debug_fd);
    f->dwarf = dwarf_begin_elf(f->unpacked.elf ? f->unpacked.elf : with, DWARF_C_READ, NULL);
    if (f->dwarf)
        f->dwz_state = dwz_open(&f->dwz, f->dwarf, with == f->elf ? path : f->debug_path);
    if (f->dwz_state == DWZ_UNSAFE) {
        dwarf_end(f->dwarf);
        f->dwarf = NULL;
    }
    f->damaged = !f->dwarf;
    f->dwp = f->dwarf ? dwp_open(path) : NULL;
}

/* Opens the file at `path` if it is of that build; NULL: of any. */
static bool open_build(struct elf_file *f, const char *path, const char *build_id)
{
    char *file_id;
    bool same;

    *f = (struct elf_file){.debug_fd = -1, .dwz = {.fd = -1}};
    f->fd = elf_file_open_plain(path, &f->elf);
    if (f->fd < 0)
        return false;
    file_id = elf_file_build_id(f->elf);
    same = !build_id || (file_id && !strcmp(file_id, build_id));
    if (same)
        open_dwarf(f, path, file_id);
    free(file_id);
    if (!same)
        elf_file_close(f);
    return same;
}

/* Where perf has kept the file of that build when it recorded: "perf buildid-cache". NULL: nowhere
 * that is known. The caller frees it. */
static char *kept_by_perf(const char *build_id)
{
    const char *home = getenv("HOME");

    return home && strlen(build_id) > 2
               ? xasprintf("%s/.debug/.build-id/%.2s/%s/elf", home, build_id, build_id + 2)
               : NULL;
}

bool elf_file_open(struct elf_file *f, const char *path, const char *build_id)
{
    char *kept;
    bool found = open_build(f, path, build_id);

    if (found || !build_id)
        return found;
    kept = kept_by_perf(build_id);
    found = kept && open_build(f, kept, build_id);
    free(kept);
    return found;
}

void elf_file_close(struct elf_file *f)
{
    dwp_close(f->dwp);
    dwarf_end(f->dwarf);
    dwz_close(&f->dwz);
    elf_image_free(&f->unpacked);
    elf_image_free(&f->symbols);
    free(f->debug_path);
    elf_end(f->debug);
    elf_end(f->elf);
    if (f->debug_fd >= 0)
        close(f->debug_fd);
    if (f->fd >= 0)
        close(f->fd);
    *f = (struct elf_file){.fd = -1, .debug_fd = -1, .dwz = {.fd = -1}};
}
