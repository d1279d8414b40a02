/*
 * namer.h - the names of one object's addresses, from its ELF file.
 *
 * Life cycle: namer_open, any number of questions, namer_close. One is open at a time, so that a
 * profile of many libraries does not need them all at once.
 */
#ifndef MODEL_NAMER_H
#define MODEL_NAMER_H

#include "builder.h"
#include "cprof.h"
#include "model/binary.h"
#include "model/debug.h"
#include "model/intervals.h"
#include "model/resolve.h"
#include "model/symbols.h"

#include <stdbool.h>

/* Where an instruction belongs: the function that it is compiled into, and a line in a file that
 * need not be the function's own. Indices of the builder. */
struct place {
    uint32_t function;
    uint32_t file; /* CPROF_NONE: not known */
    uint32_t line;
};

struct namer {
    struct builder *builder;
    const char *path;
    uint32_t object; /* index in the builder */
    bool open;       /* what follows is valid */
    struct binary binary;
    struct symbols symbols;
    struct debug debug;
    struct intervals unwind;
    uint32_t *functions; /* per symbol: its function, CPROF_NONE before it was needed */
    uint32_t *unnamed;   /* likewise per unwind entry */
    uint32_t unknown;    /* likewise the function "???" */
    bool has_places;     /* some address was asked for */
    bool has_lines;      /* one of them has a line */
};

/* Where the object's file is gone or is not what ran, all its addresses are in "???". */
void namer_open(struct namer *n, struct builder *b, const struct cprof_object *object);
/* The function that has `address`. */
uint32_t namer_function(struct namer *n, uint64_t address);
/* The same, CPROF_NONE where it has no name and no known beginning. */
uint32_t namer_find_function(struct namer *n, uint64_t address);
/* The same as the first with the line. */
void namer_place(struct namer *n, uint64_t address, struct place *place);
/* The line only; false with CPROF_NONE and 0 where it is not known. */
bool namer_line(struct namer *n, uint64_t address, uint32_t *file, uint32_t *line);
/* Whether calls only pass through the code at `address`: stubs of the linkage table, and what the
 * dynamic linker runs at the first use of one. */
bool namer_is_stub(const struct namer *n, uint64_t address);
/* Says what names of the object were to be had. */
enum name_quality namer_close(struct namer *n);

#endif
