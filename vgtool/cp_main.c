/*
 * cp_main.c - registers the tool with Valgrind: options, start, end, and the system calls that end
 * a process.
 */
#include "cp_arch.h"
#include "cp_argument.h"
#include "cp_blocking.h"
#include "cp_cache.h"
#include "cp_child.h"
#include "cp_clock.h"
#include "cp_context.h"
#include "cp_core.h"
#include "cp_curve.h"
#include "cp_data.h"
#include "cp_dump.h"
#include "cp_engine.h"
#include "cp_event.h"
#include "cp_filter.h"
#include "cp_fixed.h"
#include "cp_frame.h"
#include "cp_function.h"
#include "cp_heap.h"
#include "cp_inclusive.h"
#include "cp_instrument.h"
#include "cp_leap.h"
#include "cp_maps.h"
#include "cp_misses.h"
#include "cp_model.h"
#include "cp_object.h"
#include "cp_patched.h"
#include "cp_progress.h"
#include "cp_random.h"
#include "cp_request.h"
#include "cp_schedule.h"
#include "cp_section.h"
#include "cp_stack.h"
#include "cp_syscall.h"
#include "cp_thread.h"
#include "cp_tool.h"
#include "cp_vfork.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vkiscnums.h"

static Geometry clo_I1 = {-1, -1, -1}, clo_D1 = {-1, -1, -1}, clo_LL = {-1, -1, -1};

/* The status that the program gave to exit_group, or its last thread to exit, if one did. */
static Bool has_exited;
static Int exit_status;
static UInt n_threads; /* that have not called exit; the core announces the first one too */

static void on_thread(ThreadId parent, ThreadId child)
{
    n_threads++;
    cp_random_thread();
    cp_filter_thread(parent, child);
    cp_fixed_thread(parent, child);
    cp_engine_begin_thread(child);
    cp_blocking_thread(child);
    if (clo_contexts)
        cp_stack_begin(child);
}

static void on_signal(ThreadId tid, Int number, Bool alternate)
{
    cp_schedule_signal(tid, (UInt)number);
    cp_engine_signal(tid);
    (clo_contexts ? cp_stack_signal : cp_leap_signal)(tid);
}

static void after_signal(ThreadId tid, Int number)
{
    cp_engine_after_signal(tid);
    (clo_contexts ? cp_stack_after_signal : cp_leap_after_signal)(tid);
}

static void on_stop(ThreadId tid, ULong superblocks)
{
    cp_clock_stop(superblocks);
    cp_function_discard();
    if (clo_cache_sim)
        cp_cache_pause();
}

static void parse_geometry(const HChar *option, const HChar *text, Geometry *geometry)
{
    const HChar *wrong = cp_geometry_parse(text, geometry);

    if (wrong)
        VG_(fmsg_bad_option)(option, "'%s' is no cache: %s\n", text, wrong);
}

