#include <config.h>

#include "symbols/code_hash.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*--- Lengths ---*/

enum {
    MODRM = 1,
    BYTE = 2,      /* an operand of a byte */
    WORD = 4,      /* of two */
    LONG = 8,      /* of four, or two with the prefix 66 */
    RELATIVE = 16, /* a distance in code: a byte, or four */
    NONE = 128     /* no instruction */
};

static unsigned char form_of_arithmetic(unsigned op)
{
    static const unsigned char forms[8] = {MODRM, MODRM, MODRM, MODRM, BYTE, LONG, NONE, NONE};

    return forms[op & 7];
}

/* The form of an opcode of one byte, without the extension of F6 and F7. */
static unsigned char form_of_byte(unsigned op)
{
    static const unsigned char from_60[0x40] = {/* 60 */ NONE,
                                                NONE,
                                                NONE,
                                                MODRM,
                                                NONE,
                                                NONE,
                                                NONE,
                                                NONE,
                                                LONG,
                                                MODRM | LONG,
                                                BYTE,
                                                MODRM | BYTE,
                                                0,
                                                0,
                                                0,
                                                0,
                                                /* 70 */ [0x10 ... 0x1f] = RELATIVE | BYTE,
                                                /* 80 */ MODRM | BYTE,
                                                MODRM | LONG,
                                                NONE,
                                                MODRM | BYTE,
                                                [0x24 ... 0x2f] = MODRM,
                                                /* 90 */[0x3a] = NONE};
    static const unsigned char from_c0[0x40] = {/* c0 */ MODRM | BYTE,
                                                MODRM | BYTE,
                                                WORD,
                                                0,
                                                NONE,
                                                NONE,
                                                MODRM | BYTE,
                                                MODRM | LONG,
                                                WORD | BYTE,
                                                0,
                                                WORD,
                                                0,
                                                0,
                                                BYTE,
                                                NONE,
                                                0,
                                                /* d0 */ MODRM,
                                                MODRM,
                                                MODRM,
                                                MODRM,
                                                NONE,
                                                NONE,
                                                NONE,
                                                0,
                                                [0x18 ... 0x1f] = MODRM,
                                                /* e0 */ [0x20 ... 0x23] = RELATIVE | BYTE,
                                                BYTE,
                                                BYTE,
                                                BYTE,
                                                BYTE,
                                                RELATIVE | LONG,
                                                RELATIVE | LONG,
                                                NONE,
                                                RELATIVE | BYTE,
                                                0,
                                                0,
                                                0,
                                                0,
                                                /* f0 */ NONE,
                                                0,
                                                NONE,
                                                NONE,
                                                0,
                                                0,
                                                MODRM,
                                                MODRM,
                                                [0x3e] = MODRM,
                                                [0x3f] = MODRM};

    if (op < 0x40)
        return form_of_arithmetic(op);
    if (op < 0x60)
        return op < 0x50 ? NONE : 0;
    if (op < 0xa0)
        return from_60[op - 0x60];
    if (op < 0xc0)
        return op < 0xa4    ? NONE
               : op == 0xa8 ? BYTE
               : op == 0xa9 ? LONG
               : op < 0xb0  ? 0
               : op < 0xb8  ? BYTE
                            : LONG;
    return from_c0[op - 0xc0];
}

static bool is_one_of(unsigned op, const unsigned char *list, size_t n)
{
    return memchr(list, (int)op, n) != NULL;
}

/* The form of an opcode behind 0F; `vex`: it has a prefix of vectors. */
static unsigned char form_of_0f(unsigned op, bool vex)
{
    static const unsigned char alone[] = {0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e,
                                          0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9, 0xaa};
    static const unsigned char with_byte[] = {0x0f, 0x70, 0x71, 0x72, 0x73, 0xa4,
                                              0xac, 0xba, 0xc2, 0xc4, 0xc5, 0xc6};

    if (!vex && op >= 0x80 && op <= 0x8f)
        return RELATIVE | LONG;
    if (is_one_of(op, alone, sizeof alone) ||
        (!vex && ((op >= 0x30 && op <= 0x37) || (op >= 0xc8 && op <= 0xcf))))
        return vex && op != 0x77 ? MODRM : 0;
    return is_one_of(op, with_byte, sizeof with_byte) ? MODRM | BYTE : MODRM;
}

static unsigned char form_of_map(unsigned map, unsigned op, bool vex)
{
    return map == 1                           ? form_of_0f(op, vex)
           : map == 2 || map == 5 || map == 6 ? MODRM
           : map == 3                         ? MODRM | BYTE
                                              : NONE;
}

