/*
 * cp_data.c - data structure #1: data, found by what they are. #2: a hash table of touches. #3:
 * misses within calls of allocation functions, which wait for the block.
 */
#include "cp_data.h"

#include "cp_allocator.h"
#include "cp_curve.h"
#include "cp_frame.h"
#include "cp_hash.h"
#include "cp_heap_path.h"
#include "cp_lines.h"
#include "cp_ll.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

/*--- Data ---*/

static Pool data = {.size = sizeof(Datum), .tag = "cp.data.1"};
static HashTable datum_table;

static UInt hash_datum(const void *element)
{
    const Datum *d = element;

    return cp_hash((ULong)d->kind << 32 | d->node, (Addr)d->function ^ (Addr)d->file,
                   (Addr)d->part ^ d->start);
}

static Bool same_datum(const void *a, const void *b)
{
    const Datum *x = a, *y = b;

    return x->kind == y->kind && x->node == y->node && x->function == y->function &&
           x->file == y->file && x->part == y->part && x->start == y->start;
}

static UInt datum_of(const Datum *key)
{
    void **place = cp_hash_find(&datum_table, key, hash_datum, same_datum);

    if (!*place) {
        Datum *d = cp_pool_add(&data);
        *d = *key;
        d->id = data.n - 1;
        *place = d;
    }
    return ((Datum *)*place)->id;
}

UInt cp_data_count(void)
{
    return data.n;
}

Datum *cp_data_at(UInt index)
{
    return cp_pool_at(&data, index);
}

/*--- What an address belongs to ---*/

/* A datum, and the offset in it. */
typedef struct {
    UInt datum;
    ULong offset;
} Spot;

/* The number of the datum of each path's blocks, from 1; 0: none yet. */
static Pool path_data = {.size = sizeof(UInt), .tag = "cp.data.5"};

static UInt path_datum(const HeapPath *path)
{
    return datum_of(&(Datum){.kind = DATA_BLOCKS, .node = path->id ? path->node : DATA_NO_NODE});
}

static Spot in_block(const LiveBlock *b, Addr a)
{
    UInt *number;

    while (UNLIKELY(path_data.n <= b->path))
        cp_pool_add(&path_data);
    number = cp_pool_at(&path_data, b->path);
    if (UNLIKELY(!*number))
        *number = path_datum(cp_heap_path_at(b->path)) + 1;
    return (Spot){*number - 1, a - b->start};
}

/* A part remembers its datum. */
static Spot in_file(DataFile *file, Addr at)
{
    ElfPart *part = file->is_elf ? cp_elf_part(&file->data, at) : NULL;
    UInt *known = part ? &part->datum : &file->datum;

    if (!*known) {
        Datum key = {.kind = DATA_FILE, .file = file, .part = part};
        if (part)
            key.kind = part->is_section ? DATA_SECTION : DATA_VARIABLE;
        *known = datum_of(&key) + 1;
    }
    return (Spot){*known - 1, part ? at - part->start : at};
}

/* Code below a stack pointer may still use the frame that it has left: cold code tells of its
 * accesses late. */
#define STACK_REACH 65536

/* The function of the frame that the address lies in. The return address is its caller's. */
static const Function *frame_owner(const Stack *s, UInt n, Addr a)
{
    UInt i = n;

    while (i && s->frames[i - 1].sp <= a)
        i--;
    while (i && cp_frame_is_within(&s->frames[i - 1]) && s->frames[i - 1].kind == FRAME_SECTION)
        i--;
    return i && cp_frame_child(&s->frames[i - 1]) ? s->frames[i - 1].child->function : NULL;
}

/* True if the address lies on this stack, which has n frames, of which the last one has come down
 * to sp. */
static Bool is_on_stack(const Stack *s, UInt n, UWord sp, Addr a)
{
    return n && a + STACK_REACH >= sp && a < s->frames[0].sp;
}

/* The stack that runs; NULL: there are none. */
static const Stack *running_stack(UInt *n)
{
    for (const Stack *s = cp_frame_stacks; s; s = s->next)
        if (cp_now.top >= s->frames && cp_now.top <= s->frames + s->max) {
            *n = (UInt)(cp_now.top - s->frames);
            return s;
        }
    return NULL;
}

static UInt frame_datum(const Function *f)
{
    Bool is_code = f && f->kind == FUNCTION_CODE;

    return datum_of(&(Datum){.kind = DATA_STACK, .function = is_code ? f : NULL});
}

/* Looks at stacks. The offset in a frame depends on the whole path, so there is none. */
static Bool on_stack(const Stack *running, UInt n, UWord sp, Addr a, Spot *spot)
{
    const Stack *s = running;

    if (!s || !is_on_stack(s, n, sp, a)) {
        for (s = cp_frame_stacks; s; s = s->next) {
            n = s->n;
            if (s != running && n && is_on_stack(s, n, s->frames[n - 1].sp, a))
                break;
        }
    }
    if (s)
        *spot = (Spot){frame_datum(frame_owner(s, n, a)), 0};
    return s != NULL;
}

