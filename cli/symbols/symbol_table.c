#include <config.h>

#include "symbols/symbol_table.h"

#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- The table ---*/

/* A stub is looked at this far for its jump: the longest kind (.plt with -z ibtplt) has 16 bytes.
 */
enum { STUB_MAX = 16 };

static void add(struct symbol_table *s, struct symbol symbol)
{
    APPEND(s->items, s->n, s->room) = symbol;
}

/* Tells whether a symbol without a type is assembly's. A compiler's own (".L12", arm64's "$x") name
 * no function, and nor do the linker's, such as "etext" behind the code. */
static bool is_assembly(Elf *elf, const GElf_Sym *symbol, const char *name)
{
    Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(elf, symbol->st_shndx) : NULL;
    GElf_Shdr header;

    return strncmp(name, ".L", 2) != 0 && name[0] != '$' && gelf_getshdr(section, &header) &&
           header.sh_flags & SHF_EXECINSTR && symbol->st_value - header.sh_addr < header.sh_size;
}

static bool is_function(Elf *elf, const GElf_Sym *symbol, const char *name)
{
    switch (GELF_ST_TYPE(symbol->st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC:
        break;
    case STT_NOTYPE:
        if (!is_assembly(elf, symbol, name))
            return false;
        break;
    default:
        return false;
    }
    return symbol->st_shndx != SHN_UNDEF;
}

static bool is_label(const GElf_Sym *symbol)
{
    return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
           GELF_ST_BIND(symbol->st_info) == STB_LOCAL && symbol->st_size == 0;
}

enum { RANK_LOCAL = 2 };

static unsigned char rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return 0;
    case STB_WEAK:
        return 1;
    default:
        return RANK_LOCAL;
    }
}

/* Where the executable code that holds `address` ends; 0: none does. By segments, which a debug
 * file has too. */
static uint64_t code_end(Elf *elf, uint64_t address)
{
    GElf_Phdr p;

    return elf_file_code_segment(elf, address, &p) ? p.p_vaddr + p.p_memsz : 0;
}

struct table_reader {
    struct symbol_table *to;
    Elf *code;
};

static void read_symbol(void *data, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    const struct table_reader *r = data;
    uint64_t start = symbol->st_value, size = symbol->st_size;
    uint64_t limit = is_function(elf, symbol, name) ? code_end(r->code, start) : 0;

    if (limit)
        add(r->to, (struct symbol){.start = start,
                                   .end = size < limit - start ? start + size : limit,
                                   .name = name,
                                   .rank = rank_of(symbol),
                                   .is_label = is_label(symbol)});
}

static bool read_table(struct symbol_table *s, Elf *elf, Elf *code, GElf_Word type)
{
    elf_file_each_symbol(elf, type, read_symbol, &(struct table_reader){s, code});
    return s->n > 0;
}

/* A name with "_" is for the library itself, as __poll is beside poll, though that is weak. */
static bool is_public(const struct symbol *s)
{
    return *s->name != '_' && s->rank < RANK_LOCAL;
}

/* By address, the preferred name first. */
static int compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;

    COMPARE(x->start, y->start);
    COMPARE(x->end == x->start, y->end == y->start);
    COMPARE(is_public(y), is_public(x));
    COMPARE(x->rank, y->rank);
    COMPARE(strlen(x->name), strlen(y->name));
    return strcmp(x->name, y->name);
}

/* Leaves one symbol at each address, with the largest of its aliases' sizes. */
static void drop_aliases(struct symbol_table *s)
{
    size_t kept = 0;

    if (s->n == 0)
        return;
    sort_items(s->items, s->n, sizeof *s->items, compare);
    for (size_t i = 0; i < s->n; i++) {
        if (kept && s->items[kept - 1].start == s->items[i].start) {
            if (s->items[i].end > s->items[kept - 1].end)
                s->items[kept - 1].end = s->items[i].end;
        } else {
            s->items[kept++] = s->items[i];
        }
    }
    s->n = kept;
}

static int compare_intervals(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Drops labels where no function that ran began. */
static void drop_labels(struct symbol_table *s, const struct function_starts *starts)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n; i++)
        if (!s->items[i].is_label || !starts->n || function_starts_have(starts, s->items[i].start))
            s->items[kept++] = s->items[i];
    s->n = kept;
}

