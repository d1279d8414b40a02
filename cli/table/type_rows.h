/*
 * type_rows.h - a type of data as it lies in memory: fields and the padding between them, with the
 * misses of each, whatever data of the type it is in, and in which order fewer lines would be
 * fetched.
 */
#ifndef TABLE_TYPE_ROWS_H
#define TABLE_TYPE_ROWS_H

#include "table/callers.h"
#include "table/fields.h"

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
