/*
 * cp_section.c - data structure #1: a pool of sections, and a hash table of them by name. #2: a
 * pool of entries; those that have ended are used again. #3: without contexts, a list of open
 * entries for each thread.
 */
#include "cp_section.h"

#include "cp_event.h"
#include "cp_hash.h"
#include "pub_tool_threadstate.h"

enum { SPREAD_VALUES = 16384, SPREAD_BITS = 9 };

/*--- Values ---*/

static ULong rounded(ULong value)
{
    UInt bits = 0;

    while (value >> bits >= 1u << SPREAD_BITS)
        bits++;
    return value >> bits << bits;
}

static SpreadValue *place_of(const Spread *s, ULong value)
{
    UInt i = cp_hash(value, 0, 0) & (s->room - 1);

    while (s->values[i].count && s->values[i].value != value)
        i = (i + 1) & (s->room - 1);
    return &s->values[i];
}

static void put(Spread *s, ULong value, ULong count)
{
    SpreadValue *v = place_of(s, value);

    s->n += !v->count;
    v->value = value;
    v->count += count;
}

/* Moves all values, rounded if the spread is, into a new table. */
static void move(Spread *s, UInt room)
{
    SpreadValue *old = s->values;
    UInt n = s->room;

    s->values = VG_(calloc)("cp.spread.1", room, sizeof *s->values);
    s->room = room;
    s->n = 0;
    for (UInt i = 0; i < n; i++)
        if (old[i].count)
            put(s, s->rounded ? rounded(old[i].value) : old[i].value, old[i].count);
    VG_(free)(old);
}

static void cp_spread_add(Spread *s, ULong value)
{
    if (!s->n || value < s->least)
        s->least = value;
    if (!s->n || value > s->greatest)
        s->greatest = value;
    if (2 * s->n >= s->room)
        move(s, s->room ? 2 * s->room : 16);
    put(s, s->rounded ? rounded(value) : value, 1);
    if (s->n > SPREAD_VALUES && !s->rounded) {
        s->rounded = True;
        move(s, s->room);
    }
}

/* Forgets all values. */
static void cp_spread_reset(Spread *s)
{
    VG_(free)(s->values);
    *s = (Spread){.n = 0};
}

static Int by_value(const void *a, const void *b)
{
    ULong x = ((const SpreadValue *)a)->value, y = ((const SpreadValue *)b)->value;

    return x < y ? -1 : x > y;
}

SpreadValue *cp_spread_sorted(const Spread *s)
{
    SpreadValue *sorted = VG_(malloc)("cp.spread.2", ((SizeT)s->n + 1) * sizeof *sorted);
    UInt n = 0;

    for (UInt i = 0; i < s->room; i++)
        if (s->values[i].count)
            sorted[n++] = s->values[i];
    VG_(ssort)(sorted, n, sizeof *sorted, by_value);
    return sorted;
}

/*--- Sections ---*/

/* More names than a program writes down. One that makes names up does not fill the profile. */
enum { MAX_SECTIONS = 10000, MAX_NAME = 255 };

static Pool sections = {.size = sizeof(Section), .tag = "cp.section.1"};
static Pool entries = {.size = sizeof(SectionEntry), .tag = "cp.section.2"};
static HashTable table;
static UInt unused; /* the first unused entry; 0: none */

static UInt hash_section(const void *element)
{
    UInt hash = 5381;

    for (const HChar *c = ((const Section *)element)->name; *c; c++)
        hash = hash * 33 + (UChar)*c;
    return cp_hash(hash, 0, 0);
}

static Bool same_section(const void *a, const void *b)
{
    return VG_(strcmp)(((const Section *)a)->name, ((const Section *)b)->name) == 0;
}

/* True if a name may have these bytes: it is a text of one line. */
static Bool is_name(const HChar *name, SizeT length)
{
    if (!length || length > MAX_NAME)
        return False;
    for (SizeT i = 0; i < length; i++)
        if ((UChar)name[i] < ' ' || name[i] == 0x7f)
            return False;
    return True;
}

Section *cp_section_get(const HChar *name, SizeT length)
{
    HChar copy[MAX_NAME + 1];
    const Section key = {.name = copy};
    void **place;
    Section *s;

    if (!is_name(name, length))
        return NULL;
    VG_(memcpy)(copy, name, length);
    copy[length] = 0;
    /* The place of a name that is not kept must not be counted, so look before it is full. */
    if (sections.n >= MAX_SECTIONS) {
        for (UInt i = 0; i < sections.n; i++)
            if (same_section(cp_pool_at(&sections, i), &key))
                return cp_pool_at(&sections, i);
        return NULL;
    }
    place = cp_hash_find(&table, &key, hash_section, same_section);
    if (*place)
        return *place;
    *place = s = cp_pool_add(&sections);
    s->id = sections.n - 1;
    s->name = VG_(strdup)("cp.section.3", copy);
    s->function = cp_function_section(s->id);
    return s;
}

UInt cp_section_count(void)
{
    return sections.n;
}

const Section *cp_section_at(UInt index)
{
    return cp_pool_at(&sections, index);
}

void cp_section_stray(Section *section)
{
    section->stray++;
    section->foreign += section->n_open > 0;
}

/*--- Entries ---*/

