/* cp_dump.c - the records of the raw profile: body, contexts, inclusive costs, sections. */
#include "cp_dump.h"

#include "cp_argument.h"
#include "cp_block.h"
#include "cp_cache.h"
#include "cp_child.h"
#include "cp_clock.h"
#include "cp_context.h"
#include "cp_data.h"
#include "cp_event.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_heap.h"
#include "cp_inclusive.h"
#include "cp_kept_names.h"
#include "cp_misses.h"
#include "cp_names.h"
#include "cp_object.h"
#include "cp_place.h"
#include "cp_random.h"
#include "cp_request.h"
#include "cp_schedule.h"
#include "cp_section.h"
#include "cp_stack.h"
#include "cp_thread.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

/*--- The header ---*/

static void put_geometry(const HChar *key, const Geometry *g)
{
    cp_put_key(key);
    cp_put_decimal((ULong)g->size);
    cp_put_char(' ');
    cp_put_decimal((ULong)g->ways);
    cp_put_char(' ');
    cp_put_decimal((ULong)g->line);
    cp_put_char('\n');
}

static void cp_header_random(void)
{
    cp_put_key(CP_KEY_RANDOM);
    cp_put(!cp_random_used() ? "no\n" : clo_deterministic ? "fixed\n" : "yes\n");
}

static void cp_header_subject(void)
{
    if (!clo_subject)
        return;
    cp_put_key(CP_KEY_SUBJECT);
    cp_put(clo_subject);
    cp_put_char('\n');
}

static void cp_header_threads(void)
{
    if (cp_random_threads() < 2)
        return;
    cp_put_key(CP_KEY_THREADS);
    cp_put_decimal(cp_random_threads());
    cp_put_char('\n');
}

static void cp_header_schedule(void)
{
    if (clo_fixed_schedule || cp_random_threads() > 1) {
        cp_put_key(CP_KEY_SCHEDULE);
        cp_put(clo_fixed_schedule ? "fixed\n" : "free\n");
    }
    if (clo_fixed_schedule && cp_schedule_decisions()) {
        cp_put_key(CP_KEY_DECISIONS);
        cp_put_decimal(cp_schedule_decisions());
        cp_put_char('\n');
    }
    if (clo_fixed_clock || (clo_fixed_schedule && cp_clock_was_asked())) {
        cp_put_key(CP_KEY_CLOCK);
        cp_put(clo_fixed_clock ? "fixed\n" : "real\n");
    }
}

static void cp_header_rep(void)
{
    if (!clo_rep_one)
        return;
    cp_put_key(CP_KEY_REP);
    cp_put("one\n");
}

static void put_end(CpEnd ended, Int exit_code)
{
    cp_put_key(CP_KEY_EXIT);
    if (ended == CP_ENDED_CODE) {
        cp_put("code ");
        cp_put_decimal((ULong)(exit_code & 0xff));
    } else {
        cp_put(ended == CP_ENDED_EXEC ? "exec" : "unknown");
    }
    cp_put_char('\n');
    if (cp_child_left()) {
        cp_put_key(CP_KEY_LEFT);
        cp_put_text(cp_child_left());
    }
}

static const HChar *program;
static XArray *setup; /* of const HChar * */

void cp_header_setup(const HChar *text)
{
    const HChar *copy = VG_(strdup)("cp.header.1", text);

    if (!setup)
        setup = VG_(newXA)(VG_(malloc), "cp.header.2", VG_(free), sizeof copy);
    VG_(addToXA)(setup, &copy);
}

#define AT_NULL  0
#define AT_ENTRY 9

/* The program is the file that the entry point is mapped from: the core knows a program's name, but
 * not its path. The auxiliary vector lies behind the environment. */
void cp_header_init(void)
{
    HChar **environment = VG_(client_envp);
    const UWord *auxv;
    const NSegment *segment;

    while (*environment)
        environment++;
    auxv = (const UWord *)(environment + 1);
    while (auxv[0] != AT_NULL && auxv[0] != AT_ENTRY)
        auxv += 2;
    segment = auxv[0] == AT_ENTRY ? VG_(am_find_nsegment)(auxv[1]) : NULL;
    if (segment && VG_(am_get_filename)(segment))
        program = VG_(strdup)("cp.dump.5", VG_(am_get_filename)(segment));
    else
        program = VG_(args_the_exename);
}