/* Memory that has neither blocks nor names. */
static Spot elsewhere(Addr a, UWord sp)
{
    const NSegment *segment = VG_(am_find_nsegment)(a);
    Datum key = {.kind = DATA_UNKNOWN};

    if (segment && sp - segment->start <= segment->end - segment->start && !segment->isCH)
        return (Spot){frame_datum(NULL), 0};
    if (cp_live_is_near(a) || (segment && segment->isCH)) {
        key.kind = DATA_FREE;
    } else if (segment && (segment->kind == SkAnonC || segment->kind == SkShmC)) {
        key.kind = DATA_ANONYMOUS;
        key.start = segment->start;
    }
    return (Spot){datum_of(&key), key.start ? a - key.start : 0};
}

static Bool in_image(Addr a, Spot *spot)
{
    Addr at;
    DataFile *file = cp_image_known(a, &at);

    if (file)
        *spot = in_file(file, at);
    return file != NULL;
}

/* Variables that begin as zeros lie in no file's mapping. */
static Bool in_new_image(Addr a, Spot *spot)
{
    return cp_image_of_code() && in_image(a, spot);
}

static Bool in_mapped_file(Addr a, Spot *spot)
{
    Addr at;
    DataFile *file = cp_image_at(a, &at);

    if (file)
        *spot = in_file(file, at);
    return file != NULL;
}

/*--- Touches ---*/

static Pool touches = {.size = sizeof(DataTouch), .tag = "cp.data.2"};
static HashTable touch_table;

#define RECENT 4096 /* touches that are found again by their access points */
static DataTouch *recent[RECENT];

static UInt hash_touch(const void *element)
{
    const DataTouch *t = element;

    return cp_hash(t->node, t->point, t->datum);
}

static Bool same_touch(const void *a, const void *b)
{
    const DataTouch *x = a, *y = b;

    return x->node == y->node && x->point == y->point && x->datum == y->datum;
}

static DataTouch *find_touch(UInt node, UInt point, UInt datum)
{
    const DataTouch key = {.node = node, .point = point, .datum = datum};
    DataTouch **place = &recent[(point ^ datum * 37) % RECENT];
    void **found;

    if (LIKELY(*place && same_touch(*place, &key)))
        return *place;
    found = cp_hash_find(&touch_table, &key, hash_touch, same_touch);
    if (!*found) {
        DataTouch *t = cp_pool_add(&touches);
        *t = key;
        *found = t;
    }
    return *place = *found;
}

static void note_offset(DataTouch *t, ULong offset)
{
    ULong distance = offset > t->first ? offset - t->first : t->first - offset;

    if (offset < t->least)
        t->least = offset;
    if (t->stride != 1 && distance && (!t->stride || distance % t->stride))
        t->stride = cp_data_divisor(distance, t->stride);
}

static DataTouch *add(UInt node, UInt point, Spot spot, Bool last, UInt step)
{
    DataTouch *t = find_touch(node, point, spot.datum);

    if (!t->counts[0])
        t->least = t->first = spot.offset;
    t->counts[0]++;
    t->counts[1] += last;
    note_offset(t, spot.offset);
    if (clo_miss_curves && clo_data)
        cp_curve_add_data(spot.datum, cp_point(point)->kind, step);
    return t;
}

UInt cp_data_touch_count(void)
{
    return touches.n;
}

const DataTouch *cp_data_touch(UInt index)
{
    return cp_pool_at(&touches, index);
}

/*--- Misses within allocation functions ---*/

typedef struct {
    Addr address;
    UInt node, point;
    ThreadId tid;
    Bool last;
    ULong owner;        /* of the lines that it fetched, so far */
    UInt rows[2];       /* of these lines */
    UInt n_lines, used; /* of these lines; bytes of those that were evicted since */
    UInt step;          /* of its miss curve */
} Waiting;

static Waiting *waiting;
static UInt n_waiting, max_waiting;

/* An owner of lines is a touch, or a miss that waits: these have odd numbers, which rise. */
static ULong last_owner = 1;

static ULong owner_of(const DataTouch *t)
{
    return (Addr)t;
}

