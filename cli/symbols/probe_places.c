#include <config.h>

#include "symbols/probe_places.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "names/demangle.h"
#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Probes of one name in one file: instances of a generic function. */
enum { PLACES_MOST = 64, NAMES_SHOWN = 5 };

struct search {
    const char *path, *function;
    const struct elf_file *elf;
    struct probe_places *places;
    struct probe_names *names;
    bool by_last_part;
};

/*--- Names ---*/

/* "f(int)" is called "f" */
static bool is_called(const char *name, const char *function)
{
    size_t size = strlen(function);

    return !strncmp(name, function, size) && (!name[size] || name[size] == '(');
}

static bool has_last_part(const char *name, const char *function)
{
    size_t n = strlen(name), size = strlen(function);

    return n > size + 2 && !strcmp(name + n - size, function) &&
           !strncmp(name + n - size - 2, "::", 2);
}

static void note_name(struct probe_names *names, const char *name)
{
    if (!names)
        return;
    GROW(names->items, names->n, names->room);
    names->items[names->n++] = xstrdup(name);
}

/* The symbol's readable name where it is what is looked for, for the caller to free; else NULL. */
static char *match(const struct search *s, const char *symbol)
{
    char *plain = xstrndup(symbol, strcspn(symbol, "@")), *readable = demangle(plain);
    const char *name = readable ? readable : plain;
    bool found = s->by_last_part ? has_last_part(name, s->function)
                                 : !strcmp(plain, s->function) || is_called(name, s->function);
    char *result = found ? xstrdup(name) : NULL;

    if (!s->by_last_part)
        note_name(s->names, name);
    free(plain);
    free(readable);
    return result;
}

/*--- Addresses ---*/

static bool find_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
    size_t n = 0;
    GElf_Phdr p;

    if (elf_getphdrnum(elf, &n) != 0)
        return false;
    for (size_t i = 0; i < n && i < INT32_MAX; i++)
        if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && p.p_flags & PF_X &&
            address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz) {
            *offset = address - p.p_vaddr + p.p_offset;
            return true;
        }
    return false;
}

static void add_place(struct search *s, const struct probe_place *place)
{
    struct probe_places *places = s->places;

    for (size_t i = 0; i < places->n; i++)
        if (places->items[i].offset == place->offset &&
            places->items[i].is_elsewhere == place->is_elsewhere)
            return;
    places->left_out = places->n >= PLACES_MOST;
    if (places->left_out)
        return;
    GROW(places->items, places->n, places->room);
    places->items[places->n] = *place;
    places->items[places->n++].symbol = xstrdup(place->symbol);
}

/* Asks the dynamic linker what it takes for a symbol: the address in the file of the library, or 0
 * where that is not in this one. In a process of its own, where libraries are loaded. */
