/*
 * cp_format.h - the raw profile: the one header that the Valgrind tool and libcprof share.
 *
 * The tool writes what it can know for certain, addresses and counts; names are found afterwards.
 * doc/format.md describes the format. There are only macros here: the tool has no libc and the
 * library no Valgrind.
 */
#ifndef CP_FORMAT_H
#define CP_FORMAT_H

/* The first line of the file is CP_RAW_MAGIC, a blank and the version. A reader refuses all
 * other versions. */
#define CP_RAW_MAGIC   "cprof-raw"
#define CP_RAW_VERSION 2

/* Header keys: "key: value". CP_RAW_ESCAPE escapes text. */
#define CP_KEY_CREATOR  "creator" /* text */
#define CP_KEY_PID      "pid"     /* decimal */
#define CP_KEY_PROGRAM  "program" /* text: the executable's absolute path */
#define CP_KEY_ARGUMENT "arg"     /* text, one line per argument, argv[0] first */
#define CP_KEY_SETUP    "setup"   /* text, one line each: what the run was made with, besides */
#define CP_KEY_CACHE_I1 \
    "I1" /* size ways line, bytes; absent without a cache model; also of D1 and LL */
#define CP_KEY_CACHE_D1 "D1"
#define CP_KEY_CACHE_LL "LL"
#define CP_KEY_EVENTS   "events" /* all events that this file counts, in table order */
#define CP_KEY_COUNTED \
    "counted" /* the order of the numbers in 'm' records; a subset of CP_KEY_EVENTS */
#define CP_KEY_RANDOM \
    "random" /* "no" | "yes" | "fixed": random bytes that the counts may depend on */
#define CP_KEY_SUBJECT  "subject"  /* "heap" | "data": what the run is about; absent: its code */
#define CP_KEY_SCHEDULE "schedule" /* "fixed", or with several threads "free" */
#define CP_KEY_DECISIONS \
    "decisions" /* how often real time chose between threads of a fixed schedule, if it did */
#define CP_KEY_CLOCK                                                                            \
    "clock" /* "fixed", if the program saw one of executed code; "real", with a fixed schedule, \
               if it asked for the machine's time */
#define CP_KEY_REP     "rep" /* "one": Ir has repeated string instructions once; absent: each pass */
#define CP_KEY_THREADS "threads" /* how many there were, if more than one */
#define CP_KEY_SAMPLED                                                                           \
    "sampled" /* "SAMPLES LOST HELD UNSTACKED [UNVALUED]": counts are of samples, which the tool \
                 never writes */
#define CP_KEY_CUT \
    "cut" /* "CUT COMPLETED BYTES": stacks of samples without their beginning; before "sampled" */
#define CP_KEY_PART     "part"     /* number, from 1, if dumps divided the run */
#define CP_KEY_TRIGGER  "trigger"  /* text: the reason for this part; absent in the last */
#define CP_KEY_SECTIONS "sections" /* "BEGAN ENDED", if collecting was ever switched */
#define CP_KEY_TOGGLE \
    "toggle" /* "N PATTERN": N functions that were called match; one line per option */
#define CP_KEY_COUNT_ARG \
    "count-arg" /* "FUNCTIONS N exact|log2 PATTERN": an option, as CP_KEY_TOGGLE; its argument */
#define CP_KEY_HEAP_EVENTS \
    "heap-events" /* the events of the heap, which stand behind those of CP_KEY_EVENTS */
#define CP_KEY_HEAP_PEAK \
    "heap-peak" /* "IR BYTES": instructions so far, where most bytes lived at once; so many */
#define CP_KEY_HEAP "heap" /* "KNOWN UNMATCHED FAILED LOST": how far these can be believed */
#define CP_KEY_DATA "data" /* "yes": misses are put to data, in records behind all others */
#define CP_KEY_LINE_USE \
    "line-use" /* "yes": CP_REC_TOUCH has the use of lines, too, also without CP_KEY_DATA */
#define CP_KEY_CURVE_SIZES \
    "curve-sizes" /* with miss curves: the bytes of caches, growing, in steps from 1 on */
#define CP_KEY_ALLOC_FUNCTION \
    "alloc-function" /* "N OPTION": an option, as CP_KEY_TOGGLE; N functions that ran match */
#define CP_KEY_SECTION_CACHES \
    "section-caches"       /* "cold": they were emptied where a section began; absent: not */
#define CP_KEY_EXIT "exit" /* "code N" | "exec" | "unknown" (killed by a signal) */
#define CP_KEY_LEFT "left" /* with "exec", if that program is not profiled: "REASON: PATH" */

/* Record letters of the body: the first character of a line, followed by a blank. */
#define CP_REC_OBJECT \
    'o' /* o ID BUILDID|- PATH: a file (or "[anonymous]"), in use or unloaded since */
#define CP_REC_RANGE 'r' /* r OBJECT START END BIAS: where its code is mapped; hex */
#define CP_REC_BLOCK                                                                              \
    's'                   /* s ID OBJECT ADDRESS SPEC {+DELTA SPEC}: a basic block; hex addresses \
                           */
#define CP_REC_COUNT  'k' /* k BLOCK N...: the basic block, and those after it, executed N times */
#define CP_REC_MISSES 'm' /* m OBJECT ADDRESS N...: events counted one by one at an instruction */
#define CP_REC_CONTEXT                                                                         \
    'n' /* n ID PARENT|- OBJECT ADDRESS SITEOBJECT|- SITE CALLS: a call path; the k and m that \
           follow are its costs */
