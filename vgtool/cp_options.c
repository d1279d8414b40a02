/*
 * cp_options.c - the options' values, with their defaults. cp_main.c reads the command line.
 */
#include "cp_tool.h"

const HChar *clo_out_file = "cprof.out.%p";
Bool clo_cache_sim = True;
Bool clo_branch_sim = False;
Bool clo_contexts = False;
UInt clo_max_contexts = 1000000;
Bool clo_collect_atstart = True;
Bool clo_instr_atstart = True;
Bool clo_deterministic = False;
const HChar *clo_progress_file = NULL;
Bool clo_check = False;
Bool clo_names = False;