static Bool process_option(const HChar *arg)
{
    const HChar *text;

    if VG_STR_CLO (arg, "--cprof-out-file", clo_out_file) {
    } else if VG_BINT_CLO (arg, "--cprof-out-fd", clo_out_fd, 0, 0x7fffffff) {
    } else if VG_BOOL_CLO (arg, "--cache-sim", clo_cache_sim) {
    } else if VG_BOOL_CLO (arg, "--branch-sim", clo_branch_sim) {
    } else if VG_XACT_CLO (arg, "--rep=each", clo_rep_one, False) {
    } else if VG_XACT_CLO (arg, "--rep=one", clo_rep_one, True) {
    } else if VG_BOOL_CLO (arg, "--contexts", clo_contexts) {
    } else if VG_BINT_CLO (arg, "--max-contexts", clo_max_contexts, 1000, 100000000) {
    } else if VG_BOOL_CLO (arg, "--collect-atstart", clo_collect_atstart) {
    } else if VG_BOOL_CLO (arg, "--instr-atstart", clo_instr_atstart) {
    } else if VG_STR_CLO (arg, "--toggle-collect", text) {
        /* As in callgrind: from now on collect only what the function calls. */
        clo_collect_atstart = False;
        cp_request_toggle(text);
    } else if VG_STR_CLO (arg, "--count-arg", text) {
        const HChar *wrong = cp_argument_option(text);
        if (wrong)
            VG_(fmsg_bad_option)(arg, "%s\n", wrong);
    } else if VG_XACT_CLO (arg, "--section-caches=warm", clo_section_caches_cold, False) {
    } else if VG_XACT_CLO (arg, "--section-caches=cold", clo_section_caches_cold, True) {
    } else if VG_STR_CLO (arg, "--setup", text) {
        cp_header_setup(text);
    } else if VG_BOOL_CLO (arg, "--deterministic", clo_deterministic) {
    } else if VG_BOOL_CLO (arg, "--fixed-machine", clo_fixed_machine) {
    } else if VG_STR_CLO (arg, "--cpu-level", clo_cpu_level) {
    } else if VG_BOOL_CLO (arg, "--fixed-schedule", clo_fixed_schedule) {
    } else if VG_BINT_CLO (arg, "--schedule-seed", clo_schedule_seed, 0, 1000000) {
    } else if VG_BOOL_CLO (arg, "--fixed-clock", clo_fixed_clock) {
    } else if VG_STR_CLO (arg, "--progress-file", clo_progress_file) {
    } else if VG_XACT_CLO (arg, "--engine=vex", clo_engine, ENGINE_VEX) {
    } else if VG_XACT_CLO (arg, "--engine=near", clo_engine, ENGINE_NEAR) {
    } else if VG_BINT_CLO (arg, "--copies-size", clo_copies_size, 64, MOST_COPIES_SIZE) {
    } else if VG_BINT_CLO (arg, "--copies-events", clo_copies_events, 0, 100000) {
    } else if VG_BOOL_CLO (arg, "--heap", clo_heap) {
    } else if VG_BOOL_CLO (arg, "--data", clo_data) {
    } else if VG_BOOL_CLO (arg, "--line-use", clo_line_use) {
    } else if VG_BOOL_CLO (arg, "--miss-curves", clo_miss_curves) {
    } else if VG_XACT_CLO (arg, "--subject=heap", clo_subject, "heap") {
    } else if VG_XACT_CLO (arg, "--subject=data", clo_subject, "data") {
    } else if VG_STR_CLO (arg, "--alloc-function", text) {
        const HChar *wrong = cp_role_option(text);
        if (wrong)
            VG_(fmsg_bad_option)(arg, "%s\n", wrong);
    } else if VG_BOOL_CLO (arg, "--cprof-check", clo_check) {
    } else if VG_BOOL_CLO (arg, "--cprof-names", clo_names) {
    } else if VG_STR_CLO (arg, "--I1", text) {
        parse_geometry(arg, text, &clo_I1);
    } else if VG_STR_CLO (arg, "--D1", text) {
        parse_geometry(arg, text, &clo_D1);
    } else if VG_STR_CLO (arg, "--LL", text) {
        parse_geometry(arg, text, &clo_LL);
    } else {
        return False;
    }
    return True;
}

static void print_usage(void)
{
    VG_(printf)
    ("    --cprof-out-file=<file>          write the profile there [cprof.out.%%p]\n"
     "    --cprof-out-fd=<number>          send it over this socket of packets instead\n"
     "    --cache-sim=no|yes               simulate caches [yes]\n"
     "    --branch-sim=no|yes              simulate branch prediction [no]\n"
     "    --rep=each|one                   count each repetition of rep movs and the like as an "
     "instruction, or all as one [each]\n"
     "    --engine=near|vex                run copies of code where they can be had, or VEX's "
     "translations alone [near]\n"
     "    --contexts=no|yes                costs of each call path [no]\n"
     "    --max-contexts=<number>          fold what goes beyond, 1000 to 100000000, into one "
     "call path per function "
     "[1000000]\n"
     "    --collect-atstart=no|yes         collect from the start on [yes]\n"
     "    --instr-atstart=no|yes           the same, for programs that start instrumentation "
     "[yes]\n"
     "    --toggle-collect=<function>      collect only while it runs; may hold * and ?; needs "
     "contexts\n"
     "    --count-arg=<function>=<n>[:log2]  count the values of its n-th integer argument, by "
     "contexts\n"
     "    --heap=no|yes                    count blocks of the heap, by contexts [no]\n"
     "    --data=no|yes                    put misses to the data that missed [no]\n"
     "    --line-use=no|yes                count the bytes of D1's lines that are used [no]\n"
     "    --miss-curves=no|yes             misses of any size of a fully associative LL [no]\n"
     "    --subject=heap|data              what the profile is to be shown as [its code]\n"
     "    --alloc-function=<name>[:size=<n>][:ptr[=<n>]][:free[=<n>]]  a function that allocates, "
     "too\n"
     "    --section-caches=warm|cold       the caches where a section begins [warm]\n"
     "    --deterministic=no|yes           give the program the same random bytes each time [no]\n"
     "    --fixed-machine=no|yes           give the program the same machine, stack and names of "
     "its folder everywhere [no]\n"
     "    --cpu-level=<class>              the class of that machine's processor [the highest "
     "usual]\n"
     "    --fixed-schedule=no|yes          let threads run in the same order each time [no]\n"
     "    --schedule-seed=<number>         another order than the first, with a fixed schedule "
     "[0]\n"
     "    --fixed-clock=no|yes             a clock of executed code, not the machine's [no]\n"
     "    --setup=<text>                   keep this with the profile; may be given several times\n"
     "    --progress-file=<file>           say there how far it is; the file must exist\n"
     "    --I1=<size>,<ways>,<line>        instruction cache [the host's]\n"
     "    --D1=<size>,<ways>,<line>        data cache [the host's]\n"
     "    --LL=<size>,<ways>,<line>        last-level cache [the host's]\n");
}

