/*
 * cp_format.h - the raw profile: the one header that the Valgrind tool and libcprof share.
 *
 * The tool writes what it can know for certain (addresses and counts); names are found afterwards.
 * The format is described in doc/format.md. Macros only: the tool has no libc and the library no
 * Valgrind.
 */
#ifndef CP_FORMAT_H
#define CP_FORMAT_H

/* First line of the file: CP_RAW_MAGIC, a blank, the version. A reader refuses other versions but
 * CP_RAW_OLDEST, in which a 'k' record had one count; it reads that as it is.
 */
#define CP_RAW_MAGIC   "cprof-raw"
#define CP_RAW_VERSION 2
#define CP_RAW_OLDEST  1

/* Header keys: "key: value". Text is escaped as CP_RAW_ESCAPE says. */
#define CP_KEY_CREATOR  "creator" /* text */
#define CP_KEY_PID      "pid"     /* decimal */
#define CP_KEY_PROGRAM  "program" /* text: the executable's absolute path */
#define CP_KEY_ARGUMENT "arg"     /* text, one line per argument, argv[0] first */
#define CP_KEY_CACHE_I1 \
    "I1" /* size ways line, bytes; absent without a cache model; so for D1, LL */
#define CP_KEY_CACHE_D1 "D1"
#define CP_KEY_CACHE_LL "LL"
#define CP_KEY_EVENTS   "events" /* all events that this file counts, in table order */
#define CP_KEY_COUNTED \
    "counted" /* the order of the numbers in 'm' records; a subset of CP_KEY_EVENTS */
#define CP_KEY_RANDOM \
    "random" /* "no" | "yes" | "fixed": random bytes that the counts may depend on */
#define CP_KEY_THREADS  "threads"  /* how many ran, where that is more than one */
#define CP_KEY_PART     "part"     /* number, from 1, where the run was divided by dumps */
#define CP_KEY_TRIGGER  "trigger"  /* text: why this part was written; absent in the last */
#define CP_KEY_SECTIONS "sections" /* "BEGAN ENDED", where collecting was ever switched */
#define CP_KEY_TOGGLE   "toggle" /* "N PATTERN": N functions that ran match; one line per option */
#define CP_KEY_EXIT     "exit"   /* "code N" | "exec" | "unknown" (killed by a signal) */
#define CP_KEY_LEFT     "left" /* with "exec", where that program is not profiled: "REASON: PATH" */

/* Record letters of the body: the first character of a line, followed by a blank. */
#define CP_REC_OBJECT                                                                              \
    'o' /* o ID BUILDID|- PATH                 a file (or "[anonymous]"), in use or unloaded since \
         */
#define CP_REC_RANGE 'r' /* r OBJECT START END BIAS             where its code was mapped; hex */
#define CP_REC_BLOCK \
    's' /* s ID OBJECT ADDRESS SPEC {+DELTA SPEC} straight-line code; hex addresses */
#define CP_REC_COUNT \
    'k' /* k SECTION N...                      the section, and those after it, ran N times */
#define CP_REC_MISSES \
    'm' /* m OBJECT ADDRESS N...               events counted one by one at an instruction */
#define CP_REC_CONTEXT                                                                         \
    'n' /* n ID PARENT|- OBJECT ADDRESS SITEOBJECT|- SITE CALLS      a call path; k and m that \
           follow are its */
#define CP_REC_ROOT \
    't' /* t ID PARENT|- NAME                 the same for [thread 1], [signal], ... */
#define CP_REC_INCLUSIVE \
    'i' /* i OBJECT ADDRESS N...              of a function, in the order of CP_KEY_EVENTS */
#define CP_REC_EDGE \
    'e' /* e OBJECT ADDRESS OBJECT ADDRESS SITEOBJECT|- SITE CALLS N...   caller, callee */
#define CP_REC_NAME \
    'f' /* f OBJECT ADDRESS NAME               Valgrind's own name; for tests only */

/* Letters of a SPEC, each standing for one event per execution of the section; any may repeat. "."
 * where there is none. */
#define CP_SPEC_IR   'i'
#define CP_SPEC_DR   'r'
#define CP_SPEC_DW   'w'
#define CP_SPEC_BC   'c'
#define CP_SPEC_BI   'b'
#define CP_SPEC_NONE '.'

/* In text: backslash, control characters and bytes that end a field are written as \xHH (two
 * lower-case hex digits). */
#define CP_RAW_ESCAPE '\\'

/* Last line of a whole file: "end N", N being the number of lines before it. Without it the file
 * was cut. */
#define CP_RAW_END "end"

/* The path of code that no file backs: generated at run time, or a stack. Its addresses are memory
 * addresses. */
#define CP_ANONYMOUS "[anonymous]"

#endif
