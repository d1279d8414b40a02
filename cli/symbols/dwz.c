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

/* What names an alternate file, and what that says of itself. */
struct link {
    bool supplement;  /* by .debug_sup */
    const char *name; /* relative to the folder of the file that has it */
    char *id;         /* in hex */
};

/* .debug_sup (DWARF 5, section 7.3.6): a version, whether this is the alternate file, its name, the
 * size of a checksum (LEB128; more than a byte is none that anybody writes), the checksum. */
static bool read_supplement(Elf *elf, bool is_alternate, struct link *link)
{
    enum { DWARF_5 = 5, NAME_AT = 3 };
    GElf_Shdr header;
    Elf_Scn *section = binary_section(elf, ".debug_sup", &header);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    const unsigned char *bytes, *end;

    if (!data || !data->d_buf || data->d_size <= NAME_AT)
        return false;
    bytes = data->d_buf;
    end = memchr(bytes + NAME_AT, '\0', data->d_size - NAME_AT);
    if (bytes[0] != DWARF_5 || bytes[2] != is_alternate || !end ||
        end + 1 == bytes + data->d_size || end[1] > 127 || end + 2 + end[1] > bytes + data->d_size)
        return false;
    *link = (struct link){true, (const char *)bytes + NAME_AT, binary_hex(end + 2, end[1])};
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
    link->id = binary_hex(id, (size_t)size);
    return true;
}

/* Whether the file that is open is the one that is meant. */
static bool is_meant(Elf *elf, const struct link *link)
{
    struct link its = {.id = NULL};
    bool same;

    if (!link->supplement)
        its.id = binary_build_id(elf);
    else if (!read_supplement(elf, true, &its))
        return false;
    same = its.id && link->id && !strcmp(its.id, link->id);
    free(its.id);
    return same;
}

/* Takes the file at `path` if it is the one that is meant. */
static bool try(struct alternate *a, const struct link *link, const char *path)
{
    a->fd = binary_open_elf(path, &a->elf);
    if (a->fd < 0)
        return false;
    if (is_meant(a->elf, link))
        a->dwarf = dwarf_begin_elf(a->elf, DWARF_C_READ, NULL);
    if (a->dwarf)
        return true;
    alternate_close(a);
    return false;
}

static enum alternate_state find(struct alternate *a, const struct link *link, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *by_id = NULL, *by_name = NULL;
    enum alternate_state state = ALTERNATE_GONE;
    struct stat st;

    if (link->id && strlen(link->id) > 2)
        by_id = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", link->id, link->id + 2);
    by_name = link->name[0] == '/' || !slash
                  ? xstrdup(link->name)
                  : xasprintf("%.*s/%s", (int)(slash - path), path, link->name);
    if ((by_id && try(a, link, by_id)) || try(a, link, by_name))
        state = ALTERNATE_FOUND;
    else if (stat(by_name, &st) == 0 && !S_ISREG(st.st_mode))
        state = ALTERNATE_UNSAFE;
    free(by_id);
    free(by_name);
    return state;
}

enum alternate_state alternate_open(struct alternate *a, Dwarf *dwarf, const char *path)
{
    enum alternate_state state;
    struct link link;

    *a = (struct alternate){.fd = -1};
    if (!read_link(dwarf, &link))
        return ALTERNATE_NONE;
    state = find(a, &link, path);
    free(link.id);
    if (state == ALTERNATE_FOUND)
        dwarf_setalt(dwarf, a->dwarf);
    return state;
}

void alternate_close(struct alternate *a)
{
    if (a->fd < 0)
        return;
    dwarf_end(a->dwarf);
    elf_end(a->elf);
    close(a->fd);
    *a = (struct alternate){.fd = -1};
}
