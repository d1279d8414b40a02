/*
 * cp_role.h - which functions allocate, by their symbols, and what their arguments mean.
 *
 * A wrapper, such as operator new, hands most calls on to another allocation function. It counts
 * only where nothing within it has counted. Within any other one nothing counts.
 */
#ifndef CP_ROLE_H
#define CP_ROLE_H

#include "cp_tool.h"

/* Numbers of arguments, from 1; 0: it has none such. Without a size it frees. */
typedef struct {
    UChar size;  /* bytes, */
    UChar count; /* times this */
    UChar old;   /* the address of the block that it frees, or puts elsewhere */
    UChar place; /* where it stores the address of the new block, and then it returns 0 */
    Bool is_wrapper;
    Bool is_pool; /* named by the user: its blocks may lie in others */
} Role;

static inline Bool cp_role_frees(const Role *role)
{
    return !role->size;
}

/* The number of the argument that is all there is to malloc, free and others that take the size
 * alone, or the address; 0: there is more to the function. */
static inline UInt cp_role_plain(const Role *role)
{
    Bool is_more = role->is_wrapper || role->is_pool || role->count || role->place;

    return is_more || (role->size && role->old) ? 0 : role->size + role->old;
}

/* The role of a function with this symbol; NULL: it does not allocate. `is_global`: other objects
 * may call it by that name. */
const Role *cp_role_of(const HChar *symbol, Bool is_global);

/* Remembers a --alloc-function=NAME[:size=N][:ptr[=N]][:free[=N]]. NULL, or what is wrong with it.
 */
const HChar *cp_role_option(const HChar *text);

/* The name of an allocation function stands for the one that begins there: it was chosen when the
 * program started (STT_GNU_IFUNC). */
void cp_role_choose(Addr start, const Role *role);

/* The role of the function which begins there, by these two, or NULL. */
const Role *cp_role_named(Addr start);

/* The options, with the number of functions that ran and match. */
UInt cp_role_option_count(void);
const HChar *cp_role_option_at(UInt i, UInt *n_functions);

/*--- Patterns ---*/

/* Patterns that options name functions by. */

/* True if the pattern is for the function that begins at `start`: for its name as people read it,
 * or for its symbol as the linker has it. '*' and '?' stand for any text and any character. */
Bool cp_pattern_matches(const HChar *pattern, Addr start);

#endif
