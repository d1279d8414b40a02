#include <config.h>

#include "symbols/elf_file.h"

#include "base/memory.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Elf_Scn *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *its;

        if (!gelf_getshdr(section, header) || header->sh_type == SHT_NOBITS)
            continue;
        its = elf_strptr(elf, names, header->sh_name);
        if (its && !strcmp(its, name))
            return section;
    }
    return NULL;
}

Elf_Scn *elf_file_section_of_type(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, header) && header->sh_type == type && header->sh_size)
            return section;
    return NULL;
}

bool elf_file_needs(Elf *elf, bool (*is)(const void *data, const char *library), const void *data)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section_of_type(elf, SHT_DYNAMIC, &header);
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

/* The CRC-32 of .gnu_debuglink, over the whole file. */
static uint32_t file_crc(Elf *elf)
{
    size_t size = 0;
    const char *bytes = elf_rawfile(elf, &size);
    uint32_t table[256], crc = UINT32_MAX;

    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
    }
    for (size_t i = 0; bytes && i < size; i++)
        crc = table[(crc ^ (unsigned char)bytes[i]) & 255] ^ crc >> 8;
    return ~crc;
}

/* Takes the debug file at `path` if it belongs to the object: by build-id, or by `crc` where one of
 * them has none. */
static bool try_debug(struct elf_file *f, char *path, const char *build_id, const GElf_Word *crc)
{
    Elf *elf = NULL;
    int fd = elf_file_open_plain(path, &elf);
    char *its = fd < 0 ? NULL : elf_file_build_id(elf);
    bool fits = its && build_id ? !strcmp(its, build_id) : fd >= 0 && crc && file_crc(elf) == *crc;

    free(its);
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
    const char *slash = strrchr(path, '/');
    char *folder;

    if (build_id && strlen(build_id) > 2 &&
        try_debug(f, xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", build_id, build_id + 2),
                  build_id, NULL))
        return;
    if (!link || strchr(link, '/'))
        return;
    folder = slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
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

static bool has_symbols(Elf *elf)
{
    GElf_Shdr header;

    return elf && elf_file_section_of_type(elf, SHT_SYMTAB, &header);
}

/* Opens the debug information of the object at `path`, or of its debug file. */
static void open_dwarf(struct elf_file *f, const char *path, const char *build_id)
{
    Elf *with;

    if (!has_dwarf(f->elf) || !has_symbols(f->elf))
        find_debug(f, path, build_id);
    if (!has_symbols(f->elf) && !has_symbols(f->debug))
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
    char *its;
    bool same;

    *f = (struct elf_file){.debug_fd = -1, .dwz = {.fd = -1}};
    f->fd = elf_file_open_plain(path, &f->elf);
    if (f->fd < 0)
        return false;
    its = elf_file_build_id(f->elf);
    same = !build_id || (its && !strcmp(its, build_id));
    if (same)
        open_dwarf(f, path, its);
    free(its);
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