static void put_toggle(UInt i)
{
    UInt n;
    const HChar *pattern = cp_request_toggle_at(i, &n);

    cp_put_key(CP_KEY_TOGGLE);
    cp_put_decimal(n);
    cp_put_char(' ');
    cp_put_text(pattern);
}

static void put_count_arg(const ArgumentOption *o)
{
    cp_put_key(CP_KEY_COUNT_ARG);
    cp_put_decimal(o->n_functions);
    cp_put_char(' ');
    cp_put_decimal(o->number);
    cp_put(o->is_log2 ? " log2 " : " exact ");
    cp_put_text(o->pattern);
}

static void cp_header_part(UInt part, const HChar *trigger)
{
    ULong began, stopped;

    if (part) {
        cp_put_key(CP_KEY_PART);
        cp_put_decimal(part);
        cp_put_char('\n');
    }
    if (trigger) {
        cp_put_key(CP_KEY_TRIGGER);
        cp_put_text(trigger);
    }
    if (cp_request_switched(&began, &stopped)) {
        cp_put_key(CP_KEY_SECTIONS);
        cp_put_decimal(began);
        cp_put_char(' ');
        cp_put_decimal(stopped);
        cp_put_char('\n');
    }
    for (UInt i = 0; i < cp_request_toggle_count(); i++)
        put_toggle(i);
    for (UInt i = 0; i < cp_argument_option_count(); i++)
        put_count_arg(cp_argument_option_at(i));
    if (clo_section_caches_cold && cp_section_count()) {
        cp_put_key(CP_KEY_SECTION_CACHES);
        cp_put("cold\n");
    }
}

static void put_program(void)
{
    cp_put_key(CP_KEY_PROGRAM);
    cp_put_text(program);
    cp_put_key(CP_KEY_ARGUMENT);
    cp_put_text(VG_(args_the_exename));
    for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
        cp_put_key(CP_KEY_ARGUMENT);
        cp_put_text(*(HChar **)VG_(indexXA)(VG_(args_for_client), i));
    }
    for (Word i = 0; setup && i < VG_(sizeXA)(setup); i++) {
        cp_put_key(CP_KEY_SETUP);
        cp_put_text(*(const HChar **)VG_(indexXA)(setup, i));
    }
}

/* Each writes some of the lines. begin: the first ones, up to the caches. part: which part this is
 * (0: the run was not divided) and why it is written (NULL: the program ends), and what was
 * switched. */
static void cp_header_begin(CpEnd ended, Int exit_code)
{
    cp_put(CP_RAW_MAGIC " ");
    cp_put_decimal(CP_RAW_VERSION);
    cp_put_char('\n');
    cp_put_key(CP_KEY_CREATOR);
    cp_put_text("cprof-" CPROF_VERSION " " CPROF_VG_VERSION);
    cp_put_key(CP_KEY_PID);
    cp_put_decimal((ULong)VG_(getpid)());
    cp_put_char('\n');
    put_end(ended, exit_code);
    put_program();
    if (clo_cache_sim) {
        put_geometry(CP_KEY_CACHE_I1, &cp_I1);
        put_geometry(CP_KEY_CACHE_D1, &cp_D1);
        put_geometry(CP_KEY_CACHE_LL, &cp_LL);
    }
}

/*--- Records ---*/

static CpEnd ended;
static Int exit_code;
static UInt part;            /* parts written so far */
static const HChar *trigger; /* of the part that is being written; NULL: the end of the program */

/*--- Body ---*/

/* The path of an object that no build-id tells from another file there is that of a deleted file.
 */
static void put_path(UInt object)
{
    const Object *o = cp_object(object);
    HChar *path = VG_(malloc)("cp.dump.7", VG_(strlen)(o->path) + 32);
    UInt number = 1;

    VG_(strcpy)(path, o->path);
    if (!o->elf.n_build_id && cp_object_is_gone(o)) {
        for (UInt i = 0; i < object; i++)
            number += !cp_object(i)->elf.n_build_id && !VG_(strcmp)(cp_object(i)->path, o->path);
        VG_(strcat)(path, CP_DELETED);
        if (number > 1)
            VG_(sprintf)(path + VG_(strlen)(path), " %u", number);
        VG_(strcat)(path, ")");
    }
    cp_put_text(path);
    VG_(free)(path);
}