static uint64_t ask_linker(const char *path, const char *symbol)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    void *at = library ? dlsym(library, symbol) : NULL;
    struct link_map *map = NULL;
    Dl_info info;

    if (!at || !dladdr1(at, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return 0;
    if (strcmp(map->l_name, ((struct link_map *)library)->l_name) != 0)
        return 0;
    return (uint64_t)at - map->l_addr;
}

static uint64_t chosen_address(const char *path, const char *symbol)
{
    uint64_t address = 0;
    char *plain = xstrndup(symbol, strcspn(symbol, "@"));
    int ends[2];
    pid_t pid;

    if (pipe(ends) < 0)
        return 0;
    pid = fork();
    if (pid == 0) {
        address = ask_linker(path, plain);
        _exit(write(ends[1], &address, sizeof address) != sizeof address);
    }
    close(ends[1]);
    if (read(ends[0], &address, sizeof address) != sizeof address)
        address = 0;
    close(ends[0]);
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    free(plain);
    return address;
}

/*--- Symbols ---*/

static bool is_function(const GElf_Sym *symbol)
{
    int type = GELF_ST_TYPE(symbol->st_info);

    return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/* Calls `each` for each function of a table; ends where it returns true. */
static bool walk_table(Elf *elf, GElf_Word type, void *data,
                       bool (*each)(void *data, const GElf_Sym *symbol, const char *name))
{
    GElf_Shdr header;
    Elf_Scn *section = elf ? elf_file_section_of_type(elf, type, &header) : NULL;
    Elf_Data *table = section ? elf_getdata(section, NULL) : NULL;
    size_t n = table && header.sh_entsize ? table->d_size / header.sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; i < n && i < INT32_MAX && gelf_getsym(table, (int)i, &symbol); i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

        if (name && *name && is_function(&symbol) && each(data, &symbol, name))
            return true;
    }
    return false;
}

static bool walk(const struct search *s, void *data,
                 bool (*each)(void *data, const GElf_Sym *symbol, const char *name))
{
    return walk_table(s->elf->elf, SHT_DYNSYM, data, each) ||
           walk_table(s->elf->elf, SHT_SYMTAB, data, each) ||
           walk_table(s->elf->debug, SHT_SYMTAB, data, each);
}

struct at_address {
    uint64_t address;
    const char *name;
};

static bool is_at(void *data, const GElf_Sym *symbol, const char *name)
{
    struct at_address *at = data;

    if (symbol->st_value != at->address || GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        return false;
    at->name = name;
    return true;
}

/* A function whose implementation is chosen when the program starts. */
static void add_chosen(struct search *s, const char *symbol)
{
    struct at_address at = {.address = chosen_address(s->path, symbol)};
    struct probe_place place = {.is_chosen = true};
    char *unnamed;

    place.is_elsewhere = !at.address || !find_offset(s->elf->elf, at.address, &place.offset);
    if (!place.is_elsewhere)
        (void)walk(s, &at, is_at);
    unnamed = xasprintf("0x%llx", (unsigned long long)at.address);
    place.symbol = at.name ? (char *)at.name : unnamed;
    add_place(s, &place);
    free(unnamed);
}

static bool look_at(void *data, const GElf_Sym *symbol, const char *name)
{
    struct search *s = data;
    struct probe_place place = {.symbol = match(s, name)};

    if (place.symbol && GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        add_chosen(s, name);
    else if (place.symbol && find_offset(s->elf->elf, symbol->st_value, &place.offset))
        add_place(s, &place);
    free(place.symbol);
    return false;
}

void probe_places_find(struct probe_places *places, const char *path, const char *function,
                       struct probe_names *names)
{
    struct elf_file elf;
    struct search s = {path, function, &elf, places, names, false};

    if (!elf_file_open(&elf, path, NULL))
        return;
    (void)walk(&s, &s, look_at);
    s.by_last_part = true;
    if (!places->n)
        (void)walk(&s, &s, look_at);
    elf_file_close(&elf);
}

/*--- What was meant ---*/

char *probe_names_near(const struct probe_names *names, const char *function)
{
    const char *nearest = nearest_name(function, (const char *const *)names->items, names->n);
    struct strbuf text = {.text = NULL};
    size_t shown = 0;

    if (nearest)
        strbuf_addf(&text, "'%s'", nearest);
    for (size_t i = 0; i < names->n && shown < NAMES_SHOWN; i++) {
        char *quoted = xasprintf("'%s'", names->items[i]);

        if (strstr(names->items[i], function) && strlen(names->items[i]) < 100 &&
            (!text.text || !strstr(text.text, quoted))) {
            strbuf_add_item(&text, ", ", quoted);
            shown++;
        }
        free(quoted);
    }
    return text.text;
}

void probe_places_free(struct probe_places *places)
{
    for (size_t i = 0; i < places->n; i++)
        free(places->items[i].symbol);
    free(places->items);
    *places = (struct probe_places){0};
}

void probe_names_free(struct probe_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct probe_names){0};
}
