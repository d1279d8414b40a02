/*
 * symbol_table.h - the functions that an object's symbol table knows, by address.
 *
 * A sized symbol has [value, value + size), the innermost where they nest, and at least what the
 * unwind entry has that begins there. One without a size (assembly) has what lies between it and
 * the next symbol, unwind entry or start of a function that ran, as far as no sized one has it. So
 * has a sized one that ran what lies behind it. A label (local, without type and size) is no
 * function where functions that ran are known, and none began there. One of several names at an
 * address is chosen by rule: sized before unsized, global before weak before local, then the
 * shorter, then the alphabetically first. Stubs of the procedure linkage table are "NAME@plt" by
 * what they jump to.
 */
#ifndef SYMBOLS_SYMBOL_TABLE_H
#define SYMBOLS_SYMBOL_TABLE_H

#include "base/array.h"
#include "base/options.h"
#include "symbols/elf_file.h"
#include "symbols/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*--- Starts of functions ---*/

/*
 * Where functions of an object begin, as a run has found: at the targets of
 * calls, and at symbols whose code ran. Where no table says which function code belongs to, it is
 * that of the last start before.
 */

struct function_start {
    uint64_t address;
    const char *name; /* "???": not known; the run keeps names where the file is gone at its end */
};

/* By rising address. With n 0 nothing is known. */
struct function_starts {
    size_t n;
    struct function_start *items;
};

static inline bool function_starts_is_before(const void *start, const void *address)
{
    return ((const struct function_start *)start)->address < *(const uint64_t *)address;
}

/* The index of the first one at or behind `address`. */
static inline size_t function_starts_from(const struct function_starts *s, uint64_t address)
{
    return lower_bound(s->items, s->n, sizeof *s->items, function_starts_is_before, &address);
}

/* The first one at or behind `address`; UINT64_MAX: none. */
static inline uint64_t function_starts_next(const struct function_starts *s, uint64_t address)
{
    size_t i = function_starts_from(s, address);

    return i < s->n ? s->items[i].address : UINT64_MAX;
}

static inline bool function_starts_have(const struct function_starts *s, uint64_t address)
{
    return function_starts_next(s, address) == address;
}

/* The last one at or before `address`, or NULL. */
static inline const struct function_start *function_starts_find(const struct function_starts *s,
                                                                uint64_t address)
{
    size_t i = function_starts_from(s, address);

    if (i < s->n && s->items[i].address == address)
        return &s->items[i];
    return i ? &s->items[i - 1] : NULL;
}

/*--- The table ---*/

enum symbol_table_kind { SYMBOLS_NONE, SYMBOLS_DYNAMIC, SYMBOLS_FULL };

struct symbol {
    uint64_t start, end; /* end == start: no size known */
    const char *name;    /* as the file has it */
    unsigned char rank;  /* by binding: lower is preferred */
    uint32_t whole;      /* the symbol of the function that it is a part of */
    bool is_stub;        /* of the procedure linkage table */
    bool is_label;       /* of assembly: local, without type and size */
};

struct symbol_table {
    enum symbol_table_kind kind;
    size_t n, room;
    struct symbol *items; /* `ranges` has indices into it */
    struct intervals ranges;
    struct string_list owned; /* names that are not the ELF file's */
};

/* Reads the tables of `f`, which must stay open as long as the names are used; `unwind` are its
 * unwind entries, and `starts` where functions that ran began. */
void symbol_table_load(struct symbol_table *s, const struct elf_file *f,
                       const struct intervals *unwind, const struct function_starts *starts);
/* Adds to the unwind entries functions that began where neither of the two has any code. */
void symbol_table_add_starts(const struct symbol_table *s, const struct elf_file *f,
                             struct intervals *unwind, const struct function_starts *starts);
/* The symbol that has `address`, or NULL; of a part of a function, the function's. */
const struct symbol *symbol_table_find(const struct symbol_table *s, uint64_t address);
/* symbol_table_find() with a hint as intervals_find_near() takes it. */
const struct symbol *symbol_table_find_near(const struct symbol_table *s, uint64_t address,
                                            size_t *hint);
/* The symbol of that name that is nearest to `address`, or NULL. It looks at all of them. */
const struct symbol *symbol_table_find_named(const struct symbol_table *s, const char *name,
                                             uint64_t address);
/* Returns true where the code at `address` is a part that was split off its function. */
bool symbol_table_is_part(const struct symbol_table *s, uint64_t address);
void symbol_table_free(struct symbol_table *s);

/*--- Searching ---*/

/*
 * Is some function in a program? Asked of its symbol table alone, before it runs.
 */

/* The index of the first of `n` texts that is part of a symbol's name in the ELF file at `path`;
 * `n` where none is, or the file cannot be read. */
size_t symbol_search(const char *path, const char *const *texts, size_t n);

#endif