static void put_objects(void)
{
    for (UInt i = 0; i < cp_object_count(); i++) {
        const Object *o = cp_object(i);
        cp_begin_record(CP_REC_OBJECT);
        cp_put_decimal(i);
        cp_put_char(' ');
        cp_put_bytes(o->elf.build_id, o->elf.n_build_id);
        cp_put(o->elf.n_build_id ? " " : "- ");
        put_path(i);
    }
    for (UInt i = 0; i < cp_range_count(); i++) {
        const Range *r = cp_range(i);
        cp_begin_record(CP_REC_RANGE);
        cp_put_decimal(r->object);
        cp_put_char(' ');
        cp_put_hex(r->start);
        cp_put_char(' ');
        cp_put_hex(r->end);
        cp_put_char(' ');
        cp_put_hex(r->bias);
        cp_put_char('\n');
    }
}

static void put_spec(const InstrCost *cost)
{
    static const HChar letters[] = {CP_SPEC_IR, CP_SPEC_DR, CP_SPEC_DW,
                                    CP_SPEC_BC, CP_SPEC_BI, CP_SPEC_REP};
    const UChar counts[] = {cost->ir, cost->dr, cost->dw, cost->bc, cost->bi, cost->rep};
    Bool any = False;

    for (UInt k = 0; k < sizeof letters; k++)
        for (UInt n = 0; n < counts[k]; n++, any = True)
            cp_put_char(letters[k]);
    if (!any)
        cp_put_char(CP_SPEC_NONE);
}

#define NO_ID (~0u)

static void put_block(const BasicBlock *b, UInt id)
{
    cp_begin_record(CP_REC_BLOCK);
    cp_put_decimal(id);
    cp_put_char(' ');
    cp_put_place(b->range, b->start);
    for (UInt k = 0; k < b->n_instrs; k++) {
        if (k) {
            cp_put(" +");
            cp_put_hex(b->instrs[k].delta);
        }
        cp_put_char(' ');
        put_spec(&b->instrs[k]);
    }
    cp_put_char('\n');
}

/* Sets the IDs of all basic blocks: 0 if one executed in some context, else NO_ID. Nodes are looked
 * at in the order of their making, in which they lie in memory. */
static void mark_executed(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        Function *f = cp_function(i);
        f->block_ids = VG_(malloc)("cp.dump.8", (f->n_slots + 1) * sizeof *f->block_ids);
        VG_(memset)(f->block_ids, 0xff, f->n_slots * sizeof *f->block_ids); /* NO_ID */
    }
    for (UInt i = 0; i < cp_node_count(); i++) {
        for (const Node *n = cp_node(i); n; n = cp_node_beside(n)) {
            UInt *ids = n->function->block_ids, end = n->function->n_slots;
            for (UInt k = cp_node_next(n, 0); k < end; k = cp_node_next(n, k + 1))
                ids[k] = 0;
        }
    }
}

/* Defines the basic blocks that executed in some context, and numbers them. */
static void put_blocks(void)
{
    UInt id = 0;

    mark_executed();
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        for (UInt k = 0; k < f->n_slots; k++) {
            if (!f->blocks[k] || f->block_ids[k] == NO_ID) {
                f->block_ids[k] = NO_ID;
                continue;
            }
            f->block_ids[k] = id++;
            put_block(f->blocks[k], f->block_ids[k]);
            cp_kept_names_note(f->blocks[k]);
        }
    }
    cp_kept_names_write();
}

static void forget_block_ids(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        VG_(free)(cp_function(i)->block_ids);
        cp_function(i)->block_ids = NULL;
    }
}

/* For up to so many basic blocks without a count, " 0" is shorter than another record. */
#define GAP_MAX 4

/* The numbers of a function's basic blocks rise without a gap. */
static void put_counts(const Node *n)
{
    UInt next = NO_ID; /* the basic block of the next number in the record */

    for (UInt i = cp_node_next(n, 0); i < n->function->n_slots; i = cp_node_next(n, i + 1)) {
        ULong count = cp_node_counted(n, i);
        UInt id = n->function->block_ids[i];
        if (id == NO_ID)
            continue;
        if (next == NO_ID || id - next > GAP_MAX) {
            if (next != NO_ID)
                cp_put_char('\n');
            cp_begin_record(CP_REC_COUNT);
            cp_put_decimal(id);
            next = id;
        }
        for (; next < id; next++)
            cp_put(" 0");
        cp_put_char(' ');
        cp_put_decimal(count);
        next++;
    }
    if (next != NO_ID)
        cp_put_char('\n');
}

