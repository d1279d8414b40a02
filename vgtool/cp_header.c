/* cp_header.c - the "key: value" lines of the raw profile, but those that list events. */
#include "cp_header.h"

#include "cp_argument.h"
#include "cp_cache.h"
#include "cp_child.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_random.h"
#include "cp_request.h"
#include "cp_section.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

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

void cp_header_random(void)
{
    cp_put_key(CP_KEY_RANDOM);
    cp_put(!cp_random_used() ? "no\n" : clo_deterministic ? "fixed\n" : "yes\n");
}

void cp_header_subject(void)
{
    if (!clo_subject)
        return;
    cp_put_key(CP_KEY_SUBJECT);
    cp_put(clo_subject);
    cp_put_char('\n');
}

void cp_header_threads(void)
{
    if (cp_random_threads() < 2)
        return;
    cp_put_key(CP_KEY_THREADS);
    cp_put_decimal(cp_random_threads());
    cp_put_char('\n');
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

/* It is the file that the entry point is mapped from: the core knows a program's name, but not its
 * path. The auxiliary vector lies behind the environment. */
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

void cp_header_part(UInt part, const HChar *trigger)
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

const HChar *cp_header_program(void)
{
    return program;
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

void cp_header_begin(CpEnd ended, Int exit_code)
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
