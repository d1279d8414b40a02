/*
 * cp_engine.h - executes the program's code: by VEX, or by copies of it (cp_near.h), where the
 * processor has them.
 */
#ifndef CP_ENGINE_H
#define CP_ENGINE_H

#include "cp_tool.h"
#include "libvex_ir.h"

/* --engine. Copies are taken where the processor and the options allow it. */
typedef enum { ENGINE_NEAR, ENGINE_VEX } Engine;
extern Engine clo_engine;

/* Decides. Call it when all options are known. Returns the reason for VEX; NULL: copies execute. */
const HChar *cp_engine_init(void);

/* Adds what code of VEX's needs at its beginning, or in front of the call of a helper. */
void cp_engine_watch(IRSB *out, const IRSB *in);
void cp_engine_watch_call(IRSB *out, const IRDirty *call);
/* Adds what an assignment to a register needs that the instruction at `at` makes. */
void cp_engine_watch_put(IRSB *out, const IRStmt *put, Addr at);

/* A thread begins. `tid` is the core's number, which another thread may have had before. */
void cp_engine_begin_thread(ThreadId tid);
/* Thread `tid` runs from here on. */
void cp_engine_thread(ThreadId tid);

/* A signal is about to be handled; its handler has returned. */
void cp_engine_signal(ThreadId tid);
void cp_engine_after_signal(ThreadId tid);

/* Tells the user, at the end, what only this engine can do. */
void cp_engine_report(void);

/* The program has ended. Counts what has executed and is not counted yet, and gives memory back. */
void cp_engine_end(void);

#endif