/* All columns, in the order of the events. */
static const UChar all_columns[] = {CP_COLUMN_IR,   CP_COLUMN_I1MR, CP_COLUMN_ILMR, CP_COLUMN_DR,
                                    CP_COLUMN_D1MR, CP_COLUMN_DLMR, CP_COLUMN_DW,   CP_COLUMN_D1MW,
                                    CP_COLUMN_DLMW, CP_COLUMN_BC,   CP_COLUMN_BCM,  CP_COLUMN_BI,
                                    CP_COLUMN_BIM,  CP_COLUMN_REP};

/* The columns of 'm' records: all that basic blocks do not count, or not always. Frequent ones come
 * first, since trailing zeros are left out. */
static const UChar counted[] = {CP_COLUMN_I1MR, CP_COLUMN_ILMR, CP_COLUMN_D1MR, CP_COLUMN_DLMR,
                                CP_COLUMN_D1MW, CP_COLUMN_DLMW, CP_COLUMN_DR,   CP_COLUMN_DW,
                                CP_COLUMN_BCM,  CP_COLUMN_BIM};

/* The names of the program's own events, which come last. */
static void put_event_names(void)
{
    for (UInt i = 0; i < cp_event_count(); i++) {
        cp_put_char(' ');
        cp_put(cp_event_name(i));
    }
}

static void put_events(void)
{
    cp_put(CP_KEY_EVENTS ":");
    for (UInt i = 0; i < sizeof all_columns; i++)
        if (cp_has_column(all_columns[i])) {
            cp_put_char(' ');
            cp_put(cp_column_names[all_columns[i]]);
        }
    put_event_names();
    cp_put_char('\n');
}

static void put_counted(void)
{
    if (!clo_cache_sim && !clo_branch_sim && !cp_event_count())
        return;
    cp_put(CP_KEY_COUNTED ":");
    for (UInt i = 0; i < sizeof counted; i++)
        if (cp_has_column(counted[i])) {
            cp_put_char(' ');
            cp_put(cp_column_names[counted[i]]);
        }
    put_event_names();
    cp_put_char('\n');
}

/* Writes the numbers of one record, each with a blank before it, without trailing zeros. `order`
 * has n columns; `events` are the program's own, NULL: zeros. */
static void put_columns(const ULong *columns, const UChar *order, UInt n, const ULong *events)
{
    ULong values[CP_COLUMNS + CP_EVENTS];
    UInt n_values = 0;

    for (UInt i = 0; i < n; i++)
        if (cp_has_column(order[i]))
            values[n_values++] = columns[order[i]];
    for (UInt i = 0; events && i < cp_event_count(); i++)
        values[n_values++] = events[i];
    while (n_values > 1 && !values[n_values - 1])
        n_values--;
    for (UInt i = 0; i < n_values; i++) {
        cp_put_char(' ');
        cp_put_decimal(values[i]);
    }
    cp_put_char('\n');
}

static Bool any(const ULong *columns)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (columns[i])
            return True;
    return False;
}

static void put_misses(const AccessPoint *p, const ULong *columns)
{
    if (!any(columns))
        return;
    cp_begin_record(CP_REC_MISSES);
    cp_put_place(p->range, p->address);
    put_columns(columns, counted, sizeof counted, NULL);
}

/* The miss counters that are still to be written, `n` of them. */
typedef struct {
    const MissCounter **next;
    UInt n;
} MissCounters;

/* Writes those of one context. The access points of one instruction follow each other and make one
 * record. */
static void put_counters(const Node *node, MissCounters *counters)
{
    while (counters->n && (*counters->next)->node == node->id) {
        const AccessPoint *p = cp_point((*counters->next)->point);
        ULong columns[CP_COLUMNS] = {0};

        for (; counters->n && (*counters->next)->node == node->id;
             counters->next++, counters->n--) {
            const AccessPoint *same = cp_point((*counters->next)->point);
            if (same->address != p->address || same->range != p->range)
                break;
            cp_misses_columns(*counters->next, columns);
        }
        put_misses(p, columns);
    }
}

/* Writes the accesses that were made under a guard. */
static void put_guarded(const Node *node)
{
    for (const AccessPoint *p = node->function->guarded; p; p = p->next) {
        ULong columns[CP_COLUMNS] = {0};
        columns[p->kind == POINT_READ ? CP_COLUMN_DR : CP_COLUMN_DW] =
            cp_node_counted(node, p->slot);
        put_misses(p, columns);
    }
}

/*--- Contexts ---*/

