/*
 * probe_places.h - the places of a function in a program and its libraries, for probes: by any of
 * its names.
 */
#ifndef SYMBOLS_PROBE_PLACES_H
#define SYMBOLS_PROBE_PLACES_H

#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe_place {
    uint64_t offset;   /* in the file */
    char *symbol;      /* readable */
    bool is_chosen;    /* an implementation that is chosen when the program starts (IFUNC) */
    bool is_elsewhere; /* the one that is chosen is not in the file; there is no offset */
};

struct probe_places {
    size_t n, room;
    struct probe_place *items;
    bool left_out; /* there are more than these */
};

/*
 * Finds the functions called `function` in the ELF file at `path`: as its symbols have it,
 * readable, or readable without the parameters of C++; else those of which it is the last part
 * ("train" of "nnet::train"). One of them that stands for an implementation which is chosen at
 * start is followed to what is chosen here. Adds to `places`, and to `names` what it met, in memory
 * of their own.
 */
void probe_places_find(struct probe_places *places, const char *path, const char *function,
                       struct string_list *names);
/* The nearest of the names, or some that have the function's in them: "'a', 'b'". The caller frees
 * it; NULL: none is near. */
char *probe_names_near(const struct string_list *names, const char *function);

void probe_places_free(struct probe_places *places);

#endif