static Waiting *find_waiting(ULong owner)
{
    UInt low = 0, high = n_waiting;

    while (low < high) {
        UInt middle = (low + high) / 2;
        if (waiting[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return &waiting[low];
}

static void on_evicted(ULong owner, UInt used)
{
    if (UNLIKELY(owner & 1))
        find_waiting(owner)->used += used;
    else
        ((DataTouch *)owner)->used += used;
}

/* The access that has just missed owns the lines that it fetched. */
static inline void own_lines(DataTouch *t)
{
    UInt rows[2];

    if (clo_line_use)
        t->lines += cp_lines_own(owner_of(t), rows);
}

static void settle(const Waiting *w)
{
    const LiveBlock *block = cp_live_around(w->address);
    Spot spot = {0};
    DataTouch *t;

    if (block)
        spot = in_block(block, w->address);
    else
        spot.datum = datum_of(&(Datum){.kind = DATA_ALLOCATOR});
    t = add(w->node, w->point, spot, w->last, w->step);
    t->lines += w->n_lines;
    t->used += w->used;
    for (UInt i = 0; i < w->n_lines; i++)
        cp_lines_pass(w->rows[i], w->owner, owner_of(t));
}

void cp_data_return(ThreadId tid)
{
    UInt n = 0;

    for (UInt i = 0; i < n_waiting; i++)
        if (waiting[i].tid == tid)
            settle(&waiting[i]);
        else
            waiting[n++] = waiting[i];
    n_waiting = n;
}

void cp_data_settle(void)
{
    for (UInt i = 0; i < n_waiting; i++)
        settle(&waiting[i]);
    n_waiting = 0;
}

static void wait(Addr a, const AccessPoint *point, ThreadId tid, Bool last)
{
    Waiting *w;

    if (n_waiting == max_waiting) {
        max_waiting = max_waiting ? 2 * max_waiting : 64;
        waiting = VG_(realloc)("cp.data.3", waiting, max_waiting * sizeof *waiting);
    }
    w = &waiting[n_waiting++];
    *w = (Waiting){.address = a,
                   .node = cp_now.node->id,
                   .point = point->id,
                   .tid = tid,
                   .last = last,
                   .step = cp_curve_step,
                   .owner = last_owner += 2};
    w->n_lines = cp_lines_own(w->owner, w->rows);
}

/* The block that the call is about to move, if it has the address; NULL: none. */
static const LiveBlock *moved_around(const HeapCall *call, Addr a)
{
    const LiveBlock *b = &call->moved;

    return call->is_moving && a - b->start < b->size ? b : NULL;
}

/*--- Misses ---*/

/* A fibre may have its stack in a block. */
static const LiveBlock *block_around(Addr a, UWord sp)
{
    const LiveBlock *b = clo_heap ? cp_live_around(a) : NULL;

    return b && sp - b->start >= b->size ? b : NULL;
}

/* The innermost call of an allocation function on the running stack; NULL: none. */
static const HeapCall *running_call(const Stack *s, UInt n, ThreadId tid)
{
    return s && clo_heap ? cp_allocator_running(s, n, tid) : NULL;
}

/* A miss in what is no block. False: it has to wait. */
static Bool find_other(Addr a, ThreadId tid, UWord sp, Spot *spot)
{
    UInt n = 0;
    const Stack *s = clo_contexts ? running_stack(&n) : NULL;
    const HeapCall *call = running_call(s, n, tid);
    const LiveBlock *moved = call ? moved_around(call, a) : NULL;

    if (moved)
        *spot = in_block(moved, a);
    else if (in_image(a, spot) || on_stack(s, n, sp, a, spot) || in_mapped_file(a, spot) ||
             in_new_image(a, spot))
        return True;
    else if (call && !cp_role_frees(call->function->role))
        return False;
    else
        *spot = call ? (Spot){datum_of(&(Datum){.kind = DATA_ALLOCATOR}), 0} : elsewhere(a, sp);
    return True;
}

static void put_to_data(Addr a, AccessPoint *point, Bool last)
{
    ThreadId tid = VG_(get_running_tid)();
    UWord sp = tid == VG_INVALID_THREADID ? 0 : VG_(get_SP)(tid);
    const LiveBlock *block = block_around(a, sp);
    Spot spot;

    if (LIKELY(block))
        spot = in_block(block, a);
    else if (!find_other(a, tid, sp, &spot)) {
        wait(a, point, tid, last);
        return;
    }
    own_lines(add(cp_now.node->id, point->id, spot, last, cp_curve_step));
}

/* All data are one. */
static void put_to_all(AccessPoint *point, Bool last)
{
    static UInt all;

    if (!all)
        all = datum_of(&(Datum){.kind = DATA_ALL}) + 1;
    own_lines(add(cp_now.node->id, point->id, (Spot){all - 1, 0}, last, cp_curve_step));
}

static void on_miss(Addr a, AccessPoint *point, Bool last)
{
    UInt rows[2];

    if (point->kind == POINT_FETCH)
        return;
    if (!cp_collecting)
        cp_lines_own(0, rows);
    else if (clo_data)
        put_to_data(a, point, last);
    else
        put_to_all(point, last);
}

static void add_present(ULong owner, UInt used)
{
    ((DataTouch *)owner)->used += used;
}

static void drop_present(ULong owner, UInt used)
{
    ((DataTouch *)owner)->used -= used;
}

void cp_data_count_present(Bool on)
{
    cp_lines_each(on ? add_present : drop_present);
}

void cp_data_init(void)
{
    cp_ll_missed = on_miss;
    cp_lines_evicted = on_evicted;
    if (!clo_data)
        return;
    cp_heap_on_return = cp_data_return;
    cp_image_init();
}

void cp_data_reset(void)
{
    n_waiting = 0;
    for (UInt i = 0; i < touches.n; i++) {
        DataTouch *t = cp_pool_at(&touches, i);
        t->counts[0] = t->counts[1] = t->stride = t->lines = t->used = 0;
    }
    if (clo_line_use)
        cp_lines_forget();
}