static void put_root_name(const Node *n)
{
    static const HChar *const names[] = {[FUNCTION_FIBRE] = "[fibre]",
                                         [FUNCTION_SIGNAL] = "[signal]",
                                         [FUNCTION_OVERFLOW] = "[more]"};
    FunctionKind kind = n->function->kind;

    cp_put_text(kind == FUNCTION_THREAD ? cp_thread_root((UInt)n->site) : names[kind]);
}

static void put_context(const Node *n)
{
    Bool is_code = n->function->kind <= FUNCTION_STUB;
    Bool is_section = n->function->kind == FUNCTION_SECTION;

    cp_begin_record(is_code ? CP_REC_CONTEXT : is_section ? CP_REC_ENTERED : CP_REC_ROOT);
    cp_put_decimal(n->id);
    cp_put_char(' ');
    if (n->parent)
        cp_put_decimal(n->parent->id);
    else
        cp_put_char('-');
    cp_put_char(' ');
    if (is_code) {
        cp_put_place(n->function->range, n->function->start);
        cp_put_char(' ');
        cp_put_site(n->parent->function, n->site);
        cp_put_char(' ');
        cp_put_decimal(cp_node_calls(n));
        cp_put_char('\n');
    } else if (is_section) {
        cp_put_decimal(n->function->start);
        cp_put_char(' ');
        cp_put_decimal(cp_node_calls(n));
        cp_put_char('\n');
    } else {
        put_root_name(n);
    }
}

/* The counts of the program's own events that are still to be written, `n` of them. */
typedef struct {
    const EventCount **next;
    UInt n;
} EventCounts;

/* Writes those of one context. Those of one instruction make one record. */
static void put_event_counts(const Node *node, EventCounts *counts)
{
    static const ULong no_columns[CP_COLUMNS];

    while (counts->n && (*counts->next)->node == node->id) {
        const EventCount *first = *counts->next;
        ULong events[CP_EVENTS] = {0}, sum = 0;

        for (; counts->n; counts->next++, counts->n--) {
            const EventCount *c = *counts->next;
            if (c->node != node->id || c->address != first->address || c->range != first->range)
                break;
            events[c->event] = c->sum;
            sum |= c->sum;
        }
        if (!sum)
            continue;
        cp_begin_record(CP_REC_MISSES);
        cp_put_place(first->range, first->address);
        put_columns(no_columns, counted, sizeof counted, events);
    }
}

static void put_contexts(void)
{
    MissCounters counters;
    EventCounts events;
    const MissCounter **sorted = cp_misses_sorted(&counters.n);
    const EventCount **sorted_events = cp_event_sorted(&events.n);

    counters.next = sorted;
    events.next = sorted_events;
    cp_inclusive_begin_sum();
    for (UInt i = 0; i < cp_node_count(); i++) {
        const Node *n = cp_node(i);
        if (n->function->kind != FUNCTION_ALL)
            put_context(n);
        for (const Node *m = n; m; m = cp_node_beside(m)) {
            put_counts(m);
            cp_inclusive_add_node(m); /* while its counters are in the caches */
            put_guarded(m);
        }
        put_counters(n, &counters);
        put_event_counts(n, &events);
        cp_heap_write_node(n);
    }
    VG_(free)(sorted);
    VG_(free)(sorted_events);
}

/* Copies the inclusive costs; False if there are none. */
static Bool get_inclusive(const Activity *a, ULong *columns)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        columns[i] = cp_inclusive(a, i);
    return any(columns);
}

/* The inclusive counts of the program's own events, of a function or an edge. */
static const ULong *events_of(const void *owner)
{
    static ULong counts[CP_EVENTS];

    for (UInt i = 0; i < cp_event_count(); i++)
        counts[i] = cp_event_inclusive(owner, i);
    return counts;
}

static void put_inclusive(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        ULong columns[CP_COLUMNS];
        if (f->kind != FUNCTION_CODE || !get_inclusive(&f->activity, columns))
            continue;
        cp_begin_record(CP_REC_INCLUSIVE);
        cp_put_place(f->range, f->start);
        put_columns(columns, all_columns, sizeof all_columns, events_of(f));
    }
}

static void put_edges(void)
{
    for (UInt i = 0; i < cp_edge_count(); i++) {
        const Edge *e = cp_edge(i);
        ULong columns[CP_COLUMNS];
        Bool costs = get_inclusive(&e->activity, columns);
        if (e->caller->kind > FUNCTION_STUB || e->callee->kind != FUNCTION_CODE ||
            (!e->calls && !costs))
            continue;
        cp_begin_record(CP_REC_EDGE);
        cp_put_place(e->caller->range, e->caller->start);
        cp_put_char(' ');
        cp_put_place(e->callee->range, e->callee->start);
        cp_put_char(' ');
        cp_put_site(e->caller, e->site);
        cp_put_char(' ');
        cp_put_decimal(e->calls);
        put_columns(columns, all_columns, sizeof all_columns, events_of(e));
    }
}

