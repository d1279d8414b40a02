/*
 * code_places.h - from offsets in ELF files to addresses of their symbol tables, and to where the
 * functions there begin.
 *
 * Files stay open until code_places_free(): a program has some dozens.
 */
#ifndef SYMBOLS_CODE_PLACES_H
#define SYMBOLS_CODE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_place {
    const char *build_id; /* lower-case hex; NULL: none. Valid until code_places_free() */
    uint64_t address;
    uint64_t function; /* 0: not known */
};

struct code_places;

struct code_places *code_places_new(void);
/* Says of which build the file at `path` has to be, before it is looked for. */
void code_places_expect(struct code_places *places, const char *path, const char *build_id);
/* The first file that is there, but of another build than it had to be, and how many such files
 * were looked for; NULL: none. */
const char *code_places_rebuilt(const struct code_places *places, size_t *n);
/* The offset in a file of code at `relative` to where the file begins in memory; UINT64_MAX: there
 * is none. */
uint64_t code_places_offset(struct code_places *places, const char *path, uint64_t relative);
/* Finds what is at `offset` of the file at `path`, or (`is_caller`) at the call before it. False
 * where there is no such file or no code there. */
bool code_places_find(struct code_places *places, const char *path, uint64_t offset, bool is_caller,
                      struct code_place *place);
/* Tells if nothing calls that code: the file's entry point is in its function, or its unwind table
 * says so, as of the function that a thread begins with. */
bool code_places_begin(struct code_places *places, const char *path, uint64_t offset,
                       bool is_caller);
void code_places_free(struct code_places *places);

#endif
