/*
 * cp_data.c - data structure #1: data, found by what they are. #2: a hash table of touches. #3:
 * misses within calls of allocation functions, which wait for the block.
 */
#include "cp_data.h"

#include "cp_allocator.h"
#include "cp_context.h"
#include "cp_curve.h"
#include "cp_elf.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_frame.h"
#include "cp_hash.h"
#include "cp_heap.h"
#include "cp_lines.h"
#include "cp_ll.h"
#include "cp_object.h"
#include "cp_place.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#define DATA_NO_NODE (~0u)

/*--- Images ---*/

/*
 * Data structure #1: files, in the order in which they were met. #2: images, which
 * come and go.
 */

typedef struct {
    Addr start, end;
    Addr bias;
    UInt file;
} Image;

static Pool files = {.size = sizeof(DataFile), .tag = "cp.image.1"};
static Image *images;
static UInt n_images;

/* Where no image is, as far as it was looked for: a program may have most of its data between two.
 */
static Addr gap_start, gap_end;

/* cp_image_at() for images that are known, which is quick. */
static DataFile *cp_image_known(Addr address, Addr *at)
{
    static UInt last;
    Addr low = 0, high = ~(Addr)0;

    if (LIKELY(address - gap_start < gap_end - gap_start))
        return NULL;
    for (UInt k = 0; k <= n_images; k++) {
        UInt i = k ? k - 1 : last;
        const Image *image;
        if (i >= n_images)
            continue;
        image = &images[i];
        if (address - image->start >= image->end - image->start) {
            if (image->end <= address && image->end > low)
                low = image->end;
            if (image->start > address && image->start < high)
                high = image->start;
            continue;
        }
        last = i;
        *at = address - image->bias;
        return cp_pool_at(&files, image->file);
    }
    gap_start = low;
    gap_end = high;
    return NULL;
}

/* An image that is unmapped with its beginning is gone. The dynamic linker unmaps holes in them. */
static void on_unmap(Addr start, SizeT size)
{
    UInt n = 0;

    for (UInt i = 0; i < n_images; i++)
        if (images[i].start - start >= size)
            images[n++] = images[i];
    n_images = n;
    gap_start = gap_end = 0;
}

static void add_image(const DataFile *file, Addr bias)
{
    gap_start = gap_end = 0;
    images = VG_(realloc)("cp.image.2", images, (n_images + 1) * sizeof *images);
    images[n_images++] = (Image){.start = file->data.first + bias,
                                 .end = file->data.end + bias,
                                 .bias = bias,
                                 .file = file->id};
}

static DataFile *find_file(const NSegment *segment, const HChar *path, Bool is_elf)
{
    for (UInt i = 0; i < files.n; i++) {
        DataFile *f = cp_pool_at(&files, i);
        if (f->device == segment->dev && f->inode == segment->ino && f->is_elf == is_elf &&
            !VG_(strcmp)(f->path, path))
            return f;
    }
    return NULL;
}

static DataFile *new_file(const NSegment *segment, const HChar *path, const ElfData *data)
{
    DataFile *f = cp_pool_add(&files);

    *f = (DataFile){.id = files.n - 1,
                    .path = VG_(strdup)("cp.image.3", path),
                    .device = segment->dev,
                    .inode = segment->ino,
                    .is_elf = data != NULL};
    if (data)
        f->data = *data;
    return f;
}

/* The file that the address is mapped from; NULL: none. In an ELF file *at is the address in the
 * file, in another one the offset. */
static DataFile *cp_image_at(Addr address, Addr *at)
{
    const NSegment *segment = VG_(am_find_nsegment)(address);
    const HChar *path = segment && segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
    DataFile *file;
    ElfData data;
    Addr start;

    if (!path)
        return NULL;
    *at = address - segment->start + (ULong)segment->offset;
    file = find_file(segment, path, False);
    if (file)
        return file;
    if (!cp_elf_data(path, (ULong)segment->offset, segment->end + 1 - segment->start, &data,
                     &start))
        return new_file(segment, path, NULL);
    file = find_file(segment, path, True);
    if (!file)
        file = new_file(segment, path, &data);
    add_image(file, segment->start - start);
    *at = address - segment->start + start;
    return file;
}

/* Makes images of all files that code was executed from. True if there are new ones. */
static Bool cp_image_of_code(void)
{
    static UInt seen; /* ranges */
    UInt before = n_images;

    for (; seen < cp_range_count(); seen++) {
        Addr start = cp_range(seen)->start, at;
        if (cp_object(cp_range(seen)->object)->inode && !cp_image_known(start, &at))
            cp_image_at(start, &at);
    }
    return n_images > before;
}

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

