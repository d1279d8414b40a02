/*
 * cp_request.c - client requests of other tools, patterns of --toggle-collect, and the state of the
 * switches.
 */
#include "cp_request.h"

#include "cp_arch.h"
#include "cp_cache.h"
#include "cp_context.h"
#include "cp_event.h"
#include "cp_heap.h"
#include "cp_inclusive.h"
#include "cp_instrument.h"
#include "cp_leap.h"
#include "cp_role.h"
#include "cp_section.h"
#include "cp_stack.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clreq.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_xarray.h"

/* Handles a request of thread `tid`. False: it is none of these. */
static Bool cp_marker_handle(ThreadId tid, const UWord *words, UWord *answer);

/*
 * The numbers of the requests, by callgrind.h of Valgrind 3.0 and later and by cachegrind.h of
 * 3.22. callgrind has two switches, instrumentation and collecting, and counts what both let
 * through. In this tool neither costs more than the other.
 */
#define CALLGRIND(n)  (VG_USERREQ_TOOL_BASE('C', 'T') + (n))
#define CACHEGRIND(n) (VG_USERREQ_TOOL_BASE('C', 'G') + (n))
enum {
    DUMP_STATS = CALLGRIND(0),
    ZERO_STATS = CALLGRIND(1),
    TOGGLE_COLLECT = CALLGRIND(2),
    DUMP_STATS_AT = CALLGRIND(3),
    START_INSTRUMENTATION = CALLGRIND(4),
    STOP_INSTRUMENTATION = CALLGRIND(5),
    CACHEGRIND_START = CACHEGRIND(0),
    CACHEGRIND_STOP = CACHEGRIND(1)
};

static Bool is_instrumenting, is_toggled; /* the two switches */
static UInt n_inside;                     /* live functions that switch */
static ULong n_began, n_ended;
static Bool ever_switched;
void (*cp_request_dump_part)(const HChar *trigger);

typedef struct {
    const HChar *pattern;
    UInt n_functions; /* that match, of those that were called */
} Toggle;

static XArray *toggles; /* of Toggle */

static Bool wanted(void)
{
    return is_instrumenting && is_toggled != (n_inside > 0);
}

static void set_collecting(void)
{
    if (!wanted())
        cp_inclusive_leave_tree();
    cp_context_collect(wanted());
}

static void apply(void)
{
    if (wanted() == cp_collecting)
        return;
    ever_switched = True;
    n_began += !cp_collecting;
    n_ended += cp_collecting;
    cp_stack_restart(set_collecting);
}

void cp_request_begin(void)
{
    is_instrumenting = clo_instr_atstart;
    is_toggled = clo_collect_atstart;
    ever_switched = toggles || !wanted();
    /* Switching needs the number of activations. */
    if (toggles)
        cp_inclusive_leave_tree();
    set_collecting();
}

void cp_request_toggle(const HChar *pattern)
{
    Toggle new = {VG_(strdup)("cp.request.1", pattern), 0};

    if (!toggles)
        toggles = VG_(newXA)(VG_(malloc), "cp.request.2", VG_(free), sizeof new);
    VG_(addToXA)(toggles, &new);
}

static Toggle *toggle_at(UInt i)
{
    return VG_(indexXA)(toggles, (Word)i);
}

UInt cp_request_toggle_count(void)
{
    return toggles ? (UInt)VG_(sizeXA)(toggles) : 0;
}

const HChar *cp_request_toggle_at(UInt i, UInt *n_functions)
{
    *n_functions = toggle_at(i)->n_functions;
    return toggle_at(i)->pattern;
}

Bool cp_request_is_toggle(Addr start)
{
    Bool found = False;

    for (UInt i = 0; i < cp_request_toggle_count(); i++)
        if (cp_pattern_matches(toggle_at(i)->pattern, start)) {
            toggle_at(i)->n_functions++;
            found = True;
        }
    return found;
}

void cp_request_inside(UInt n)
{
    n_inside = n;
    apply();
}

static void dump(const HChar *trigger)
{
    cp_request_dump_part(trigger);
    cp_stack_restart(cp_context_reset);
}

static Bool handle(ThreadId tid, UWord *args, UWord *result)
{
    *result = 0;
    switch (args[0]) {
    case DUMP_STATS:
        dump("Client Request");
        break;
    case DUMP_STATS_AT:
        dump((const HChar *)args[1]);
        break;
    case ZERO_STATS:
        cp_stack_restart(cp_context_reset);
        break;
    case TOGGLE_COLLECT:
        is_toggled = !is_toggled;
        apply();
        break;
    case START_INSTRUMENTATION:
    case CACHEGRIND_START:
        is_instrumenting = True;
        apply();
        break;
    case STOP_INSTRUMENTATION:
    case CACHEGRIND_STOP:
        is_instrumenting = False;
        apply();
        break;
    default:
        return cp_heap_request(tid, args) || cp_marker_handle(tid, args, result);
    }
    return True;
}

void cp_request_init(void)
{
    VG_(needs_client_requests)(handle);
}

