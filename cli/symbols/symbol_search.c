#include <config.h>

#include "symbols/symbol_search.h"

#include "symbols/elf_file.h"

#include <string.h>
#include <unistd.h>

/* Looks through one table; lowers `best` to the index of a text that comes before it. */
static void search_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                         const char *const *texts, size_t *best)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; i < n && *best && gelf_getsym(data, (int)i, &symbol); i++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

        for (size_t t = 0; name && t < *best; t++)
            if (strstr(name, texts[t]))
                *best = t;
    }
}

size_t symbol_search(const char *path, const char *const *texts, size_t n)
{
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);
    GElf_Shdr header;
    Elf_Scn *section;
    size_t best = n;

    if (fd < 0)
        return n;
    section = elf_file_section_of_type(elf, SHT_SYMTAB, &header);
    if (section)
        search_table(elf, section, &header, texts, &best);
    elf_end(elf);
    close(fd);
    return best;
}
