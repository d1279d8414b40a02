/*
 * cp_argument.h - arguments of functions: what --count-arg counts, by context.
 *
 * An argument is the number in its register where the function is called. A call is counted here
 * whenever it is counted in its context, so that the two sums are equal.
 */
#ifndef CP_ARGUMENT_H
#define CP_ARGUMENT_H

#include "cp_context.h"

typedef struct {
    const HChar *pattern;
    UInt number;      /* of the argument, from 1 */
    Bool is_log2;     /* counted by powers of two: a class is its least value */
    UInt n_functions; /* that match, of those that ran */
} ArgumentOption;

/* Remembers a --count-arg=FUNCTION=N[:log2]. NULL, or what is wrong with it. */
const HChar *cp_argument_option(const HChar *text);

/* The options that are for the function, a bit each. Call it once for each function, at its first
 * execution. */
UInt cp_argument_options_of(Addr start);

/* Counts a call that has just led to the node, for its function's options. */
void cp_argument_count(ThreadId tid, const Node *node);

/* The function, which has options, returns. If it chooses one, that gets its options. */
void cp_argument_chosen(ThreadId tid, const Function *function);

UInt cp_argument_option_count(void);
const ArgumentOption *cp_argument_option_at(UInt i);

/* Writes the records of all that was counted. */
void cp_argument_write(void);

/* Sets all counts to zero. */
void cp_argument_reset(void);

#endif