/* An instruction while it is decoded. */
struct decoding {
    const unsigned char *code;
    size_t size, at;
    bool narrow, wide, repeated; /* prefixes 66, REX.W, F3 */
    unsigned rex;
    unsigned map, op;
    unsigned char form;
};

/* The byte at a place further on; 0 behind the end, where the instruction is refused later. */
static unsigned peek(const struct decoding *d, size_t more)
{
    return d->at + more < d->size ? d->code[d->at + more] : 0;
}

static void skip_prefixes(struct decoding *d)
{
    static const unsigned char prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                             0x66, 0x67, 0xf0, 0xf2, 0xf3};

    while (d->at < d->size && is_one_of(d->code[d->at], prefixes, sizeof prefixes)) {
        d->narrow |= d->code[d->at] == 0x66;
        d->repeated |= d->code[d->at] == 0xf3;
        d->at++;
    }
    if ((peek(d, 0) & 0xf0) == 0x40) {
        d->rex = peek(d, 0);
        d->wide = d->rex & 8;
        d->at++;
    }
}

/* Reads the opcode, and whatever is in front of that besides prefixes. */
static void read_opcode(struct decoding *d)
{
    unsigned first = peek(d, 0);
    bool vex = first == 0xc5 || first == 0xc4 || first == 0x62;

    if (vex) {
        d->map = first == 0xc5 ? 1 : peek(d, 1) & (first == 0x62 ? 7 : 31);
        d->at += first == 0xc5 ? 2 : first == 0xc4 ? 3 : 4;
    } else if (first == 0x0f) {
        d->map = peek(d, 1) == 0x38 ? 2 : peek(d, 1) == 0x3a ? 3 : 1;
        d->at += d->map == 1 ? 1 : 2;
    }
    d->op = peek(d, 0);
    d->at++;
    d->form = d->map ? form_of_map(d->map, d->op, vex) : form_of_byte(d->op);
    if (!d->map && (d->op == 0xf6 || d->op == 0xf7) && (peek(d, 0) >> 3 & 7) < 2)
        d->form |= d->op == 0xf6 ? BYTE : LONG;
}

static void read_modrm(struct decoding *d, struct code_instruction *i)
{
    unsigned modrm = peek(d, 0), mod = modrm >> 6, base = modrm & 7;
    unsigned size = mod == 1 ? 1 : mod == 2 ? 4 : 0;

    d->at++;
    if (mod == 3)
        return;
    i->is_relative = mod == 0 && base == 5;
    if (base == 4) {
        base = peek(d, 0) & 7;
        d->at++;
    }
    if (mod == 0 && base == 5)
        size = 4;
    if (size)
        i->displacement = (unsigned)d->at;
    i->displacement_size = size;
    d->at += size;
}

static unsigned operand_size(const struct decoding *d)
{
    bool is_move = !d->map && d->op >= 0xb8 && d->op <= 0xbf;
    unsigned size = d->form & WORD ? 2 : 0;

    if (d->form & BYTE)
        size++;
    if (d->form & LONG)
        size += d->form & RELATIVE ? 4 : is_move && d->wide ? 8 : d->narrow && !d->wide ? 2 : 4;
    return size;
}

/* True for what compilers and assemblers align code with. */
static bool is_nothing(const struct decoding *d)
{
    if (d->map)
        return d->map == 1 && d->op == 0x1f;
    return (d->op == 0x90 && !d->repeated && !(d->rex & 1)) || d->op == 0xcc;
}

bool code_decode(const unsigned char *code, size_t size, struct code_instruction *i)
{
    struct decoding d = {.code = code, .size = size < 15 ? size : 15};

    *i = (struct code_instruction){.size = 0};
    skip_prefixes(&d);
    i->opcode = (unsigned)d.at;
    read_opcode(&d);
    if (d.form & NONE)
        return false;
    if (d.form & MODRM)
        read_modrm(&d, i);
    i->operand_size = operand_size(&d);
    if (i->operand_size)
        i->operand = (unsigned)d.at;
    d.at += i->operand_size;
    i->is_branch = d.form & RELATIVE;
    i->is_nothing = is_nothing(&d);
    i->size = (unsigned)d.at;
    return d.at <= d.size;
}

/*--- The hash ---*/

struct hashing {
    const unsigned char *code;
    size_t size;
    uint64_t first, last; /* addresses of the image; none where they are equal */
    uint32_t *numbers;    /* by offset: 1 + how many instructions are before; 0: none begins */
    uint64_t strict, loose;
};

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void put(struct hashing *h, uint64_t value)
{
    mix(&h->strict, value);
    mix(&h->loose, value);
}