static void print_debug_usage(void)
{
    VG_(printf)
    ("    --copies-size=<number>           memory for copies of code, in kilobytes, from 64 on "
     "[393216]\n"
     "    --copies-events=<number>         ask the core for signals after so many jumps back; 0: "
     "when "
     "it likes [0]\n"
     "    --cprof-check=no|yes             walk the stack in each basic block and compare [no]\n"
     "    --cprof-names=no|yes             write Valgrind's function names too [no]\n");
}

/* The core is about to execute superblocks of thread `tid`. */
static void on_client_code(ThreadId tid, ULong superblocks)
{
    cp_fixed_start(tid);
    cp_schedule_runs(tid);
    cp_engine_thread(tid);
    cp_context_drain(superblocks);
    if (clo_contexts)
        cp_stack_switch(tid);
    else
        cp_section_switch(tid);
    cp_progress_tick(tid);
}

/* All that is counted by context and not kept there. */
static void forget_counts(void)
{
    cp_misses_reset();
    cp_section_reset();
    cp_event_reset();
    cp_heap_reset();
    cp_data_reset();
    cp_curve_reset();
    cp_argument_reset();
}

/* A filter of the program's own ends the process. */
static void end_by_filter(void)
{
    cp_dump(CP_ENDED_UNKNOWN, 0);
}

/* Tells modules below which functions above to call; an include would close a circle. */
static void connect(void)
{
    cp_function_toggles = cp_request_is_toggle;
    cp_function_argument_options = cp_argument_options_of;
    cp_filter_ends = end_by_filter;
    cp_frame_inside = cp_request_inside;
    cp_context_forget_counts = forget_counts;
    cp_request_dump_part = cp_dump_part;
}

/* Has the profile say what executes the program: VEX for a reason, or copies. */
static void put_engine(const HChar *why_vex)
{
    HChar text[128];

    VG_(snprintf)
    (text, sizeof text, "engine %s%s", why_vex ? "VEX: " : "copies", why_vex ? why_vex : "");
    cp_header_setup(text);
}

/* Has the profile say what the program could see of the machine. */
static void init_machine(void)
{
    const HChar *wrong = clo_fixed_machine ? cp_arch_choose_class(clo_cpu_level) : NULL;
    HChar text[64];

    if (clo_cpu_level && !clo_fixed_machine)
        wrong = "it needs --fixed-machine=yes";
    if (wrong) {
        VG_(fmsg)("--cpu-level=%s: %s\n", clo_cpu_level, wrong);
        VG_(exit)(1);
    }
    if (clo_fixed_machine) {
        cp_fixed_init_names();
        cp_fixed_init_calls();
    }
    VG_(snprintf)
    (text, sizeof text, "machine %s %s", clo_fixed_machine ? "fixed" : "host",
     clo_fixed_machine ? cp_arch_class() : cp_arch_host_class());
    cp_header_setup(text);
}

static void put_schedule(const HChar *why_free)
{
    if (why_free)
        VG_(umsg)("the schedule of threads is not fixed: %s\n", why_free);
}

