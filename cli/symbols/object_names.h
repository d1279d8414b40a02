/*
 * object_names.h - the names of one object's addresses, from its ELF file.
 *
 * Life cycle: object_names_open, any number of questions, object_names_close. One is open at a
 * time, so that a profile of many libraries does not need them all at once.
 */
#ifndef SYMBOLS_OBJECT_NAMES_H
#define SYMBOLS_OBJECT_NAMES_H

#include "cprof_internal.h"
#include "names/name_forms.h"
#include "symbols/dwarf.h"
#include "symbols/elf_file.h"
#include "symbols/intervals.h"
#include "symbols/symbol_table.h"

#include <stdbool.h>
#include <stdint.h>

/*--- Chains of inlined functions ---*/

/*
 * Chains of functions that were inlined one into the other, as a tree that all
 * addresses of a profile share: a chain is its innermost link. Equal chains are one.
 */

#define CHAIN_NONE UINT32_MAX

struct inline_chain {
    uint32_t parent; /* the link it was inlined into; CHAIN_NONE: the function that has the code */
    uint32_t function; /* index in the builder */
    uint32_t file;     /* of the place in the parent that calls it; CPROF_NONE: not known */
    uint32_t line;
};

/* Zero-initialised is empty. Parents stand before their children. */
struct inline_chains {
    uint32_t n, room;
    struct inline_chain *items;
    struct map map;
};

void inline_chains_free(struct inline_chains *chains);

/*--- Lines ---*/

/*
 * A thread that finds the lines of many addresses of one object, while its caller
 * finds their functions.
 *
 * libdw is for one thread at a time, so the reader opens the file for itself. Functions need the
 * files of their unit, and libdw reads all lines with these: so the caller takes the tables of
 * files from the reader.
 */

enum {
    LINE_BATCH = 8192,             /* addresses that are one job */
    LINE_BATCHES = WORKER_JOBS + 1 /* those that are not done, and the one being looked at */
};

struct line {
    const char *file; /* the reader's */
    uint32_t number;
    bool known; /* else the others mean nothing */
};

struct line_reader;

struct line_batch {
    struct line_reader *reader;
    size_t first, n; /* of the addresses */
    struct line lines[LINE_BATCH];
    size_t n_units;
    uint32_t units[LINE_BATCH]; /* whose files were read for them */
};

struct line_reader {
    const char *path, *build_id;
    struct debug_info *to;     /* gets the files */
    const uint64_t *addresses; /* the caller's, as all of these */
    size_t n;
    size_t n_begun; /* batches that the worker was given */
    struct worker worker;
    struct elf_file elf; /* of the worker until it has ended, as what follows */
    bool is_open;
    struct debug_info debug;
    struct line_batch batches[LINE_BATCHES]; /* a ring */
};

/* Begins with the lines of `n` addresses in the object at `path`, of which `to` is. NULL: there is
 * no second thread, or not enough to do for one. */
struct line_reader *line_reader_begin(const char *path, const char *build_id, struct debug_info *to,
                                      const uint64_t *addresses, size_t n);
/* The line of address `i`, as debug_line() has it; then `to` has the files of its unit. Each is
 * asked for once, in their order. */
const struct line *line_reader_next(struct line_reader *reader, size_t i);
/* Ends the thread, and gives the caller all that it has read. Only after the last address. */
struct debug_info *line_reader_debug(struct line_reader *reader);
/* NULL: none. */
void line_reader_free(struct line_reader *reader);

/*--- Names ---*/

/* The place of an instruction: the function that it is compiled into, the chain that was inlined
 * there, and a line in a file that need not be the function's own. Indices of the builder. */
struct compiled_place {
    uint32_t function;
    uint32_t chain; /* index in `chains`; CHAIN_NONE: nothing was inlined, or not known */
    uint32_t file;  /* CPROF_NONE: not known */
    uint32_t line;
};