#define CP_REC_ROOT \
    't' /* t ID PARENT|- NAME: the same for [thread 1], [thread 2: worker], [signal] */
#define CP_REC_SECTION \
    'x' /* x ID BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME: a section that the program named */
#define CP_REC_SECTION_COST \
    'w' /* w SECTION N...: what it cost while it was open, in the order of CP_KEY_EVENTS */
#define CP_REC_SPREAD   'z' /* z SECTION {IR ENTRIES}...: so many entries cost so much */
#define CP_REC_EXTREMES 'q' /* q SECTION LEAST GREATEST: where the costs in 'z' are rounded */
#define CP_REC_ENTERED  'y' /* y ID PARENT|- SECTION ENTRIES: a context of a section; as for 'n' */
#define CP_REC_ARGUMENTS                                                                         \
    'a' /* a CONTEXT OPTION OTHERS {VALUE CALLS}...: so many calls with the value; OTHERS: calls \
           with values that are not told apart */
#define CP_REC_INCLUSIVE \
    'i' /* i OBJECT ADDRESS N...: inclusive cost of a function, in the order of CP_KEY_EVENTS */
#define CP_REC_EDGE \
    'e' /* e OBJECT ADDRESS OBJECT ADDRESS SITEOBJECT|- SITE CALLS N...: caller, callee */
#define CP_REC_HEAP                                                               \
    'h' /* h OBJECT ADDRESS N...: the heap's events in a context, in the order of \
           CP_KEY_HEAP_EVENTS */
#define CP_REC_HEAP_INCLUSIVE 'u' /* u OBJECT ADDRESS N...: the same for 'i' */
#define CP_REC_HEAP_EDGE \
    'v' /* v OBJECT ADDRESS OBJECT ADDRESS SITEOBJECT|- SITE N...: the same for 'e' */
#define CP_REC_HEAP_SECTION 'p' /* p SECTION N...: the same for 'w' */
#define CP_REC_DATA_FILE    'g' /* g ID BUILDID|- PATH: a file that data lies in */
#define CP_REC_DATA                                                                                \
    'd' /* d ID KIND ...: a datum that has missed. blocks CONTEXT|-; variable and section FILE     \
           ADDRESS SIZE NAME; stack OBJECT|- ADDRESS; file FILE; anonymous START; allocator; free; \
           unknown; all */
#define CP_REC_TOUCH                                                                               \
    'j' /* j DATA CONTEXT|- OBJECT ADDRESS LEAST STRIDE SIZE N...: misses in it at an instruction, \
           in the order D1mr DLmr D1mw DLmw; with CP_KEY_LINE_USE also lines that D1 fetched, and  \
           bytes of them that were used */
#define CP_REC_CURVE                                                                               \
    'c' /* c CONTEXT|- OBJECT ADDRESS i|r|w {STEP N}...: first-level misses at an instruction that \
           caches of the step's size and larger ones have; step 0: none has */
#define CP_REC_DATA_CURVE 'l' /* l DATA r|w {STEP N}...: the same of data */
#define CP_REC_NAME       'f' /* f OBJECT ADDRESS NAME: Valgrind's own name; for tests only */
#define CP_REC_KEPT_NAME                                                                       \
    'b' /* b OBJECT ADDRESS NAME: a function begins there, of a file that was gone, or another \
           one, at the end; "???": it has no name */

/* The name of stubs in such records. */
#define CP_STUB_NAME "???@plt"
/* Behind the path of an object without a build-id whose file was gone at the end, as in
 * /proc/PID/maps; the second one at the path has " (deleted 2)". */
#define CP_DELETED   " (deleted"

/* Letters of a SPEC. Each stands for one event per execution of the basic block, and may repeat.
 * "." stands for none. */
#define CP_SPEC_IR   'i'
#define CP_SPEC_DR   'r'
#define CP_SPEC_DW   'w'
#define CP_SPEC_BC   'c'
#define CP_SPEC_BI   'b'
#define CP_SPEC_REP  'p'
#define CP_SPEC_NONE '.'

/* Text has backslashes, control characters and bytes that end a field as \xHH (two lower-case hex
 * digits). */
#define CP_RAW_ESCAPE '\\'

/* The last line of a whole file: "end N". N lines stand before it. A file without it was cut. */
#define CP_RAW_END "end"

/* The path of code without a file: generated at run time, or on a stack. Its addresses are memory
 * addresses. */
#define CP_ANONYMOUS "[anonymous]"

/*
 * With --cprof-out-fd the tool opens no file, but sends each profile over a socket of packets. A
 * packet is a head of CP_SEND_HEAD bytes, "LETTER PROCESS PART" with a NUL behind it, and behind
 * the head of CP_SEND_DATA up to CP_SEND_MOST bytes of the file.
 */
#define CP_SEND_HEAD     32
#define CP_SEND_MOST     (64 * 1024)
#define CP_SEND_BEGIN    'b'
#define CP_SEND_DATA     'd'
#define CP_SEND_END      'e'
#define CP_SEND_EXEC     'x' /* the end; the process goes on as another program */
#define CP_SEND_WITHDRAW 'w' /* no exec after all: the program could not be executed */

#endif