static void post_clo_init(void)
{
    /*
     * If VEX followed jumps while translating, it could evaluate the second half of `a && b` before
     * the first is known, and instructions that never execute would count. So a user's option is
     * overruled.
     */
    VG_(clo_vex_control).guest_chase = False;
    cp_child_init();
    cp_syscall_init();
    put_schedule(cp_blocking_init());
    cp_thread_name_first(VG_(args_the_exename));
    if (clo_cache_sim)
        cp_cache_init(&clo_I1, &clo_D1, &clo_LL);
    put_engine(cp_engine_init());
    init_machine();
    cp_header_init();
    cp_random_init();
    cp_context_init();
    if (clo_contexts)
        cp_stack_init();
    cp_marker_init();
    VG_(track_start_client_code)(on_client_code);
    VG_(track_pre_deliver_signal)(on_signal);
    VG_(track_post_deliver_signal)(after_signal);
    if (clo_heap)
        cp_heap_init();
    if (clo_data || clo_line_use)
        cp_data_init();
    if (clo_miss_curves && !clo_cache_sim)
        VG_(fmsg_bad_option)("--miss-curves=yes", "it needs --cache-sim=yes\n");
    clo_miss_curves &= clo_cache_sim;
    if (clo_miss_curves)
        cp_curve_init(&cp_LL);
    if (clo_data && !clo_cache_sim)
        VG_(fmsg_bad_option)("--data=yes", "it needs --cache-sim=yes\n");
    if (clo_line_use && !clo_cache_sim)
        VG_(fmsg_bad_option)("--line-use=yes", "it needs --cache-sim=yes\n");
    if (clo_heap && !clo_contexts)
        VG_(fmsg_bad_option)("--heap=yes", "it needs --contexts=yes\n");
    cp_request_begin();
}

static void pre_syscall(ThreadId tid, UInt number, UWord *args, UInt n_args)
{
    cp_vfork_before(tid, number, args);
    if (number == __NR_exit_group || (number == __NR_exit && --n_threads == 0)) {
        has_exited = True;
        exit_status = (Int)args[0];
    } else if (number == __NR_execve || number == __NR_execveat) {
        /* A successful exec leaves no later chance to write. */
        cp_child_before(number, args);
        cp_dump(CP_ENDED_EXEC, 0);
    } else {
        cp_maps_before(number, args);
    }
}

/* After an exec the core calls this only if it failed. */
static void post_syscall(ThreadId tid, UInt number, UWord *args, UInt n_args, SysRes result)
{
    if (number == __NR_execve || number == __NR_execveat) {
        cp_dump_withdraw();
        cp_child_failed();
    } else if (!sr_isError(result)) {
        cp_random_syscall(number, args, sr_Res(result));
        cp_core_syscall(tid, number, args, sr_Res(result));
        cp_maps_after(number, args, sr_Res(result));
        cp_patched_syscall(number, args, sr_Res(result));
        if (clo_contexts)
            cp_thread_syscall(cp_stack_thread(tid), number, args);
        if (clo_heap && cp_heap_is_syscall(number)) {
            cp_stack_switch(tid);
            cp_heap_syscall(number, args, sr_Res(result));
        }
    }
}

static void fini(Int code)
{
    cp_engine_end();
    cp_dump(has_exited ? CP_ENDED_CODE : CP_ENDED_UNKNOWN, exit_status);
    cp_engine_report();
    if (cp_stack_walks())
        cp_stack_restart(cp_inclusive_compare);
}

/* A child counts only its own costs; those before the fork are its parent's. */
static void after_fork(ThreadId tid)
{
    n_threads = 1;
    cp_schedule_fork();
    cp_vfork_child(tid);
    cp_progress_stop();
    cp_maps_forget();
    cp_stack_restart(cp_context_reset);
    cp_heap_fork();
    cp_dump_forget_name();
    cp_random_restart();
}

static void pre_clo_init(void)
{
    VG_(details_name)("cprof");
    VG_(details_version)(CPROF_VERSION);
    VG_(details_description)("exact costs per instruction");
    VG_(details_copyright_author)("Licence: GPL-2.0-or-later; see COPYING.");
    VG_(details_bug_reports_to)("the authors of cargo-cprof");
    VG_(details_avg_translation_sizeB)(400);

    VG_(clo_vex_control).guest_chase = False;
    /* As in cachegrind, only the stack pointer must be right at each access: fewer registers are
     * written back. */
    VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdSpAtMemAccess;
    VG_(clo_px_file_backed) = VexRegUpdSpAtMemAccess;

    VG_(basic_tool_funcs)(post_clo_init, cp_instrument, fini);
    VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
    VG_(needs_syscall_wrapper)(pre_syscall, post_syscall);
    VG_(atfork)(cp_vfork_begin, cp_vfork_parent, after_fork);
    VG_(track_pre_thread_ll_create)(on_thread);
    VG_(track_stop_client_code)(on_stop);
    connect();
    cp_object_init();
    cp_request_init();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
