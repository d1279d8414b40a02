/*
 * cp_options.c - the options' values, with their defaults, and the names of events. cp_main.c reads
 * the command line.
 */
#include "cp_tool.h"

const HChar *clo_out_file = "cprof.out.%p";
Int clo_out_fd = -1;
Bool clo_cache_sim = True;
Bool clo_branch_sim = False;
Bool clo_rep_one = False;
Bool clo_contexts = False;
UInt clo_max_contexts = 1000000;
Bool clo_collect_atstart = True;
Bool clo_instr_atstart = True;
Bool clo_section_caches_cold = False;
Bool clo_deterministic = False;
Bool clo_fixed_machine = False;
const HChar *clo_cpu_level = NULL;
Bool clo_fixed_schedule = False;
Int clo_schedule_seed = 0;
Bool clo_fixed_clock = False;
const HChar *clo_progress_file = NULL;
Int clo_copies_size = MOST_COPIES_SIZE;
Int clo_copies_events = 0;
Bool clo_heap = False;
Bool clo_data = False;
Bool clo_line_use = False;
Bool clo_miss_curves = False;
const HChar *clo_subject = NULL;
Bool clo_check = False;
Bool clo_names = False;

const HChar *const cp_column_names[CP_COLUMNS] = {
    [CP_COLUMN_IR] = "Ir",   [CP_COLUMN_I1MR] = "I1mr", [CP_COLUMN_ILMR] = "ILmr",
    [CP_COLUMN_DR] = "Dr",   [CP_COLUMN_D1MR] = "D1mr", [CP_COLUMN_DLMR] = "DLmr",
    [CP_COLUMN_DW] = "Dw",   [CP_COLUMN_D1MW] = "D1mw", [CP_COLUMN_DLMW] = "DLmw",
    [CP_COLUMN_BC] = "Bc",   [CP_COLUMN_BCM] = "Bcm",   [CP_COLUMN_BI] = "Bi",
    [CP_COLUMN_BIM] = "Bim", [CP_COLUMN_REP] = "Rep"};
