/*
 * cp_section.h - sections: parts of the run that the program has named.
 *
 * A section is entered and left, once or many times, by each thread for itself. An entry is one
 * stay in it. While it is open, its instructions add up; where its thread waits, and where a future
 * is not polled, it pauses. Entries of one section may lie within each other.
 *
 * With contexts, open entries are frames of the shadow stacks (cp_stack.c). Without, there are no
 * stacks, and each thread has a list of its open entries here.
 */
#ifndef CP_SECTION_H
#define CP_SECTION_H

#include "cp_context.h"
#include "cp_tool.h"

/*--- Values ---*/

/*
 * How often each value was met, of many values: least, middle and greatest of them
 * follow from that.
 *
 * SPREAD_VALUES different values are kept exactly. Where there are more, all are rounded down to
 * their first bits, by less than one in 256; the least and the greatest stay exact.
 */

typedef struct {
    ULong value, count; /* count 0: free */
} SpreadValue;

typedef struct {
    SpreadValue *values; /* a hash table, of `room` */
    UInt n, room;
    Bool rounded;
    ULong least, greatest;
} Spread;

/* The values by size, `n` of them, in a new array (VG_(free) it). */
SpreadValue *cp_spread_sorted(const Spread *s);

/*--- Sections ---*/

typedef struct {
    UInt id;
    HChar *name;
    Function *function; /* its activity has the costs */
    ULong began, ended; /* entries */
    ULong lost;         /* entries whose stack frame, or thread, ended before they did */
    ULong stray;        /* ends without an entry that is open in the thread */
    ULong foreign;      /* of these, those while one was open in another thread */
    ULong crossed;      /* entries that ended while a later one was open in their thread */
    UInt n_open;        /* entries now, paused ones too */
    Spread spread;      /* instructions of each entry that ended */
} Section;

typedef struct {
    Section *section; /* NULL: not in use */
    ULong ir, mark;   /* instructions so far; the total when it opened last */
    Bool is_open;     /* counts now */
    Bool is_paused;   /* is on no stack; the program has its number */
    UInt next;        /* the next unused one; 0: none */
    UInt depth;       /* without contexts: of the call that it belongs to (cp_leap.h) */
    UWord sp;         /* the stack pointer in that call; matters at depth 0 */
} SectionEntry;

/* The section of this name; made if it is new. NULL: the name is none, or the program has too many.
 */
Section *cp_section_get(const HChar *name, SizeT length);

/* A new entry. It is not open. */
SectionEntry *cp_section_enter(Section *section);

/* The entry ended, or was left without an end. It is not open, and is gone afterwards. */
void cp_section_end(SectionEntry *entry);
void cp_section_lose(SectionEntry *entry);

/* The number of a paused entry, for the program, and the entry that has it; NULL: no paused entry
 * of this section. */
UInt cp_section_number(const SectionEntry *entry);
SectionEntry *cp_section_paused(const Section *section, UWord number);

/* An end for which the thread has no open entry. */
void cp_section_stray(Section *section);

/* Begins, or ends, a time in which the entry counts. */
static inline void cp_section_open(SectionEntry *e)
{
    cp_activity_open(&e->section->function->activity);
    e->mark = cp_totals[CP_COLUMN_IR];
    e->is_open = True;
}

static inline void cp_section_close(SectionEntry *e)
{
    cp_activity_close(&e->section->function->activity);
    if (cp_collecting)
        e->ir += cp_totals[CP_COLUMN_IR] - e->mark;
    e->is_open = False;
}

/* All sections, in the order in which they were first met. */
UInt cp_section_count(void);
const Section *cp_section_at(UInt index);

/* Forgets what was counted. No entry is open. Those that go on are entries of what follows, too. */
void cp_section_reset(void);

/*--- Without contexts ---*/

/* The entries of one thread that have begun and not ended. */
void cp_section_push(ThreadId tid, SectionEntry *entry);
/* Takes the newest entry of the section off the list; NULL: there is none. `crossed`: a newer one
 * of another section is there. */
SectionEntry *cp_section_pull(ThreadId tid, const Section *section, Bool *crossed);
/* How many entries the running thread is in. Generated code reads it. */
extern UWord cp_section_inside;
Bool cp_section_is_in(ThreadId tid);
/* Entries of calls from depth `from` on belong to the one at `depth` now. */
void cp_section_carry(ThreadId tid, UInt from, UInt depth, UWord sp);
/* The thread has left calls otherwise than by returning; `depth` are left. Their entries are
 * lost. */
void cp_section_left(ThreadId tid, UInt depth, UWord sp);
/* Adds n to the inclusive counts of the event of all sections that the thread is in. */
void cp_section_count_event(ThreadId tid, UInt event, ULong n);
/* Thread `tid` runs from here on. */
void cp_section_switch(ThreadId tid);
/* Thread `tid` has ended. */
void cp_section_forget(ThreadId tid);
/* Closes, or opens, all of the running thread. */
void cp_section_settle(void);
void cp_section_resume(void);

#endif
