/*
 * type_rows.h - a type of data as it lies in memory: fields and the padding between them, with the
 * misses of each, whatever data of the type it is in, and in which order fewer lines would be
 * fetched.
 */
#ifndef TABLE_TYPE_ROWS_H
#define TABLE_TYPE_ROWS_H

#include "cprof.h"
#include "table/callers.h"

#include <stdbool.h>
#include <stddef.h>

/*--- Fields ---*/

/*
 * The fields of a type of data: its members without members, by their paths ("pos.x"),
 * in the order in which they lie in memory. Members that share bytes are one field: those of a
 * union, of an enum's variants, and bit fields.
 */

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

/* The fields of all types, an array of n_types; fields_free_all() frees it, or NULL. */
struct fields *fields_load_all(const struct cprof_profile *profile);
void fields_free_all(struct fields *all, const struct cprof_profile *profile);

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

/*--- Rows ---*/

/* A field, padding, or several fields that one access reaches: these follow the first of them. */
struct type_row {
    char *name;         /* NULL: padding */
    const char *type;   /* of a field; NULL: not known */
    size_t first, last; /* fields; FIELD_NONE: padding */
    uint64_t offset, size;
    /* Executed reads and writes of the instructions that missed here, and in nothing else. */
    int64_t reads, writes;
    int64_t misses[CPROF_DATA_EVENTS];
};

/* Fields that a function reads together, as far as misses tell. */
struct type_advice {
    uint32_t function; /* CPROF_NONE: there is none that another order would serve */
    double now, then;  /* lines that they take of one element, on average over where it can begin;
                          the same with these fields together */
    uint64_t size;     /* of the type then; it does not grow */
};

struct type_rows {
    const struct cprof_profile *profile;
    uint32_t type;
    struct fields fields;
    int64_t misses[CPROF_DATA_EVENTS];  /* of all data of the type */
    int64_t nowhere[CPROF_DATA_EVENTS]; /* of these, those at no field that is known */
    size_t n;
    struct type_row *rows; /* by offset */
    bool *hot;             /* of each field: the advice is about it */
    struct type_advice advice;
};

/* Loads the rows of a type of the callers' profile; its size is known. */
void type_rows_load(struct type_rows *rows, uint32_t type, const struct callers *callers);
void type_rows_free(struct type_rows *rows);

/*
 * The types of the profile that `name` means, as indices, for the caller to free: those called so,
 * with or without the path before it and type arguments behind it; "struct node" is node. Most
 * misses of D1 first; of types of one name, that alone. *n is 0 where there is none. NULL means all
 * that have members.
 */
uint32_t *type_rows_find(const struct cprof_profile *profile, const char *name, size_t *n);

/* The members in an order that has those together that the advice is about, for the caller to free.
 */
char *type_rows_order(const struct type_rows *rows);

#endif