SectionEntry *cp_section_enter(Section *section)
{
    SectionEntry *e;

    if (unused) {
        e = cp_pool_at(&entries, unused - 1);
        unused = e->next;
        *e = (SectionEntry){.section = section};
    } else {
        e = cp_pool_add(&entries);
        e->section = section;
    }
    section->began += cp_collecting;
    section->n_open++;
    return e;
}

UInt cp_section_number(const SectionEntry *entry)
{
    UInt chunk = 0;

    while ((const UChar *)entry < entries.chunks[chunk] ||
           (const UChar *)entry >= entries.chunks[chunk] + POOL_CHUNK * sizeof(SectionEntry))
        chunk++;
    return chunk * POOL_CHUNK + (UInt)(entry - (const SectionEntry *)entries.chunks[chunk]) + 1;
}

SectionEntry *cp_section_paused(const Section *section, UWord number)
{
    SectionEntry *e = number && number <= entries.n ? cp_pool_at(&entries, (UInt)number - 1) : NULL;

    return e && e->section == section && e->is_paused ? e : NULL;
}

static void release(SectionEntry *e)
{
    e->section->n_open--;
    e->section = NULL;
    e->is_paused = False;
    e->next = unused;
    unused = cp_section_number(e);
}

void cp_section_end(SectionEntry *e)
{
    if (cp_collecting) {
        e->section->ended++;
        cp_spread_add(&e->section->spread, e->ir);
    }
    release(e);
}

void cp_section_lose(SectionEntry *e)
{
    e->section->lost++;
    release(e);
}

void cp_section_reset(void)
{
    for (UInt i = 0; i < sections.n; i++) {
        Section *s = cp_pool_at(&sections, i);
        s->began = s->ended = s->lost = s->stray = s->foreign = s->crossed = 0;
        cp_spread_reset(&s->spread);
    }
    for (UInt i = 0; i < entries.n; i++)
        ((SectionEntry *)cp_pool_at(&entries, i))->ir = 0;
}

/*--- Without contexts ---*/

typedef struct {
    SectionEntry **entries;
    UInt n, max;
} List;

static List *lists; /* by thread; NULL: no section was ever entered */
static ThreadId running;
UWord cp_section_inside;

static List *list_of(ThreadId tid)
{
    if (!lists)
        lists = VG_(calloc)("cp.section.4", VG_N_THREADS, sizeof *lists);
    return &lists[tid];
}

void cp_section_push(ThreadId tid, SectionEntry *entry)
{
    List *l = list_of(tid);

    running = tid;
    if (l->n == l->max) {
        l->max = l->max ? 2 * l->max : 16;
        l->entries = VG_(realloc)("cp.section.5", l->entries, l->max * sizeof *l->entries);
    }
    l->entries[l->n++] = entry;
    cp_section_inside = l->n;
    cp_section_open(entry);
}

SectionEntry *cp_section_pull(ThreadId tid, const Section *section, Bool *crossed)
{
    List *l = list_of(tid);
    UInt i = l->n;
    SectionEntry *e;

    while (i && l->entries[i - 1]->section != section)
        i--;
    *crossed = i && i < l->n;
    if (!i)
        return NULL;
    e = l->entries[i - 1];
    VG_(memmove)(l->entries + i - 1, l->entries + i, (l->n - i) * sizeof *l->entries);
    cp_section_inside = --l->n;
    cp_section_close(e);
    return e;
}

Bool cp_section_is_in(ThreadId tid)
{
    return lists && lists[tid].n;
}

void cp_section_carry(ThreadId tid, UInt from, UInt depth, UWord sp)
{
    const List *l = list_of(tid);

    for (UInt i = l->n; i && l->entries[i - 1]->depth >= from; i--) {
        l->entries[i - 1]->depth = depth;
        l->entries[i - 1]->sp = sp;
    }
}

void cp_section_left(ThreadId tid, UInt depth, UWord sp)
{
    List *l = list_of(tid);

    while (l->n) {
        SectionEntry *e = l->entries[l->n - 1];
        if (e->depth <= depth && (depth || sp <= e->sp))
            break;
        cp_section_inside = --l->n;
        cp_section_close(e);
        cp_section_lose(e);
    }
}

void cp_section_count_event(ThreadId tid, UInt event, ULong n)
{
    for (UInt i = 0; lists && i < lists[tid].n; i++)
        cp_event_add_inclusive(lists[tid].entries[i]->section->function, event, n);
}

void cp_section_settle(void)
{
    for (UInt i = lists ? lists[running].n : 0; i-- > 0;)
        cp_section_close(lists[running].entries[i]);
}

void cp_section_resume(void)
{
    for (UInt i = 0; lists && i < lists[running].n; i++)
        cp_section_open(lists[running].entries[i]);
}

void cp_section_switch(ThreadId tid)
{
    if (!lists || tid == running)
        return;
    cp_section_settle();
    running = tid;
    cp_section_inside = lists[tid].n;
    cp_section_resume();
}

void cp_section_forget(ThreadId tid)
{
    if (!lists)
        return;
    cp_section_switch(tid);
    cp_section_settle();
    while (lists[tid].n)
        cp_section_lose(lists[tid].entries[--lists[tid].n]);
    cp_section_inside = 0;
}
