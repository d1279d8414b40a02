#include <config.h>

#include "symbols/dwz.h"

#include "base/memory.h"
#include "symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The link to a dwz file, or the identity that such a file gives itself. */
struct link {
    bool supplement;  /* by .debug_sup */
    const char *name; /* relative to the folder of the file that has it */
    char *id;         /* in hex */
};

/* .debug_sup (DWARF 5, section 7.3.6): a version, whether this is the dwz file, its name, the
 * size of a checksum (LEB128; more than a byte is none that anybody writes), the checksum. */
static bool read_supplement(Elf *elf, bool is_dwz, struct link *link)
{
    enum { DWARF_5 = 5, NAME_AT = 3 };
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(elf, ".debug_sup", &header);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    const unsigned char *bytes, *end;

    if (!data || !data->d_buf || data->d_size <= NAME_AT)
        return false;
    bytes = data->d_buf;
    end = memchr(bytes + NAME_AT, '\0', data->d_size - NAME_AT);
    if (bytes[0] != DWARF_5 || bytes[2] != is_dwz || !end || end + 1 == bytes + data->d_size ||
        end[1] > 127 || end + 2 + end[1] > bytes + data->d_size)
        return false;
    *link = (struct link){true, (const char *)bytes + NAME_AT, elf_file_hex(end + 2, end[1])};
    return true;
}

static bool read_link(Dwarf *dwarf, struct link *link)
{
    const void *id;
    ssize_t size;

    *link = (struct link){false, NULL, NULL};
    size = dwelf_dwarf_gnu_debugaltlink(dwarf, &link->name, &id);
    if (size <= 0)
        return read_supplement(dwarf_getelf(dwarf), false, link);
    link->id = elf_file_hex(id, (size_t)size);
    return true;
}

/* Tells whether the file that is open is the one that is meant. */
static bool is_meant(Elf *elf, const struct link *link)
{
    struct link file_link = {.id = NULL};
    bool same;

    if (!link->supplement)
        file_link.id = elf_file_build_id(elf);
    else if (!read_supplement(elf, true, &file_link))
        return false;
    same = file_link.id && link->id && !strcmp(file_link.id, link->id);
    free(file_link.id);
    return same;
}

/* Takes the file at `path` if it is the one that is meant. */
static bool try(struct dwz_file *a, const struct link *link, const char *path)
{
    a->fd = elf_file_open_plain(path, &a->elf);
    if (a->fd < 0)
        return false;
    if (is_meant(a->elf, link))
        a->dwarf = dwarf_begin_elf(a->elf, DWARF_C_READ, NULL);
    if (a->dwarf)
        return true;
    dwz_close(a);
    return false;
}

static enum dwz_state find(struct dwz_file *a, const struct link *link, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *by_id = NULL, *by_name = NULL;
    enum dwz_state state = DWZ_GONE;
    struct stat st;

    if (link->id && strlen(link->id) > 2)
        by_id = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", link->id, link->id + 2);
    by_name = link->name[0] == '/' || !slash
                  ? xstrdup(link->name)
                  : xasprintf("%.*s/%s", (int)(slash - path), path, link->name);
    if ((by_id && try(a, link, by_id)) || try(a, link, by_name))
        state = DWZ_FOUND;
    else if (stat(by_name, &st) == 0 && !S_ISREG(st.st_mode))
        state = DWZ_UNSAFE;
    free(by_id);
    free(by_name);
    return state;
}

enum dwz_state dwz_open(struct dwz_file *a, Dwarf *dwarf, const char *path)
{
    enum dwz_state state;
    struct link link;

    *a = (struct dwz_file){.fd = -1};
    if (!read_link(dwarf, &link))
        return DWZ_NONE;
    state = find(a, &link, path);
    free(link.id);
    if (state == DWZ_FOUND)
        dwarf_setalt(dwarf, a->dwarf);
    return state;
}

void dwz_close(struct dwz_file *a)
{
    if (a->fd < 0)
        return;
    dwarf_end(a->dwarf);
    elf_end(a->elf);
    close(a->fd);
    *a = (struct dwz_file){.fd = -1};
}