/* Makes sized symbols as long as the unwind entries that begin where they do. */
static void lengthen(struct symbol_table *s, const struct intervals *unwind)
{
    size_t hint = 0;

    for (size_t i = 0; i < s->n; i++) {
        struct symbol *symbol = &s->items[i];
        uint32_t at = intervals_find_near(unwind, symbol->start, &hint);

        if (symbol->end > symbol->start && at != INTERVAL_NONE &&
            unwind->items[at].start == symbol->start && unwind->items[at].end > symbol->end)
            symbol->end = unwind->items[at].end;
    }
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Where the code at `address`, which no sized symbol has, ends at the latest. `next` is the first
 * symbol behind it. */
static uint64_t gap_end(const struct symbol_table *s, size_t next, Elf *code, uint64_t address,
                        const struct intervals *unwind, const struct function_starts *starts)
{
    uint64_t end = code_end(code, address);

    if (next < s->n)
        end = least(end, s->items[next].start);
    end = least(end, intervals_next(unwind, address));
    return least(end, function_starts_next(starts, address + 1));
}

/* Gives the code behind a sized symbol to it where its function ran: the run has found no other
 * function there. */
static void add_behind(const struct symbol_table *s, struct intervals *gaps, size_t i, Elf *code,
                       const struct intervals *unwind, const struct function_starts *starts)
{
    uint64_t end = s->items[i].end;

    if (s->items[i].is_stub || !function_starts_have(starts, s->items[i].start) ||
        function_starts_have(starts, end) || intervals_find(&s->ranges, end) != INTERVAL_NONE ||
        intervals_find(unwind, end) != INTERVAL_NONE || !code_end(code, end))
        return;
    if (i + 1 == s->n || s->items[i + 1].start >= end)
        intervals_add(gaps, end, gap_end(s, i + 1, code, end, unwind, starts), (uint32_t)i);
}

static void make_ranges(struct symbol_table *s, Elf *code, const struct intervals *unwind,
                        const struct function_starts *starts)
{
    struct intervals gaps = {.n = 0};

    drop_labels(s, starts);
    drop_aliases(s);
    lengthen(s, unwind);
    for (size_t i = 0; i < s->n; i++)
        intervals_add(&s->ranges, s->items[i].start, s->items[i].end, (uint32_t)i);
    intervals_flatten(&s->ranges);
    for (size_t i = 0; i < s->n; i++) {
        uint64_t start = s->items[i].start;

        if (s->items[i].end > start)
            add_behind(s, &gaps, i, code, unwind, starts);
        else if (intervals_find(&s->ranges, start) == INTERVAL_NONE)
            intervals_add(&gaps, start, gap_end(s, i + 1, code, start, unwind, starts),
                          (uint32_t)i);
    }
    /* Still disjoint: a gap ends where the next symbol begins. */
    for (size_t i = 0; i < gaps.n; i++)
        intervals_add(&s->ranges, gaps.items[i].start, gaps.items[i].end, gaps.items[i].value);
    intervals_free(&gaps);
    sort_items(s->ranges.items, s->ranges.n, sizeof *s->ranges.items, compare_intervals);
}

void symbol_table_add_starts(const struct symbol_table *s, const struct elf_file *f,
                             struct intervals *unwind, const struct function_starts *starts)
{
    struct intervals new = {.n = 0};

    for (size_t i = 0; i < starts->n; i++) {
        uint64_t start = starts->items[i].address, end = code_end(f->elf, start);

        if (intervals_find(&s->ranges, start) != INTERVAL_NONE ||
            intervals_find(unwind, start) != INTERVAL_NONE)
            continue;
        end = least(end, intervals_next(&s->ranges, start));
        end = least(end, intervals_next(unwind, start));
        intervals_add(&new, start, least(end, function_starts_next(starts, start + 1)), 0);
    }
    for (size_t i = 0; i < new.n; i++)
        intervals_add(unwind, new.items[i].start, new.items[i].end, 0);
    intervals_free(&new);
    sort_items(unwind->items, unwind->n, sizeof *unwind->items, compare_intervals);
    for (size_t i = 0; i < unwind->n; i++)
        unwind->items[i].value = (uint32_t)i;
}

/*--- Functions in parts ---*/

/*
 * Parts of functions: code that a compiler or linker has split off has a symbol of
 * its own, such as "f.cold", "f.cold.1", "f.warm", "f.part.0" or "f.__part.2".
 */

/* A symbol and its name, to search by it. */
struct named {
    const char *name;
    size_t symbol;
};

static bool ends_in(const char *name, size_t size, const char *end)
{
    size_t length = strlen(end);

    return size > length && !memcmp(name + size - length, end, length);
}

/* The length of the name of the function that the symbol is a part of; 0: it is none. */
static size_t whole_length(const char *name)
{
    size_t size = strlen(name), end = size;

    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    if (end < size && end && name[end - 1] == '.')
        end--;
    else
        end = size;
    if (ends_in(name, end, ".cold") || ends_in(name, end, ".warm"))
        return end - strlen(".cold");
    if (end < size && ends_in(name, end, ".__part"))
        return end - strlen(".__part");
    return end < size && ends_in(name, end, ".part") ? end - strlen(".part") : 0;
}

static int parts_compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

struct name_key {
    const char *name;
    size_t size;
};

static bool name_is_before(const void *named, const void *key)
{
    const struct name_key *k = key;

    return strncmp(((const struct named *)named)->name, k->name, k->size) < 0;
}

/* The nearest symbol that has the first `size` letters of the symbol's name, or itself. */
static size_t find_whole(const struct symbol_table *s, const struct named *names, size_t symbol,
                         size_t size)
{
    struct name_key key = {s->items[symbol].name, size};
    uint64_t start = s->items[symbol].start;
    size_t found = symbol;

    for (size_t i = lower_bound(names, s->n, sizeof *names, name_is_before, &key);
         i < s->n && !strncmp(names[i].name, key.name, size) && !names[i].name[size]; i++)
        if (found == symbol || distance(s->items[names[i].symbol].start, start) <
                                   distance(s->items[found].start, start))
            found = names[i].symbol;
    return found;
}

/* Sets `whole` of each symbol: the nearest one of the name that it is a part of, or itself. */
static void symbol_parts_find(struct symbol_table *s)
{
    struct named *names = xreallocarray(NULL, s->n, sizeof *names);

    for (size_t i = 0; i < s->n; i++)
        names[i] = (struct named){s->items[i].name, i};
    sort_items(names, s->n, sizeof *names, parts_compare);
    for (size_t i = 0; i < s->n; i++) {
        size_t size = s->items[i].is_stub ? 0 : whole_length(s->items[i].name);

        s->items[i].whole = (uint32_t)(size ? find_whole(s, names, i, size) : i);
    }
    /* Names get shorter from part to whole. */
    for (size_t i = 0; i < s->n; i++)
        while (s->items[i].whole != s->items[s->items[i].whole].whole)
            s->items[i].whole = s->items[s->items[i].whole].whole;
    free(names);
}

/*--- The table ---*/

/* A slot of the global offset table, and the name of what the dynamic linker puts there. */
struct slot {
    uint64_t address;
    const char *name;
};

static int compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;

    return (x->address > y->address) - (x->address < y->address);
}

