/*
 * cp_nest.h - the entries of sections on shadow stacks.
 *
 * An open entry is a frame of its own, on top of that of the call in which it began, with the sp
 * and the return address of that call. In the tree, the section is a child of the function that
 * entered it, and what the function runs from then on has a context below the section.
 *
 * An entry belongs to its thread, not to its call: where the call returns, the entry goes on in the
 * caller, and it may end in a function that is called from where it began. The contexts of all
 * frames on top change then. Frames that the program leaves otherwise take their entries with them,
 * and are given up with them.
 */
#ifndef CP_NEST_H
#define CP_NEST_H

#include "cp_frame.h"

/* Puts an entry on top of the stack. `counts`: it begins; else it goes on. */
void cp_nest_push(Stack *s, SectionEntry *entry, Bool counts);

/* Takes the newest entry of the section out of the stack, and closes it; NULL: there is none.
 * `crossed`: a newer one of another section is there. */
SectionEntry *cp_nest_pull(Stack *s, const Section *section, Bool *crossed);

/* Follows a return from the topmost call if there are entries in it, which go on in its caller.
 * False: it is none. */
Bool cp_nest_return(Stack *s, UWord sp, UWord target);

#endif