/* A number of an instruction, lowest byte first, with its sign. */
static uint64_t number_at(const unsigned char *bytes, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    if (size && size < 8 && value >> (8 * size - 1))
        value |= UINT64_MAX << (8 * size);
    return value;
}

/* Puts a number that may be an address. */
static void put_number(struct hashing *h, const unsigned char *bytes, unsigned size)
{
    uint64_t value = number_at(bytes, size);
    bool is_address = size >= 4 && value - h->first < h->last - h->first;

    mix(&h->strict, value);
    mix(&h->loose, is_address ? UINT64_MAX : value);
}

/* Numbers the instructions; false where some are not known. */
static bool number(struct hashing *h)
{
    struct code_instruction i;
    uint32_t n = 0;

    for (size_t at = 0; at < h->size; at += i.size) {
        if (!code_decode(h->code + at, h->size - at, &i))
            return false;
        h->numbers[at] = n + 1;
        n += !i.is_nothing;
    }
    return n > 0;
}

/* A jump is the same however long its distance is written. False: it leads into an instruction. */
static bool put_branch(struct hashing *h, size_t at, const struct code_instruction *i)
{
    const unsigned char *code = h->code + at;
    uint64_t to = at + i->size + number_at(code + i->operand, i->operand_size);
    unsigned op = code[i->opcode], kind = op == 0x0f ? code[i->opcode + 1] & 0xfu : op & 0xfu;

    put(h, op == 0xe9 || op == 0xeb     ? 0x1eb
           : op == 0x0f || op >> 4 == 7 ? 0x170 + kind
                                        : 0x100 + op);
    if (to >= h->size) {
        put(h, UINT64_MAX);
        return true;
    }
    put(h, h->numbers[to]);
    return h->numbers[to] != 0;
}

static void put_other(struct hashing *h, size_t at, const struct code_instruction *i)
{
    const unsigned char *code = h->code + at;
    unsigned end = i->displacement ? i->displacement : i->operand ? i->operand : i->size;

    put(h, end);
    for (unsigned k = 0; k < end; k++)
        put(h, code[k]);
    if (i->displacement && !i->is_relative)
        put_number(h, code + i->displacement, i->displacement_size);
    if (i->operand)
        put_number(h, code + i->operand, i->operand_size);
}

static bool put_all(struct hashing *h)
{
    struct code_instruction i;

    for (size_t at = 0; at < h->size; at += i.size) {
        code_decode(h->code + at, h->size - at, &i);
        if (i.is_nothing)
            continue;
        if (!i.is_branch)
            put_other(h, at, &i);
        else if (!put_branch(h, at, &i))
            return false;
    }
    return true;
}

uint64_t code_hash_of(const unsigned char *code, size_t size, uint64_t first, uint64_t last)
{
    struct hashing h = {code, size, first, last, .numbers = xcalloc(size + 1, sizeof *h.numbers)};
    bool known = number(&h) && put_all(&h);

    free(h.numbers);
    mix(&h.strict, 1);
    mix(&h.loose, 1);
    return known ? (h.loose >> 32 << 32 | h.strict >> 32) | 1 : 0;
}

/* The addresses of a program that is not position-independent. */
static void find_image(Elf *elf, const GElf_Ehdr *header, uint64_t *first, uint64_t *last)
{
    size_t n = 0;

    *first = *last = 0;
    if (header->e_type != ET_EXEC || elf_getphdrnum(elf, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;

        if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
            continue;
        if (!*last || p.p_vaddr < *first)
            *first = p.p_vaddr;
        if (p.p_vaddr + p.p_memsz > *last)
            *last = p.p_vaddr + p.p_memsz;
    }
}

uint64_t code_hash(Elf *elf, uint64_t start, uint64_t end)
{
    GElf_Ehdr header;
    GElf_Phdr p;
    Elf_Data *data;
    uint64_t first, last;

    if (!elf || end <= start || !gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64 ||
        !elf_file_code_segment(elf, start, &p) || end - p.p_vaddr > p.p_filesz)
        return 0;
    /* The whole segment: libelf searches all chunks that were ever taken, one after the other. */
    data = elf_getdata_rawchunk(elf, (int64_t)p.p_offset, p.p_filesz, ELF_T_BYTE);
    if (!data || !data->d_buf || data->d_size < end - p.p_vaddr)
        return 0;
    find_image(elf, &header, &first, &last);
    return code_hash_of((unsigned char *)data->d_buf + (start - p.p_vaddr), end - start, first,
                        last);
}