static bool is_arm64(Elf *elf)
{
    GElf_Ehdr header;

    return gelf_getehdr(elf, &header) && header.e_machine == EM_AARCH64;
}

/* The relocation whose value a function picks. */
static uint32_t irelative(Elf *elf)
{
    return is_arm64(elf) ? R_AARCH64_IRELATIVE : R_X86_64_IRELATIVE;
}

/* The function whose address relocation `r` fills in: a symbol of the table `link`, or the function
 * that picks an implementation (IRELATIVE). */
static const char *target_of(const struct symbol_table *s, Elf *elf, const GElf_Rela *r,
                             Elf_Scn *link)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *data;

    if (GELF_R_SYM(r->r_info) == 0) {
        const struct symbol *picker = GELF_R_TYPE(r->r_info) == irelative(elf)
                                          ? symbol_table_find(s, (uint64_t)r->r_addend)
                                          : NULL;

        return picker ? picker->name : NULL;
    }
    data = link && gelf_getshdr(link, &header) ? elf_getdata(link, NULL) : NULL;
    if (!data || !gelf_getsym(data, (int)GELF_R_SYM(r->r_info), &symbol))
        return NULL;
    return elf_strptr(elf, header.sh_link, symbol.st_name);
}

/* All slots of .rela.plt and .rela.dyn, by address; the caller frees the array. */
static struct slot *read_slots(const struct symbol_table *s, Elf *elf, size_t *n)
{
    struct slot *slots = NULL;
    Elf_Scn *section = NULL;
    size_t room = 0;

