#include <config.h>

/* Walks over the trees of DIEs: functions, scopes and inlined frames of a unit. Each walk only ever
 * goes forward in the file: a hostile DW_AT_sibling may point anywhere, and could make it take for
 * ever. */
#include "base/array.h"
#include "symbols/dwarf_private.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
    SCOPES_MAX = 64,   /* functions are nested in scopes no deeper than this */
    FRAMES_MAX = 10000 /* inlined functions and blocks; each takes some 300 bytes of the stack */
};

/*
 * Goes on from `die` to the next DIE that is not below it. `end` is the end of all that is below
 * it, 0 where that is not known. Returns false after the last, with `*end` where the list ends.
 *
 * LLVM writes no DW_AT_sibling: dwarf_siblingof() then reads all that is below, which a walk has
 * done already, on each level again. At the end of a list it says where that is in its result: at
 * the 0 that ends it.
 */
static bool go_on(struct unit *u, Dwarf_Die *die, Dwarf_Off *end)
{
    Dwarf_Die next = {.addr = NULL};
    int result;

    if (*end && dwarf_offdie(dwarf_cu_getdwarf(die->cu), *end, &next) && next.cu == die->cu) {
        bool is_last = dwarf_tag(&next) == DW_TAG_invalid;

        u->damaged |= is_last && *(const unsigned char *)next.addr != 0;
        *end = is_last ? *end + 1 : 0;
        *die = next;
        return !is_last;
    }
    *end = 0;
    result = dwarf_siblingof(die, &next);
    if (result == 1 && next.addr && *(const unsigned char *)next.addr == 0)
        *end = dwarf_dieoffset(die) +
               (Dwarf_Off)((const char *)next.addr - (const char *)die->addr) + 1;
    if (result == 0)
        *die = next;
    u->damaged |= result < 0;
    return result == 0;
}

static bool has_child(struct unit *u, Dwarf_Die *parent, Dwarf_Die *child)
{
    int result = dwarf_child(parent, child);

    u->damaged |= result < 0;
    return result == 0;
}

/* Functions and scopes */

static void add_body(struct unit *u, Dwarf_Die *die)
{
    size_t before = u->ranges.n;

    u->damaged |= !debug_add_ranges(&u->ranges, die, (uint32_t)u->n_bodies);
    if (u->ranges.n == before)
        return; /* a declaration, or only ever inlined */
    GROW(u->bodies, u->n_bodies, u->bodies_room);
    u->bodies[u->n_bodies++] = (struct debug_body){.die = *die};
}

static uint32_t add_scope(struct unit *u, Dwarf_Die *die, uint32_t parent)
{
    GROW(u->scopes, u->n_scopes, u->scopes_room);
    u->scopes[u->n_scopes] = (struct scope){dwarf_dieoffset(die), UINT64_MAX, parent, *die};
    return (uint32_t)u->n_scopes++;
}

/* Tells whether the names in a DIE have it in their path: C++ and Rust nest functions in types and
 * namespaces. */
static bool is_scope(int tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
        return true;
    default:
        return false;
    }
}

struct function_walk {
    struct unit *unit;
    Dwarf_Off last; /* the last DIE so far */
};

/* Notes every function and scope below `parent`, which is in `scope`. gcc nests functions in
 * functions and blocks, too. Returns where what is below ends, 0: not known. */
static Dwarf_Off walk_functions(struct function_walk *w, Dwarf_Die *parent, uint32_t scope,
                                unsigned depth)
{
    struct unit *u = w->unit;
    size_t open = u->n_scopes; /* the first scope in the DIE before the next one here */
    Dwarf_Off end = 0;
    Dwarf_Die die;

    if (depth > SCOPES_MAX || !has_child(u, parent, &die))
        return 0;
    do {
        int tag = dwarf_tag(&die);
        Dwarf_Off offset = dwarf_dieoffset(&die);

        if (offset <= w->last) {
            u->damaged = true;
            return 0;
        }
        w->last = offset;
        for (; open < u->n_scopes; open++)
            if (u->scopes[open].end > offset)
                u->scopes[open].end = offset;
        if (tag == DW_TAG_subprogram)
            add_body(u, &die);
        end = 0;
        if (is_scope(tag))
            end = walk_functions(w, &die, add_scope(u, &die, scope), depth + 1);
        else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
            end = walk_functions(w, &die, scope, depth + 1);
    } while (go_on(u, &die, &end));
    return end;
}

void debug_read_functions(struct unit *u)
{
    struct function_walk w = {u, 0};

    if (u->has_functions)
        return;
    u->has_functions = true;
    (void)walk_functions(&w, &u->body, DEBUG_NONE, 0);
    intervals_flatten(&u->ranges);
}

/* Frames */

struct frame_walk {
    struct debug_info *debug;
    struct unit *unit;
    struct debug_body *body;
    Dwarf_Off last;
};

/* The attributes of an inlined function that are used, read in one go; code 0: it has none. */
struct frame_attributes {
    Dwarf_Attribute low, high, ranges, entry, origin, file, line;
};