/*--- Sections ---*/

/* Values of a section that one record has. */
#define SPREAD_LINE 64

/* Begins a record of a section. */
static void begin_section(HChar letter, const Section *s)
{
    cp_begin_record(letter);
    cp_put_decimal(s->id);
}

static void put_spread(const Section *s)
{
    SpreadValue *values = cp_spread_sorted(&s->spread);

    for (UInt i = 0; i < s->spread.n; i++) {
        if (i % SPREAD_LINE == 0)
            begin_section(CP_REC_SPREAD, s);
        cp_put_char(' ');
        cp_put_decimal(values[i].value);
        cp_put_char(' ');
        cp_put_decimal(values[i].count);
        if (i % SPREAD_LINE == SPREAD_LINE - 1 || i + 1 == s->spread.n)
            cp_put_char('\n');
    }
    VG_(free)(values);
    if (!s->spread.rounded)
        return;
    begin_section(CP_REC_EXTREMES, s);
    cp_put_char(' ');
    cp_put_decimal(s->spread.least);
    cp_put_char(' ');
    cp_put_decimal(s->spread.greatest);
    cp_put_char('\n');
}

static void put_section(const Section *s)
{
    const ULong counts[] = {s->began, s->ended, s->lost, s->stray, s->foreign, s->crossed};
    ULong columns[CP_COLUMNS];

    begin_section(CP_REC_SECTION, s);
    for (UInt i = 0; i < sizeof counts / sizeof *counts; i++) {
        cp_put_char(' ');
        cp_put_decimal(counts[i]);
    }
    cp_put_char(' ');
    cp_put_text(s->name);
    for (UInt i = 0; i < CP_COLUMNS; i++)
        columns[i] = s->function->activity.columns[i].inclusive;
    begin_section(CP_REC_SECTION_COST, s);
    put_columns(columns, all_columns, sizeof all_columns, events_of(s->function));
    put_spread(s);
}

static void put_sections(void)
{
    for (UInt i = 0; i < cp_section_count(); i++)
        put_section(cp_section_at(i));
}

/*--- The whole ---*/

static HChar *path;

static void put_all(void)
{
    ULong lines;

    cp_header_begin(ended, exit_code);
    put_events();
    put_counted();
    cp_heap_write_begin(!trigger);
    cp_data_write_key();
    cp_curve_write_key();
    cp_header_random();
    cp_header_subject();
    cp_header_threads();
    cp_header_schedule();
    cp_header_rep();
    cp_header_part(part && !trigger ? part + 1 : part, trigger);
    put_objects();
    put_blocks();
    put_sections();
    cp_context_sum_calls();
    put_contexts();
    forget_block_ids();
    cp_argument_write();
    cp_inclusive_end_sum();
    put_inclusive();
    put_edges();
    cp_heap_write_end();
    cp_names_write(cp_put_place);
    cp_data_write();
    cp_curve_write();
    lines = cp_file_lines();
    cp_put(CP_RAW_END " ");
    cp_put_decimal(lines);
    cp_put_char('\n');
}

static void choose_path(void)
{
    if (!path && clo_out_fd < 0)
        path = cp_file_name(clo_out_file);
}

void cp_dump(CpEnd end, Int code)
{
    choose_path();
    if (!cp_file_begin(path, 0))
        return;
    ended = end;
    exit_code = code;
    cp_stack_restart(put_all);
    cp_file_end(end == CP_ENDED_EXEC);
}

void cp_dump_part(const HChar *text)
{
    HChar *name = NULL;

    choose_path();
    part++;
    if (path) {
        name = VG_(malloc)("cp.dump.6", VG_(strlen)(path) + 16);
        VG_(sprintf)(name, "%s.%u", path, part);
    }
    if (cp_file_begin(name, part)) {
        trigger = text;
        ended = CP_ENDED_UNKNOWN;
        cp_stack_restart(put_all);
        cp_file_end(False);
        trigger = NULL;
    }
    VG_(free)(name);
}

void cp_dump_withdraw(void)
{
    if (path || clo_out_fd >= 0)
        cp_file_withdraw(path);
}

void cp_dump_forget_name(void)
{
    VG_(free)(path);
    path = NULL;
}
