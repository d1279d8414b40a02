/*
 * cp_event.h - events of the program's own: numbers that it adds up by requests.
 *
 * Events are counted where the request is made, by context and instruction, like misses. Inclusive
 * counts are kept for whatever is on the stack at that moment.
 */
#ifndef CP_EVENT_H
#define CP_EVENT_H

#include "cp_context.h"

enum { CP_EVENTS = 32 }; /* that a program may have */

typedef struct {
    UInt node, event; /* indices */
    UInt range;
    Addr address; /* of the request, in memory */
    ULong sum;
} EventCount;

/* The index of the event of this name; made if it is new. False: the name is none, or is that of an
 * event of the tool's, or the program has too many. */
Bool cp_event_get(const HChar *name, SizeT length, UInt *event);

/* Adds n to the event's count in the current context, and begins a walk through what is on the
 * stack. False: the sum would exceed 2^63-1, and nothing is counted. */
Bool cp_event_add(UInt event, Addr address, ULong n);

/* Adds n to the inclusive count of a function or an edge; once only in each walk. */
void cp_event_add_inclusive(const void *owner, UInt event, ULong n);

/* The inclusive count of a function or an edge. */
ULong cp_event_inclusive(const void *owner, UInt event);

/* The events by index. */
UInt cp_event_count(void);
const HChar *cp_event_name(UInt event);

/* All counts, by node, address and event, in a new array (VG_(free) it). */
const EventCount **cp_event_sorted(UInt *n);

/* Sets all counts to zero. */
void cp_event_reset(void);

#endif