static int note_attribute(Dwarf_Attribute *attribute, void *to)
{
    struct frame_attributes *f = to;

    switch (dwarf_whatattr(attribute)) {
    case DW_AT_low_pc:
        f->low = *attribute;
        break;
    case DW_AT_high_pc:
        f->high = *attribute;
        break;
    case DW_AT_ranges:
        f->ranges = *attribute;
        break;
    case DW_AT_entry_pc:
        f->entry = *attribute;
        break;
    case DW_AT_abstract_origin:
        f->origin = *attribute;
        break;
    case DW_AT_call_file:
        f->file = *attribute;
        break;
    case DW_AT_call_line:
        f->line = *attribute;
        break;
    }
    return DWARF_CB_OK;
}

static const char *call_file(struct unit *u, Dwarf_Attribute *file)
{
    Dwarf_Word index;

    return file->code && dwarf_formudata(file, &index) == 0 ? debug_file(u, index) : NULL;
}

static uint32_t call_line(Dwarf_Attribute *line)
{
    Dwarf_Word number;

    return line->code && dwarf_formudata(line, &number) == 0 && number <= INT32_MAX
               ? (uint32_t)number
               : 0;
}

/* The function that `die` is a copy of, as an index. */
static uint32_t inlined_function(struct frame_walk *w, Dwarf_Die *die, Dwarf_Attribute *origin)
{
    Dwarf_Die from;

    if (!origin->code)
        return debug_describe(w->debug, w->unit, die);
    return dwarf_formref_die(origin, &from) ? debug_describe(w->debug, w->unit, &from) : DEBUG_NONE;
}

/* The addresses of a frame, mostly one range. Returns false where they cannot be read. */
static bool add_frame_ranges(struct intervals *list, Dwarf_Die *die, struct frame_attributes *f,
                             uint32_t value)
{
    Dwarf_Addr start, end;
    Dwarf_Word size;

    if (f->ranges.code || !f->low.code || !f->high.code)
        return debug_add_ranges(list, die, value);
    if (dwarf_formaddr(&f->low, &start) != 0)
        return false;
    /* The end, or how far it is. */
    if (dwarf_formaddr(&f->high, &end) != 0) {
        if (dwarf_formudata(&f->high, &size) != 0)
            return false;
        end = start + size;
    }
    if (start > 1)
        intervals_add(list, start, end, value);
    return true;
}

/* The beginning of the one range of `die`; 0: it has several, or none. */
static uint64_t single_range(Dwarf_Die *die)
{
    Dwarf_Addr base = 0, start, end, first = 0;
    ptrdiff_t offset = 0;
    unsigned n = 0;

    while (n < 2 && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
        if (!n++)
            first = start;
    return n == 1 ? first : 0;
}

/* The first instruction of a frame: the one that is given, by its address or by how far it is from
 * the lowest one, or that of a frame in one piece. 0: not known. */
static uint64_t frame_entry(Dwarf_Die *die, struct frame_attributes *f)
{
    Dwarf_Addr entry, low;
    Dwarf_Word distance;

    if (f->entry.code && dwarf_formaddr(&f->entry, &entry) == 0)
        return entry;
    if (f->entry.code && dwarf_formudata(&f->entry, &distance) == 0 && dwarf_lowpc(die, &low) == 0)
        return low + distance;
    return single_range(die);
}

/* The frame that `die` is; `parent` where its function has no name. */
static uint32_t add_frame(struct frame_walk *w, Dwarf_Die *die, uint32_t parent)
{
    struct debug_info *d = w->debug;
    struct frame_attributes f = {.low = {.code = 0}};
    uint32_t function;

    w->unit->damaged |= dwarf_getattrs(die, note_attribute, &f, 0) != 1;
    function = inlined_function(w, die, &f.origin);
    if (function == DEBUG_NONE) {
        w->unit->damaged = true; /* who was inlined has a name */
        return parent;
    }
    GROW(d->frames, d->n_frames, d->frames_room);
    d->frames[d->n_frames] = (struct debug_frame){parent, function, call_file(w->unit, &f.file),
                                                  call_line(&f.line), frame_entry(die, &f)};
    w->unit->damaged |= !add_frame_ranges(&w->body->frames, die, &f, frame_value(d->n_frames));
    return d->n_frames++;
}

static bool is_block(int tag)
{
    switch (tag) {
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
        return true;
    default:
        return false;
    }
}

/* Notes all that was inlined below `parent_die`, which is part of the frame `parent`. Returns where
 * that ends, as walk_functions() does. */
static Dwarf_Off walk_frames(struct frame_walk *w, Dwarf_Die *parent_die, uint32_t parent,
                             unsigned depth)
{
    Dwarf_Off end = 0;
    Dwarf_Die die;

    if (!has_child(w->unit, parent_die, &die))
        return 0;
    if (depth > FRAMES_MAX) {
        w->unit->damaged = true;
        return 0;
    }
    do {
        int tag = dwarf_tag(&die);
        Dwarf_Off offset = dwarf_dieoffset(&die);

        if (offset <= w->last) {
            w->unit->damaged = true;
            return 0;
        }
        w->last = offset;
        end = 0;
        if (tag == DW_TAG_inlined_subroutine)
            end = walk_frames(w, &die, add_frame(w, &die, parent), depth + 1);
        else if (is_block(tag))
            end = walk_frames(w, &die, parent, depth + 1);
    } while (go_on(w->unit, &die, &end));
    return end;
}

void debug_read_frames(struct debug_info *d, struct unit *u, struct debug_body *body)
{
    struct frame_walk w = {d, u, body, 0};

    (void)walk_frames(&w, &body->die, DEBUG_NONE, 0);
}
