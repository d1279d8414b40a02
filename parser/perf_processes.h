/*
 * perf_processes.h - processes that a program starts, of which some may go on when perf ends.
 */
#ifndef PARSER_PERF_PROCESSES_H
#define PARSER_PERF_PROCESSES_H

#include "arena.h"
#include "perf.h"

/* Takes "PERF_RECORD_FORK(42:42):(41:41)" or "PERF_RECORD_EXIT(42:42):(41:41)", which are of
 * process 42 and its parent, for the list of those that run (uint64_t); other records, and those of
 * threads, change nothing. 0; -1 when out of memory. */
int perf_processes_take(struct vector *running, struct perf_text event);

#endif