    *n = 0;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        GElf_Rela r;
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !header.sh_entsize)
            continue;
        data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < data->d_size / header.sh_entsize && i < INT32_MAX; i++) {
            const char *name = gelf_getrela(data, (int)i, &r)
                                   ? target_of(s, elf, &r, elf_getscn(elf, header.sh_link))
                                   : NULL;

            if (!name || !*name)
                continue;
            APPEND(slots, *n, room) = (struct slot){r.r_offset, name};
        }
    }
    sort_items(slots, *n, sizeof *slots, compare_slots);
    return slots;
}

/* The slot that the stub of `size` bytes at `address` jumps through: `jmp *disp(%rip)` is ff 25 and
 * a relative distance. 0: none. */
static uint64_t jump_slot(const unsigned char *code, size_t size, uint64_t address)
{
    for (size_t i = 0; i + 6 <= size; i++) {
        if (code[i] == 0xff && code[i + 1] == 0x25) {
            uint32_t distance = (uint32_t)code[i + 2] | (uint32_t)code[i + 3] << 8 |
                                (uint32_t)code[i + 4] << 16 | (uint32_t)code[i + 5] << 24;

            return address + i + 6 + (uint64_t)(int64_t)(int32_t)distance;
        }
    }
    return 0;
}

static uint32_t arm64_word(const unsigned char *code)
{
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
           (uint32_t)code[3] << 24;
}

/* The slot that a stub of the linkage table jumps by, on arm64: `adrp x16, page` and, next, `ldr
 * x17, [x16, #offset]`. */
static uint64_t arm64_jump_slot(const unsigned char *code, size_t size, uint64_t address)
{
    for (size_t i = 0; i + 8 <= size; i += 4) {
        uint32_t page = arm64_word(code + i), load = arm64_word(code + i + 4);
        uint64_t pages = (uint64_t)(page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);

        if ((page & 0x9f00001f) == 0x90000010 && (load & 0xffc003ff) == 0xf9400211)
            return ((address + i) & ~(uint64_t)0xfff) + ((pages ^ 0x100000) - 0x100000) * 0x1000 +
                   (load >> 10 & 0xfff) * 8;
    }
    return 0;
}

/* The size of the stub on arm64, which ends with `br x17` and what fills the space up. */
static size_t arm64_stub_size(const unsigned char *code, size_t size)
{
    enum { BR_X17 = 0xd61f0220u, NOP = 0xd503201fu };
    size_t i = 0;

    while (i + 4 <= size && arm64_word(code + i) != BR_X17)
        i += 4;
    for (i += 4; i + 4 <= size && arm64_word(code + i) == NOP; i += 4)
        ;
    return i < size ? i : size;
}

static void add_stub(struct symbol_table *s, const char *section, uint64_t address, size_t size,
                     uint64_t jumps_through, const struct slot *slots, size_t n_slots)
{
    struct slot key = {jumps_through, NULL};
    const struct slot *slot =
        n_slots ? bsearch(&key, slots, n_slots, sizeof *slots, compare_slots) : NULL;
    char *text = slot ? xasprintf("%s@plt", slot->name) : xasprintf("??? (%s)", section);

    string_list_add(&s->owned, text);
    add(s, (struct symbol){
               .start = address, .end = address + size, .name = text, .rank = 3, .is_stub = true});
}

/* Names the stubs of one section. A stub whose target is not known (the first of .plt, which calls
 * the linker) is named after the section. */
