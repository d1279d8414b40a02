/*
 * fields.h - the fields of a type of data: its members without members, by their paths ("pos.x"),
 * in the order in which they lie in memory. Members that share bytes are one field: those of a
 * union, of an enum's variants, and bit fields.
 */
#ifndef TABLE_FIELDS_H
#define TABLE_FIELDS_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

struct field {
    char *name;    /* "pos.x"; "left|right" where they share bytes */
    char *type;    /* of the first; NULL: not known */
    uint32_t root; /* the member of the type itself that it is in, or the first: index in members */
    uint64_t offset, size;
};

struct fields {
    uint64_t size; /* of the type; 0: not known */
    size_t n;
    struct field *items;
};

/* No index of a field: padding, or not known. */
#define FIELD_NONE SIZE_MAX

/* Loads the fields of a type of the profile. fields_free() frees them. */
void fields_load(struct fields *fields, const struct cprof_profile *profile, uint32_t type);
void fields_free(struct fields *fields);
/* The fields of all types, an array of n_types; fields_free_all() frees it, or NULL. */
struct fields *fields_load_all(const struct cprof_profile *profile);
void fields_free_all(struct fields *all, const struct cprof_profile *profile);
/* The field that the byte at `offset` of the type is in. */
size_t fields_find(const struct fields *fields, uint64_t offset);

/*
 * The field at which the accesses of a touch begin, and in `*last`, unless that is NULL, the one
 * that the greatest of them ends in. FIELD_NONE: the type is not known, or distances between its
 * offsets are no multiples of the size of it.
 */
size_t fields_of_touch(const struct fields *fields, const struct cprof_profile *profile,
                       const struct cprof_touch *touch, size_t *last);
/* "pos.x"; "pos.x..pos.z" of several fields, up to the last one, or "pos" where these are all of
 * it. The caller frees it. */
char *fields_name(const struct fields *fields, size_t first, size_t last);

/* True for a type with members that the program has laid out itself: nobody orders those of the
 * standard library anew. */
bool fields_are_own(const struct cprof_profile *profile, uint32_t type);

/* The name of a type as people write it: without the paths of types, and default allocators. The
 * caller frees it. */
char *fields_type_name(const char *name);

#endif