Bool cp_request_switched(ULong *began, ULong *ended)
{
    *began = n_began;
    *ended = n_ended;
    return ever_switched;
}

/*--- Sections and events of the program ---*/

/* words[1] is the address of the name, words[2] its length; see words[3] below. */
enum {
    BEGIN = VG_USERREQ_TOOL_BASE('C', 'P'),
    END,
    EVENT,  /* words[3]: the number */
    RESUME, /* words[3]: the number of the entry that goes on, or 0; the answer is its number */
    PAUSE,  /* the same number */
    FINISH, /* the same; the entry is paused */
    REQUESTS_END
};

typedef struct {
    ThreadId tid;
    UWord code, number;
    const HChar *name;
    SizeT length;
} Request;

/* Says what is wrong with a request, at the first one of each kind. */
static void refuse(const Request *r, Bool *said, const HChar *why)
{
    HChar name[81];
    SizeT n = r->length < sizeof name ? r->length : sizeof name - 1;

    if (*said)
        return;
    *said = True;
    VG_(memcpy)(name, r->name, n);
    name[n] = 0;
    for (SizeT i = 0; i < n; i++)
        if ((UChar)name[i] < ' ' || name[i] == 0x7f)
            name[i] = '?';
    VG_(umsg)("%s '%s' is not counted: %s\n", r->code == EVENT ? "event" : "section", name, why);
}

/*--- Sections ---*/

/* True if no entry is open in the running thread. */
static Bool is_outermost(void)
{
    for (UInt i = 0; i < cp_section_count(); i++)
        if (cp_section_at(i)->function->activity.live)
            return False;
    return True;
}

/* Enters the section, or goes on in the entry. */
static void enter(const Request *r, SectionEntry *e, Bool begins)
{
    if (begins && clo_section_caches_cold && clo_cache_sim && is_outermost())
        cp_cache_empty();
    if (!clo_contexts) {
        cp_instrument_keep_totals();
        cp_leap_enter(r->tid, e);
        cp_section_push(r->tid, e);
    } else {
        cp_stack_enter(e, begins);
    }
}

static SectionEntry *leave(const Request *r, Section *section)
{
    Bool crossed;
    SectionEntry *e = clo_contexts ? cp_stack_leave(section, &crossed)
                                   : cp_section_pull(r->tid, section, &crossed);

    if (!e)
        cp_section_stray(section);
    else
        section->crossed += crossed;
    return e;
}

static UWord section_request(const Request *r, Section *section)
{
    SectionEntry *e;
    Bool begins;

    switch (r->code) {
    case BEGIN:
        enter(r, cp_section_enter(section), True);
        break;
    case END:
        e = leave(r, section);
        if (e)
            cp_section_end(e);
        break;
    case RESUME:
        e = cp_section_paused(section, r->number);
        begins = !e;
        e = e ? e : cp_section_enter(section);
        e->is_paused = False;
        enter(r, e, begins);
        return cp_section_number(e);
    case PAUSE:
        e = leave(r, section);
        if (e)
            e->is_paused = True;
        break;
    case FINISH:
        e = cp_section_paused(section, r->number);
        if (e)
            cp_section_end(e);
        break;
    default:
        break;
    }
    return 0;
}

/*--- All ---*/

static void event_request(const Request *r)
{
    static Bool said_name, said_sum;
    UInt event;

    if (!cp_collecting)
        return;
    if (!cp_event_get(r->name, r->length, &event)) {
        refuse(r, &said_name,
               "a name is a letter and letters, digits, '_' and '-', unlike those of other events "
               "in any case; a program has at most 32");
        return;
    }
    if (!cp_event_add(event, VG_(get_IP)(r->tid) - CP_REQUEST_SIZE, r->number)) {
        refuse(r, &said_sum, "the sum would exceed 2^63-1");
        return;
    }
    if (clo_contexts)
        cp_stack_count(event, r->number);
    else
        cp_section_count_event(r->tid, event, r->number);
}

static Bool cp_marker_handle(ThreadId tid, const UWord *words, UWord *answer)
{
    static Bool said;
    Request r = {tid, words[0], words[3], (const HChar *)words[1], words[2]};
    Section *section;

    if (words[0] < BEGIN || words[0] >= REQUESTS_END)
        return False;
    *answer = 0;
    if (!r.length || r.length > 4096 ||
        !VG_(am_is_valid_for_client)((Addr)r.name, r.length, VKI_PROT_READ)) {
        r.length = 0;
        refuse(&r, &said, "its name is no readable text");
    } else if (r.code == EVENT) {
        event_request(&r);
    } else if ((section = cp_section_get(r.name, r.length))) {
        *answer = section_request(&r, section);
    } else {
        refuse(&r, &said,
               "a name has 1 to 255 bytes and no control character; a program has at most 10000");
    }
    return True;
}

void cp_marker_init(void)
{
    if (clo_contexts)
        return;
    VG_(track_pre_thread_ll_exit)(cp_section_forget);
}