/* The function that the builder has for a symbol. */
struct named_symbol {
    uint32_t function; /* CPROF_NONE before it was needed */
    uint32_t file;     /* where it is declared */
    uint32_t line;
    uint32_t next; /* another one of the same name; CPROF_NONE: no more */
};

/* A path of `debug` in the builder. */
struct known_file {
    const char *path;
    uint32_t file;
};

struct object_names {
    struct builder *builder;
    const char *path, *build_id;          /* the object's; NULL: not known */
    uint32_t object;                      /* index in the builder */
    const struct function_starts *starts; /* the caller's */
    bool open;                            /* what follows is valid */
    struct elf_file elf;
    struct symbol_table symbols;
    struct debug_info debug;
    struct line_reader *lines; /* of places that are expected; NULL: `debug` has lines, too */
    size_t n_expected, n_placed;
    struct intervals unwind;
    struct named_symbol *named; /* per symbol */
    uint32_t *unnamed;        /* per unwind entry: its function, CPROF_NONE before it was needed */
    struct known_file *files; /* a cache, by the path: most are asked for again and again */
    size_t symbol_hint;       /* where the last address was */
    uint32_t unknown;         /* the function "???"; CPROF_NONE before it was needed */
    struct inline_chains *chains; /* the caller's */
    struct map symbol_map;        /* symbols that were needed, by their names */
    bool has_symbol_map;
    uint32_t n_inlined, n_frames; /* how many of the following there are */
    uint32_t *inlined;            /* per function of `debug`, the same when it is inlined */
    struct map linkage_map;       /* those of it that were needed, by their linkage names */
    uint32_t *frames;             /* per frame of `debug`: its chain, CHAIN_NONE before */
    bool has_places;              /* some address was asked for */
    bool has_lines;               /* one of them has a line */
};

/*
 * Where the object's file is gone or is not what ran, its addresses have the names that the run has
 * kept, or are in "???". Chains of
 * inlined functions are added to `chains`; NULL: they are not asked for.
 *
 * The first `n_expected` addresses that object_names_place() is asked for are `expected`, in this
 * order: their lines are read in a thread where that pays. They are the caller's until then. There
 * may be none. `starts` are those of the object's functions that ran, the caller's until the end.
 */
void object_names_open(struct object_names *n, struct builder *b, const struct cprof_object *object,
                       struct inline_chains *chains, const struct function_starts *starts,
                       const uint64_t *expected, size_t n_expected);
/* The function that has `address`. */
uint32_t object_names_function(struct object_names *n, uint64_t address);
/* The function that has `address`; CPROF_NONE where it has no name and no known beginning. */
uint32_t object_names_find_function(struct object_names *n, uint64_t address);
/* object_names_function() with the line; the chain is none yet. */
void object_names_place(struct object_names *n, uint64_t address, struct compiled_place *place);
/*
 * The functions that were inlined at `address`. A function that was inlined somewhere and called
 * elsewhere is one if the latter was asked for before: by the functions above, so ask them for all
 * addresses first.
 */
uint32_t object_names_chain(struct object_names *n, uint64_t address);
/* Tells whether there are any lines and inlined functions in the object. */
bool object_names_is_described(const struct object_names *n);
/* The line only; false with CPROF_NONE and 0 where it is not known. */
bool object_names_line(struct object_names *n, uint64_t address, uint32_t *file, uint32_t *line);
/* The symbol at `address`, as the file has it, or NULL. */
const char *object_names_symbol(const struct object_names *n, uint64_t address);
/* Tells whether calls only pass through the code at `address`: stubs of the linkage table, and what
 * the dynamic linker runs at the first use of one. */
bool object_names_is_stub(const struct object_names *n, uint64_t address);
/* Tells whether a stub that the file has a symbol or a place for begins at `address`. */
bool object_names_begins_stub(const struct object_names *n, uint64_t address);
/* Tells whether the code at `address` was split off the function that it has the name of. */
bool object_names_is_part(struct object_names *n, uint64_t address);
/* Says what names of the object were to be had. */
enum name_quality object_names_close(struct object_names *n);

#endif