static Datum *cp_data_at(UInt index)
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

/* Code may use what lies below its stack pointer: the frame that it has just left. */
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

/* The allocation function of the thread's outermost call has returned, or was left: what missed in
 * it is put to the blocks that there are now. cp_data_settle(): of all threads. */
static void cp_data_return(ThreadId tid)
{
    UInt n = 0;

    for (UInt i = 0; i < n_waiting; i++)
        if (waiting[i].tid == tid)
            settle(&waiting[i]);
        else
            waiting[n++] = waiting[i];
    n_waiting = n;
}

static void cp_data_settle(void)
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

/* Counts lines that are in D1 as if they were evicted, or no longer. */
static void cp_data_count_present(Bool on)
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
    VG_(track_die_mem_munmap)(on_unmap);
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

/*--- Writing ---*/

/*
 * Data structure: touches by datum, context and access point; counts of miss
 * curves by what they are of, and by steps.
 */

/* The order of two instructions. Each piece of generated code has its own access points, so that
 * several may be of one. */
static Int compare_places(UInt a, UInt b)
{
    const AccessPoint *x = cp_point(a), *y = cp_point(b);

    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static Int by_datum(const void *a, const void *b)
{
    const DataTouch *x = *(const DataTouch *const *)a, *y = *(const DataTouch *const *)b;
    Int order;

    if (x->datum != y->datum)
        return x->datum < y->datum ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    order = compare_places(x->point, y->point);
    return order ? order : x->point < y->point ? -1 : x->point > y->point;
}

/* The touches that count something, in a new array. */
static const DataTouch **sorted(UInt *n)
{
    const DataTouch **all = VG_(malloc)("cp.data.4", (touches.n + 1) * sizeof *all);

    *n = 0;
    for (UInt i = 0; i < touches.n; i++)
        if (((const DataTouch *)cp_pool_at(&touches, i))->counts[0])
            all[(*n)++] = cp_pool_at(&touches, i);
    VG_(ssort)(all, *n, sizeof *all, by_datum);
    return all;
}

static void put_files(void)
{
    for (UInt i = 0; i < files.n; i++) {
        const DataFile *f = cp_pool_at(&files, i);
        cp_begin_record(CP_REC_DATA_FILE);
        cp_put_decimal(i);
        cp_put_char(' ');
        cp_put_bytes(f->data.build_id, f->data.n_build_id);
        cp_put(f->data.n_build_id ? " " : "- ");
        cp_put_text(f->path);
    }
}

static void put_part(const Datum *d)
{
    cp_put_decimal(d->file->id);
    cp_put_char(' ');
    cp_put_hex(d->part->start);
    cp_put_char(' ');
    cp_put_decimal(d->part->size);
    cp_put_char(' ');
    cp_put_text(d->part->name);
}

static void put_line(const Datum *d)
{
    if (d->kind == DATA_BLOCKS && d->node != DATA_NO_NODE)
        cp_put_decimal(d->node);
    else if (d->kind == DATA_BLOCKS)
        cp_put_char('-');
    else if (d->kind == DATA_STACK && d->function)
        cp_put_place(d->function->range, d->function->start);
    else if (d->kind == DATA_STACK)
        cp_put("- 0");
    else if (d->kind == DATA_FILE)
        cp_put_decimal(d->file->id);
    else if (d->kind == DATA_ANONYMOUS)
        cp_put_hex(d->start);
    cp_put_char('\n');
}

static void put_datum(Datum *d, UInt number)
{
    static const HChar *const names[DATA_KINDS] = {
        [DATA_BLOCKS] = "blocks ",      [DATA_VARIABLE] = "variable ",
        [DATA_SECTION] = "section ",    [DATA_STACK] = "stack ",
        [DATA_FILE] = "file ",          [DATA_ANONYMOUS] = "anonymous ",
        [DATA_ALLOCATOR] = "allocator", [DATA_FREE] = "free",
        [DATA_UNKNOWN] = "unknown",     [DATA_ALL] = "all"};

    d->number = number;
    cp_begin_record(CP_REC_DATA);
    cp_put_decimal(number);
    cp_put_char(' ');
    cp_put(names[d->kind]);
    if (d->part)
        put_part(d);
    else
        put_line(d);
}

/* The touches of one instruction in one context, as if they were one. */
typedef struct {
    ULong counts[6]; /* D1mr DLmr D1mw DLmw, lines, bytes used */
    ULong least, stride;
    UShort size; /* the most that it accesses at once */
} Sum;

static void write_add(Sum *sum, const DataTouch *t, Bool first)
{
    const AccessPoint *p = cp_point(t->point);
    UInt at = p->kind == POINT_WRITE ? 2 : 0;
    ULong distance = t->least > sum->least ? t->least - sum->least : sum->least - t->least;

    sum->counts[at] += t->counts[0];
    sum->counts[at + 1] += t->counts[1];
    sum->counts[4] += t->lines;
    sum->counts[5] += t->used;
    sum->stride =
        first ? t->stride : cp_data_divisor(cp_data_divisor(sum->stride, t->stride), distance);
    if (first || t->least < sum->least)
        sum->least = t->least;
    if (p->size > sum->size)
        sum->size = p->size;
}

static Bool is_same_place(const DataTouch *a, const DataTouch *b)
{
    return a->datum == b->datum && a->node == b->node && !compare_places(a->point, b->point);
}

static void put_touch(UInt number, const DataTouch *t, const Sum *sum)
{
    const AccessPoint *p = cp_point(t->point);

    cp_begin_record(CP_REC_TOUCH);
    cp_put_decimal(number);
    cp_put_char(' ');
    cp_put_node(t->node);
    cp_put_char(' ');
    cp_put_place(p->range, p->address);
    cp_put_char(' ');
    cp_put_decimal(sum->least);
    cp_put_char(' ');
    cp_put_decimal(sum->stride);
    cp_put_char(' ');
    cp_put_decimal(sum->size);
    cp_put_counts(sum->counts, clo_line_use ? 6 : 4);
}

void cp_data_write_key(void)
{
    if (clo_data)
        cp_put(CP_KEY_DATA ": yes\n");
    if (clo_line_use)
        cp_put(CP_KEY_LINE_USE ": yes\n");
}

void cp_data_write(void)
{
    const DataTouch **all;
    UInt n, number = 0;

    if (!clo_data && !clo_line_use)
        return;
    cp_data_settle();
    cp_data_count_present(True);
    all = sorted(&n);
    put_files();
    for (UInt i = 0; i < n;) {
        const DataTouch *first = all[i];
        Sum sum = {{0}, 0, 0, 0};
        if (!i || all[i - 1]->datum != first->datum)
            put_datum(cp_data_at(first->datum), number++);
        for (; i < n && is_same_place(first, all[i]); i++)
            write_add(&sum, all[i], all[i] == first);
        put_touch(number - 1, first, &sum);
    }
    VG_(free)(all);
    cp_data_count_present(False);
}

/*--- Miss curves ---*/

/* The letters of accesses are those of a SPEC. */
static const HChar letters[] = {
    [POINT_FETCH] = CP_SPEC_IR, [POINT_READ] = CP_SPEC_DR, [POINT_WRITE] = CP_SPEC_DW};

static PointKind put_code(const CurveCount *c)
{
    const AccessPoint *p = cp_point(c->keys[1]);

    cp_begin_record(CP_REC_CURVE);
    cp_put_node(c->keys[0]);
    cp_put_char(' ');
    cp_put_place(p->range, p->address);
    return p->kind;
}

static PointKind put_data(const CurveCount *c)
{
    cp_begin_record(CP_REC_DATA_CURVE);
    cp_put_decimal(cp_data_at(c->keys[0])->number);
    return c->keys[1];
}

/* Writes the counts of one subject, of `n` that follow it. Returns how many these are. */
static UInt put_counts(const CurveCount *const *counts, UInt n)
{
    const CurveCount *first = counts[0];
    UInt i;

    for (i = 0;
         i < n && counts[i]->keys[0] == first->keys[0] && counts[i]->keys[1] == first->keys[1];
         i++) {
        cp_put_char(' ');
        cp_put_decimal(counts[i]->step);
        cp_put_char(' ');
        cp_put_decimal(counts[i]->count);
    }
    cp_put_char('\n');
    return i;
}

static void put_subjects(CurveSubject subject, PointKind (*put)(const CurveCount *c))
{
    UInt n;
    const CurveCount **sorted = cp_curve_sorted(subject, &n);

    for (UInt i = 0; i < n;) {
        PointKind kind = put(sorted[i]);
        cp_put_char(' ');
        cp_put_char(letters[kind]);
        i += put_counts(sorted + i, n - i);
    }
    VG_(free)(sorted);
}

void cp_curve_write_key(void)
{
    if (!clo_miss_curves)
        return;
    cp_put(CP_KEY_CURVE_SIZES ":");
    for (UInt step = CURVE_FIRST + 1; step <= cp_curve_steps(); step++) {
        cp_put_char(' ');
        cp_put_decimal(cp_curve_size(step));
    }
    cp_put_char('\n');
}

void cp_curve_write(void)
{
    if (!clo_miss_curves)
        return;
    put_subjects(CURVE_CODE, put_code);
    put_subjects(CURVE_DATA, put_data);
}
