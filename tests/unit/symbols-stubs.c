/* Stubs of arm64's procedure linkage table get the names of what they jump to. The file is made
 * here, so that it is read on any processor. And code behind a function that lies in another one,
 * in this program itself. */
#include <config.h>

#include "../tap.h"
#include "symbols/symbol_table.h"

#include <stdio.h>
#include <unistd.h>

enum { PLT = 0x10ff0, SLOTS_HIGH = 0x31000, SLOTS_LOW = 0x8000 };

/* adrp x16, to the page of `to`; ldr x17, [x16, #offset]; add x16, x16, #offset; br x17. */
static size_t put_stub(uint32_t *code, uint64_t at, uint64_t to)
{
    uint64_t pages = (to >> 12) - (at >> 12);
    uint32_t offset = (uint32_t)(to & 0xfff);

    code[0] = 0x90000010u | (uint32_t)(pages & 3) << 29 | (uint32_t)(pages >> 2 & 0x7ffff) << 5;
    code[1] = 0xf9400211u | offset / 8 << 10;
    code[2] = 0x91000210u | offset << 10;
    code[3] = 0xd61f0220u;
    return 4;
}

/* The table: its first stub calls the linker, and ends with what fills it up. */
static size_t put_table(uint32_t *code)
{
    size_t n = 0;

    code[n++] = 0xa9bf7bf0u; /* stp x16, x30, [sp, #-16]! */
    n += put_stub(code + n, PLT + 4 * n, SLOTS_HIGH + 0x10);
    for (int i = 0; i < 3; i++)
        code[n++] = 0xd503201fu; /* nop */
    n += put_stub(code + n, PLT + 4 * n, SLOTS_HIGH + 0x18);
    n += put_stub(code + n, PLT + 4 * n, SLOTS_HIGH + 0xff8);
    n += put_stub(code + n, PLT + 4 * n, SLOTS_LOW + 0x20);
    return n * sizeof *code;
}

/* Names of sections, and of what the stubs jump to. */
static char sections[] = "\0.plt\0.rela.plt\0.dynsym\0.dynstr\0.shstrtab";
static char names[] = "\0first\0second\0third";

static size_t add_section(Elf *elf, const char *name, GElf_Shdr header, Elf_Type type, void *bytes,
                          size_t size)
{
    Elf_Scn *section = elf_newscn(elf);
    Elf_Data *data = elf_newdata(section);
    const char *named = memmem(sections, sizeof sections, name, strlen(name) + 1);

    *data = (Elf_Data){.d_buf = bytes, .d_size = size, .d_type = type, .d_version = EV_CURRENT};
    data->d_align = 8;
    header.sh_name = (GElf_Word)(named - sections);
    gelf_update_shdr(section, &header);
    return elf_ndxscn(section);
}

/* A section of entries, which refer to those of another one. */
static size_t add_entries(Elf *elf, const char *name, GElf_Word kind, size_t other, Elf_Type type,
                          void *bytes, size_t size)
{
    const GElf_Shdr header = {.sh_type = kind,
                              .sh_link = (GElf_Word)other,
                              .sh_entsize = gelf_fsize(elf, type, 1, EV_CURRENT)};

    return add_section(elf, name, header, type, bytes, size);
}

static void write_elf(int fd)
{
    static uint32_t code[32];
    Elf64_Sym symbols[] = {{.st_name = 0}, {.st_name = 1}, {.st_name = 7}, {.st_name = 14}};
    Elf64_Rela slots[] = {{SLOTS_HIGH + 0x18, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0},
                          {SLOTS_HIGH + 0xff8, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT), 0},
                          {SLOTS_LOW + 0x20, ELF64_R_INFO(3, R_AARCH64_JUMP_SLOT), 0}};
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    const GElf_Shdr strings = {.sh_type = SHT_STRTAB};
    const GElf_Shdr plt = {
        .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = PLT};
    GElf_Ehdr header;
    size_t other;

    gelf_newehdr(elf, ELFCLASS64);
    other = add_section(elf, ".dynstr", strings, ELF_T_BYTE, names, sizeof names);
    other = add_entries(elf, ".dynsym", SHT_DYNSYM, other, ELF_T_SYM, symbols, sizeof symbols);
    add_entries(elf, ".rela.plt", SHT_RELA, other, ELF_T_RELA, slots, sizeof slots);
    add_section(elf, ".plt", plt, ELF_T_BYTE, code, put_table(code));
    other = add_section(elf, ".shstrtab", strings, ELF_T_BYTE, sections, sizeof sections);
    gelf_getehdr(elf, &header);
    header.e_machine = EM_AARCH64;
    header.e_type = ET_DYN;
    header.e_version = EV_CURRENT;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shstrndx = (GElf_Half)other;
    gelf_update_ehdr(elf, &header);
    ok(elf_update(elf, ELF_C_WRITE) > 0, "the file is written");
    elf_end(elf);
}

static void is_stub(const struct symbol_table *s, uint64_t first, uint64_t size, const char *name)
{
    const struct symbol *begin = symbol_table_find(s, first);
    const struct symbol *end = symbol_table_find(s, first + size - 1);

    ok(begin && begin == end && begin->is_stub && !strcmp(begin->name, name) &&
           begin->start == first && begin->end == first + size,
       "%s is at 0x%llx", name, (unsigned long long)first);
}

static void test_stubs(FILE *file)
{
    struct elf_file f = {.debug_fd = -1};
    struct intervals unwind = {0};
    struct symbol_table s;

    f.fd = fileno(file);
    write_elf(f.fd);
    f.elf = elf_begin(f.fd, ELF_C_READ, NULL);
    symbol_table_load(&s, &f, &unwind, &(struct function_starts){.n = 0});
    is_stub(&s, PLT, 32, "??? (.plt)");
    is_stub(&s, PLT + 32, 16, "first@plt");
    is_stub(&s, PLT + 48, 16, "second@plt");
    is_stub(&s, PLT + 64, 16, "third@plt");
    symbol_table_free(&s);
    elf_end(f.elf);
}

__asm__(".text\n"
        "outer_code: .skip 16\n"
        "inner_code: .skip 16\n"
        ".skip 32\n"
        ".type outer_code, %function\n.size outer_code, 48\n"
        ".type inner_code, %function\n.size inner_code, 16\n");

static void test_nested(void)
{
    struct function_start start = {0};
    struct function_starts starts = {.n = 0, .items = &start};
    struct intervals unwind = {0};
    const struct symbol *inner;
    struct symbol_table s;
    struct elf_file f;

    ok(elf_file_open(&f, "/proc/self/exe", NULL), "this program is read");
    symbol_table_load(&s, &f, &unwind, &starts);
    inner = symbol_table_find_named(&s, "inner_code", 0);
    start.address = inner ? inner->start : 0;
    symbol_table_free(&s);
    starts.n = 1;
    symbol_table_load(&s, &f, &unwind, &starts);
    is_text(symbol_table_find(&s, start.address + 8)->name, "inner_code",
            "a function in another one has its code");
    is_text(symbol_table_find(&s, start.address + 24)->name, "outer_code",
            "code behind a function within another one is the outer one's");
    ok(!symbol_table_find(&s, start.address + 40),
       "code behind a function that has not run is nobody's");
    symbol_table_free(&s);
    elf_file_close(&f);
}

int main(void)
{
    FILE *file = tmpfile();

    elf_version(EV_CURRENT);
    if (!file)
        return 1;
    test_stubs(file);
    test_nested();
    fclose(file);
    return tap_done();
}
