/*
 * line_reader.h - a thread that finds the lines of many addresses of one object, while its caller
 * finds their functions.
 *
 * libdw is for one thread at a time, so the reader opens the file for itself. Functions need the
 * files of their unit, and libdw reads all lines with these: so the caller takes the tables of
 * files from the reader.
 */
#ifndef SYMBOLS_LINE_READER_H
#define SYMBOLS_LINE_READER_H

#include "cprof_internal.h"
#include "symbols/dwarf.h"
#include "symbols/elf_file.h"

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

#endif
