/*
 * pprof_places.h - the tables of a pprof profile that its samples refer to: strings, functions,
 * mappings and locations, each thing once.
 *
 * Numbers are the format's: strings count from 0, the empty one; all else from 1.
 */
#ifndef EXPORT_PPROF_PLACES_H
#define EXPORT_PPROF_PLACES_H

#include "cprof_internal.h"
#include "render/export/export.h"
#include "render/export/pool.h"
#include "render/export/protobuf.h"
#include "render/text/labels.h"

struct pprof_places {
    const struct cprof_profile *profile;
    struct labels labels;
    struct pool strings, functions, locations;
    struct pprof_function { /* of each function: its number with the last file that it was in */
        uint32_t file;
        uint64_t number; /* 0: none yet */
    } * numbered;
    uint64_t *ends; /* of each object: the highest used address, plus 1; 0: unused */
    struct protobuf scratch, location, line;
};

/* A place in a function, as one of the lines of a location. */
struct pprof_frame {
    uint32_t function;
    uint32_t file, line; /* CPROF_NONE, 0: not known */
};

void pprof_places_load(struct pprof_places *places, const struct rows *rows);
void pprof_places_free(struct pprof_places *places);

uint64_t pprof_places_string(struct pprof_places *places, const char *text);
/* The location of `n` frames, the innermost first: all but the last are inlined. `address` is in
 * the object of the last one's function; 0: not known. */
uint64_t pprof_places_location(struct pprof_places *places, const struct pprof_frame *frames,
                               size_t n, uint64_t address);

/* Adds all tables to the message Profile: the fields mapping, location, function and string_table.
 */
void pprof_places_put(struct pprof_places *places, struct protobuf *profile);

#endif
