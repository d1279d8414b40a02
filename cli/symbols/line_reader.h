/*
 * line_reader.h - the lines of many addresses of one object, found in a thread while its caller
 * finds out other things about them.
 *
 * libdw is for one thread at a time, so the reader has the file open for itself. Functions need the
 * files of their unit, and libdw reads all lines with them: so the caller's `debug` is given the
 * reader's tables of files.
 */
#ifndef SYMBOLS_LINE_READER_H
#define SYMBOLS_LINE_READER_H

#include "symbols/elf_file.h"
#include "symbols/dwarf.h"
#include "cprof_internal.h"

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
/* That of address `i`, as debug_line() has it; then `to` has the files of its unit. Each is asked
 * for once, in their order. */
const struct line *line_reader_next(struct line_reader *reader, size_t i);
/* What it has read, when the last one was asked for; for the caller's thread. */
struct debug_info *line_reader_debug(struct line_reader *reader);
/* NULL: none. */
void line_reader_free(struct line_reader *reader);

#endif
