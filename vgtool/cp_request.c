/*
 * cp_request.c - client requests of other tools, patterns of --toggle-collect, and the state of the
 * switches.
 */
#include "cp_request.h"

#include "cp_context.h"
#include "cp_heap.h"
#include "cp_inclusive.h"
#include "cp_marker.h"
#include "cp_pattern.h"
#include "cp_stack.h"
#include "pub_tool_clreq.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_xarray.h"

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
