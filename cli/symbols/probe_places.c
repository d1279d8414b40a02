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
    struct string_list *names;
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

/* The symbol's readable name where it is what is looked for, for the caller to free; else NULL. */
static char *match(const struct search *s, const char *symbol)
{
    char *plain = xstrndup(symbol, strcspn(symbol, "@")), *readable = demangle(plain);
    const char *name = readable ? readable : plain;
    bool found = s->by_last_part ? has_last_part(name, s->function)
                                 : !strcmp(plain, s->function) || is_called(name, s->function);
    char *result = found ? xstrdup(name) : NULL;

    if (!s->by_last_part)
        string_list_add(s->names, xstrdup(name));
    free(plain);
    free(readable);
    return result;
}

/*--- Addresses ---*/

static bool find_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
    GElf_Phdr p;

    if (!elf_file_code_segment(elf, address, &p) || address - p.p_vaddr >= p.p_filesz)
        return false;
    *offset = address - p.p_vaddr + p.p_offset;
    return true;
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

/* Calls `each` for the symbols of all tables. */
static void walk(const struct search *s, void *data, elf_file_symbol *each)
{
    elf_file_each_symbol(s->elf->elf, SHT_DYNSYM, each, data);
    elf_file_each_symbol(s->elf->elf, SHT_SYMTAB, each, data);
    elf_file_each_symbol(s->elf->debug, SHT_SYMTAB, each, data);
}

struct at_address {
    uint64_t address;
    const char *name;
};

/* Takes the first function there. */
static void take_name(void *data, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    struct at_address *at = data;

    (void)elf;
    if (!at->name && is_function(symbol) && symbol->st_value == at->address &&
        GELF_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC)
        at->name = name;
}

/* A function whose implementation is chosen when the program starts. */
static void add_chosen(struct search *s, const char *symbol)
{
    struct at_address at = {.address = chosen_address(s->path, symbol)};
    struct probe_place place = {.is_chosen = true};
    char *unnamed;

    place.is_elsewhere = !at.address || !find_offset(s->elf->elf, at.address, &place.offset);
    if (!place.is_elsewhere)
        walk(s, &at, take_name);
    unnamed = xasprintf("0x%llx", (unsigned long long)at.address);
    place.symbol = at.name ? (char *)at.name : unnamed;
    add_place(s, &place);
    free(unnamed);
}

static void look_at(void *data, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    struct search *s = data;
    struct probe_place place = {.symbol = is_function(symbol) ? match(s, name) : NULL};

    (void)elf;
    if (place.symbol && GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        add_chosen(s, name);
    else if (place.symbol && find_offset(s->elf->elf, symbol->st_value, &place.offset))
        add_place(s, &place);
    free(place.symbol);
}

void probe_places_find(struct probe_places *places, const char *path, const char *function,
                       struct string_list *names)
{
    struct elf_file elf;
    struct search s = {path, function, &elf, places, names, false};

    if (!elf_file_open(&elf, path, NULL))
        return;
    walk(&s, &s, look_at);
    s.by_last_part = true;
    if (!places->n)
        walk(&s, &s, look_at);
    elf_file_close(&elf);
}

/*--- What was meant ---*/

char *probe_names_near(const struct string_list *names, const char *function)
{
    const char *nearest = nearest_name(function, names->items, names->n);
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