static void read_stubs(struct symbol_table *s, Elf *elf, const char *name, const struct slot *slots,
                       size_t n_slots)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(elf, name, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    bool arm64 = is_arm64(elf);
    size_t step, size;

    if (!data || !data->d_buf)
        return;
    step = header.sh_entsize == 8 ? 8 : STUB_MAX;
    for (size_t i = 0; i < data->d_size; i += size) {
        const unsigned char *code = (const unsigned char *)data->d_buf + i;
        size_t left = data->d_size - i;
        uint64_t address = header.sh_addr + i;

        size = arm64 ? arm64_stub_size(code, left) : left < step ? left : step;
        add_stub(s, name, address, size,
                 arm64 ? arm64_jump_slot(code, size, address) : jump_slot(code, size, address),
                 slots, n_slots);
    }
}

void symbol_table_load(struct symbol_table *s, const struct elf_file *f,
                       const struct intervals *unwind, const struct function_starts *starts)
{
    static const char *const stubs[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};
    struct slot *slots;
    size_t n_slots;

    *s = (struct symbol_table){.kind = SYMBOLS_NONE};
    if (read_table(s, f->elf, f->elf, SHT_SYMTAB) || read_table(s, f->debug, f->elf, SHT_SYMTAB))
        s->kind = SYMBOLS_FULL;
    else if (read_table(s, f->symbols.elf, f->elf, SHT_SYMTAB)) {
        (void)read_table(s, f->elf, f->elf, SHT_DYNSYM); /* which that one leaves out */
        s->kind = SYMBOLS_FULL;
    } else if (read_table(s, f->elf, f->elf, SHT_DYNSYM))
        s->kind = SYMBOLS_DYNAMIC;
    make_ranges(s, f->elf, unwind, starts);
    for (size_t i = 0; i < s->n; i++)
        s->items[i].whole = (uint32_t)i;
    slots = read_slots(s, f->elf, &n_slots);
    intervals_free(&s->ranges);
    for (size_t i = 0; i < sizeof stubs / sizeof *stubs; i++)
        read_stubs(s, f->elf, stubs[i], slots, n_slots);
    free(slots);
    make_ranges(s, f->elf, unwind, starts);
    symbol_parts_find(s);
}

const struct symbol *symbol_table_find(const struct symbol_table *s, uint64_t address)
{
    uint32_t i = intervals_find(&s->ranges, address);

    return i == INTERVAL_NONE ? NULL : &s->items[s->items[i].whole];
}

const struct symbol *symbol_table_find_near(const struct symbol_table *s, uint64_t address,
                                            size_t *hint)
{
    uint32_t i = intervals_find_near(&s->ranges, address, hint);

    return i == INTERVAL_NONE ? NULL : &s->items[s->items[i].whole];
}

const struct symbol *symbol_table_find_named(const struct symbol_table *s, const char *name,
                                             uint64_t address)
{
    const struct symbol *found = NULL;

    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->items[i].name, name) &&
            (!found || distance(s->items[i].start, address) < distance(found->start, address)))
            found = &s->items[i];
    return found;
}

bool symbol_table_is_part(const struct symbol_table *s, uint64_t address)
{
    uint32_t i = intervals_find(&s->ranges, address);

    return i != INTERVAL_NONE && s->items[i].whole != i;
}

void symbol_table_free(struct symbol_table *s)
{
    string_list_free_texts(&s->owned);
    free(s->items);
    intervals_free(&s->ranges);
    *s = (struct symbol_table){.kind = SYMBOLS_NONE};
}

/*--- Searching ---*/

struct text_search {
    const char *const *texts;
    size_t best; /* the first of them that was found */
};

static void search_symbol(void *data, Elf *elf, const GElf_Sym *symbol, const char *name)
{
    struct text_search *s = data;

    (void)elf;
    (void)symbol;
    for (size_t t = 0; t < s->best; t++)
        if (strstr(name, s->texts[t]))
            s->best = t;
}

size_t symbol_search(const char *path, const char *const *texts, size_t n)
{
    struct text_search search = {texts, n};
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);

    if (fd < 0)
        return n;
    elf_file_each_symbol(elf, SHT_SYMTAB, search_symbol, &search);
    elf_end(elf);
    close(fd);
    return search.best;
}
