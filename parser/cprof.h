/*
 * cprof.h - profiles of callgrind, cachegrind, cprof and samplers as plain structs.
 *
 * cprof_load() reads a file into one struct cprof_profile, and cprof_write() writes it. Everything
 * in it, strings included, lives in one arena: the profile is immutable, pointers into it stay
 * valid until cprof_free(), and nothing in it is freed on its own. The library never prints, never
 * exits and keeps no global state; several threads may read several profiles, and share one that is
 * loaded. A large raw profile is read by two threads: the caller's, and one that has ended when
 * cprof_load() returns.
 *
 * Strings are NUL-terminated bytes as the file had them, in no particular encoding. A field that
 * the file does not give is absent (NULL, -1, or CPROF_NONE), never zero or empty.
 *
 * Example:
 *     struct cprof_error error;
 *     struct cprof_profile *p = cprof_load("callgrind.out.1234", 0, &error);
 *     if (!p) { fprintf(stderr, "%s: %s\n", error.source, error.text); return 1; }
 *     for (uint32_t i = 0; i < p->n_costs; i++)
 *         use(p->functions[p->costs[i].function].name, cprof_cost_values(p, i)[0]);
 *     cprof_free(p);
 */
#ifndef CPROF_H
#define CPROF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CPROF_API __attribute__((visibility("default")))
#else
#define CPROF_API
#endif

/* An index that names nothing. */
#define CPROF_NONE      UINT32_MAX
/* The root of sampled stacks whose beginning is not known, since too little of them was copied. */
#define CPROF_STACK_CUT "[stack cut off]"

/* The kind of an error; struct cprof_error has it with the place. */
enum cprof_code {
    CPROF_OK,
    CPROF_ERROR_SYSTEM,  /* a system call failed: cannot open, cannot read, cannot write */
    CPROF_ERROR_MEMORY,  /* out of memory */
    CPROF_ERROR_EMPTY,   /* the file is empty (a run that was ended before it wrote its profile) */
    CPROF_ERROR_FOREIGN, /* not a profile of a kind that the library reads */
    CPROF_ERROR_VERSION, /* a profile, of a version that the library does not read */
    CPROF_ERROR_SYNTAX,  /* a line is malformed */
    CPROF_ERROR_TRUNCATED, /* the end of the file is missing */
    CPROF_ERROR_RANGE      /* a count beyond 2^63-1, or a sum that would exceed it */
};

/*
 * An error, in the caller's memory, filled by the first thing that fails. `text` is one line,
 * without a capital or a full stop, and names what failed and on what. `line` and `column` count
 * from 1; 0 where there is no such place. `excerpt` is the offending line, shortened to fit, with
 * `mark` the 0-based offset of `column` in it.
 */
struct cprof_error {
    enum cprof_code code;
    unsigned long line;
    unsigned column;
    unsigned mark;
    char source[256]; /* the file's name; a long one loses its beginning */
    char text[256];
    char excerpt[128];
};

/* The kind of file that a profile was read from. NAMED is a raw profile that was resolved and
 * written with its names (doc/named.md). */
enum cprof_format {
    CPROF_FORMAT_CALLGRIND,
    CPROF_FORMAT_CACHEGRIND,
    CPROF_FORMAT_RAW,
    CPROF_FORMAT_NAMED,
    CPROF_FORMAT_FOLDED,     /* folded stacks, one line each, as of stackcollapse */
    CPROF_FORMAT_PERF,       /* text of perf script */
    CPROF_FORMAT_PPROF,      /* protobuf of pprof */
    CPROF_FORMAT_GPERFTOOLS, /* processor and heap profiles of gperftools */
    CPROF_FORMAT_SPEEDSCOPE,
    CPROF_FORMAT_FIREFOX,    /* the processed format of Firefox Profiler, as samply writes it */
    CPROF_FORMAT_DHAT,       /* JSON of DHAT */
    CPROF_FORMAT_CPUPROFILE, /* JSON of Chrome and node */
    CPROF_FORMAT_MASSIF
};

/* An event that is counted, such as Ir or D1mr. `long_name` and `formula` are NULL where the file
 * gives none. */
struct cprof_event {
    const char *name;
    const char *long_name;
    const char *formula;
};

/* A cache's geometry: bytes, ways, bytes. `name` is I1, D1 or LL; `text` is
 * the file's description of it, or NULL. */
struct cprof_cache {
    const char *name;
    const char *text;
    uint64_t size, ways, line_size; /* 0 where the text could not be read as numbers */
};

/* An option that collects only while functions run whose names match `pattern`. */
struct cprof_toggle {
    const char *pattern;  /* '*' and '?' stand for any text and any character */
    uint64_t n_functions; /* that ran and match */
};

/* An option that counts an argument of functions whose names match `pattern`. */
struct cprof_counted_arg {
    const char *pattern;  /* as of cprof_toggle */
    uint32_t number;      /* of the argument, from 1 */
    unsigned char log2;   /* 0 or 1: counted by powers of two; a class is its least value */
    uint64_t n_functions; /* that ran and match */
};

/* How many calls that led to a context had one value, or a value of one class. */
struct cprof_arg_count {
    uint32_t arg;        /* index into counted_args */
    uint32_t context;    /* index into contexts */
    unsigned char other; /* 0 or 1: calls with values that are not told apart; `value` is 0 */
    uint64_t value;
    uint64_t calls;
};

/* An object: executable, library, or code without a file ("[anonymous]"; "???" where nothing is
 * known). */
struct cprof_object {
    const char *path;
    const char *build_id; /* lower-case hex, or NULL */
};

/*
 * A function. Its identity is (object, file, name), never a number in a file. `file` is where it is
 * defined (CPROF_NONE: not known). `object` is CPROF_NONE where the format has none (cachegrind).
 * `mangled` is the linkage name where it is known and differs from `name`, else NULL. In a raw
 * profile nothing is resolved: costs are those of one function "???" for each object, while the
 * functions of contexts and calls are called "???" too and are told apart by `address`, which is
 * part of the identity then.
 */
struct cprof_function {
    const char *name;
    const char *mangled;
    uint32_t object;  /* index into objects */
    uint32_t file;    /* index into files */
    uint32_t line;    /* where its definition begins; 0: not known */
    uint64_t address; /* where its code begins in the object; 0: not known, or not one place */
    /* The types in the place of its type parameters, in this instance of a generic function, as the
     * debug information has them ("u8, alloc::alloc::Global"); NULL: not generic, or not known. */
    const char *arguments;
    uint32_t instances; /* of a generic function: how many were made one; else 0 */
    /* 0 or 1: some of its code was compiled into other functions; the costs of it are its own. */
    unsigned char inlined;
    /* 0 or 1: the profile's inclusive counts of it are a lower bound. */
    unsigned char inclusive_least;
    /* A linker's stub: how often it was entered. Any other function: how often copies of it that
     * were compiled into other functions were entered, added up: how often the instruction ran that
     * debug information has each copy begin with. Compilers copy, merge and vectorise code without
     * a word there: the source may have called it otherwise. 0: none was, or not known. */
    uint64_t entered;
    /* The hash of its instructions, where these are known; 0: not known. Two functions whose lower
     * halves of it are equal have the same code, two whose upper halves are not have other code. */
    uint64_t code;
    /* 0 or 1: `entered` is a lower bound. Other instructions of a copy ran more often than its
     * first, in a loop of its own or in one of the caller's that leads past the first; or a copy is
     * in pieces, and nothing says with which it begins: it is left out. */
    unsigned char entered_least;
};

/* How often a line ran: for each compiled copy of it, how often that of its instructions ran which
 * ran most often, added up over all copies in code of one function. */
struct cprof_line_runs {
    uint32_t function, file, line;
    uint64_t runs;
};

/*
 * A place that costs something: one record per distinct (function, file, line, address). `file` is
 * the file of the line, which differs from the function's where code was inlined. The counts are
 * cprof_cost_values().
 */
struct cprof_cost {
    uint32_t function;
    uint32_t file; /* CPROF_NONE: not known */
    uint32_t line; /* 0: not known */
    uint64_t
        address; /* in the object, as its symbol table counts; 0 where the file has no addresses */
};

/*
 * A call edge: one record per distinct (caller, callee, file, line, address of the call, inlined).
 * The counts of cprof_call_values() are inclusive: they have the cost of the callee, and of all
 * that it calls, during these calls. `count` may be 0 for a call that was still active at an
 * earlier dump.
 *
 * `inlined`: the callee's code was compiled into the caller's, and the counts are its cost there;
 * nobody counted how often it ran: `count` and `address` are 0.
 */
struct cprof_call {
    uint32_t caller, callee;
    uint32_t file;
    uint32_t line;
    uint64_t address;
    unsigned char inlined; /* 0 or 1 */
    uint64_t count;
};

/*
 * A calling context: a call path, one node of a tree. Contexts stand after their parents.
 * `function` is the one entered (a root such as "[thread 1]" is a function without an object). The
 * costs of the context itself are records first_cost up to first_cost + n_costs of context_costs,
 * with the counts of cprof_context_values(); summed over all contexts they give the profile's
 * costs. The function of such a record need not be the context's. Recursion is folded: a callee
 * that is on the path already leads back to the context there. Samples have their stacks as they
 * were: a function is on a path as often as it was on the stack.
 *
 * `inlined`: the function's code was compiled into its parent's, which "calls" it at site_file and
 * site_line; nobody counted how often it ran: `calls` and `site` are 0.
 */
struct cprof_context {
    uint32_t parent; /* CPROF_NONE: a root */
    uint32_t function;
    uint32_t site_file; /* of the call; CPROF_NONE, 0: not known, or a jump */
    uint32_t site_line;
    uint64_t site; /* address of the call instruction in the parent's object; 0: a jump */
    uint64_t calls;
    uint32_t first_cost, n_costs;
    unsigned char inlined; /* 0 or 1 */
};

/* One dump within a file, or a file of its own, as its header describes it; -1 and NULL where it
 * does not. */
struct cprof_part {
    long pid, thread, part;
    const char *trigger;
    const char *timerange;
    const char
        *left; /* the process went on as a program that was not profiled: why, and which (raw) */
};

/* Something odd in a file that was read all the same. */
struct cprof_warning {
    unsigned long line; /* the first place; 0: the file as a whole */
    unsigned long count;
    const char *text;
};

/* Random bytes that the program took, and that its counts may depend on; FIXED: the same bytes in
 * every run. */
enum cprof_random {
    CPROF_RANDOM_UNKNOWN,
    CPROF_RANDOM_NONE,
    CPROF_RANDOM_FIXED,
    CPROF_RANDOM_USED
};

/* The order in which threads ran: FIXED, the same in every run but for what `decisions` says, or
 * FREE, as the system had it. */
enum cprof_schedule { CPROF_SCHEDULE_UNKNOWN, CPROF_SCHEDULE_FIXED, CPROF_SCHEDULE_FREE };

/* The clock that the program saw: FIXED, one of executed code; REAL, the machine's, of a program
 * with a fixed schedule that asked for its time; NONE: it did not ask, or nobody looked. */
enum cprof_clock { CPROF_CLOCK_NONE, CPROF_CLOCK_FIXED, CPROF_CLOCK_REAL };

/* The subject of a run, which its profile is to be shown as. */
enum cprof_subject { CPROF_SUBJECT_CODE, CPROF_SUBJECT_HEAP, CPROF_SUBJECT_DATA };

/* SIGNAL: a signal ended the program, and the profile is of what ran before that. */
enum cprof_exit { CPROF_EXIT_UNKNOWN, CPROF_EXIT_CODE, CPROF_EXIT_EXEC, CPROF_EXIT_SIGNAL };

/* How many entries of a section cost `cost` Ir each. */
struct cprof_spread {
    uint64_t cost, entries;
};

/*
 * A section: a part of the run that the program has named, by the crate cprof or by
 * cprof-sections.h. An entry is one stay of a thread in it; cprof_section_values() has what all of
 * them cost, each instruction once, also where entries lie within each other. With contexts, a
 * function called "[section NAME]", without an object, stands in the call paths.
 *
 * Entries that neither ended nor were lost were still open at the end of the profile.
 */
struct cprof_section {
    const char *name;
    uint64_t began, ended; /* entries */
    uint64_t lost;         /* entries whose call, or thread, ended before they did */
    uint64_t stray;        /* ends without an open entry in their thread */
    uint64_t foreign;      /* of these, those while one was open in another thread */
    uint64_t crossed;      /* entries that ended while a later one of their thread was open */
    /* Ir of the entries that ended; where their number is even, the lower one of the two in the
     * middle. 0: n_spreads is 0. */
    uint64_t least, median, greatest;
    uint32_t first_spread, n_spreads; /* in `spreads` of the profile, by rising cost */
    unsigned char
        rounded; /* 0 or 1: costs in spreads, and the median, are rounded down by < 1/256 */
};

/* How far counts of the heap can be believed. */
struct cprof_heap {
    uint64_t known;     /* allocation functions that symbol tables of the program name */
    uint64_t unmatched; /* frees of blocks whose allocation was not seen */
    uint64_t failed;    /* allocations that returned nothing */
    uint64_t lost;      /* allocations that were left without a return, as by longjmp */
    uint64_t peak_ir;   /* instructions so far when most bytes lived; 0: not known */
    uint32_t peaks;     /* processes with a peak each; counts are those at the highest one */
};

/* The kinds of data. */
enum cprof_data_kind {
    CPROF_DATA_BLOCKS,    /* of the heap, all that one context allocated */
    CPROF_DATA_VARIABLE,  /* static, of the program or a library */
    CPROF_DATA_SECTION,   /* a section of an object that names no variable there */
    CPROF_DATA_STACK,     /* the frames of a function */
    CPROF_DATA_FILE,      /* a file that the program mapped */
    CPROF_DATA_ANONYMOUS, /* other memory from the system */
    CPROF_DATA_ALLOCATOR, /* what allocation functions use themselves */
    CPROF_DATA_FREE,      /* of the heap, in no block: mostly freed */
    CPROF_DATA_UNKNOWN,
    CPROF_DATA_ALL /* all data: they are not told apart, but the use of lines is known */
};
enum { CPROF_DATA_KINDS = CPROF_DATA_ALL + 1 };

/* "blocks", "variable", ...: the kind as the raw profile has it. Never NULL; not to be freed. */
const char *cprof_data_kind_name(enum cprof_data_kind kind);

/*
 * A member of a type, or of a member of it. Those of a member stand behind it, one deeper. Several
 * may lie at one place: members of a union, variants of an enum, bit fields.
 */
struct cprof_member {
    const char *name; /* without those of the members around it */
    const char *type; /* name of its type; NULL: not known */
    uint64_t offset;  /* in the type, whatever the depth */
    uint64_t size;    /* bytes; of a bit field, those that it lies in */
    uint32_t depth;   /* 0: of the type itself */
};

/* A type of data, as debug information describes it. */
struct cprof_type {
    const char *name;                 /* "particles::Particle" */
    uint64_t size;                    /* 0: only the name is known */
    uint32_t first_member, n_members; /* in `members` of the profile, by rising offset */
    unsigned char reordered; /* 0 or 1: the compiler may choose the order of members (Rust) */
};

/* Data that misses were put to (raw). */
struct cprof_datum {
    enum cprof_data_kind kind;
    uint32_t context;     /* of blocks: where they were allocated; CPROF_NONE: not known */
    uint32_t function;    /* of stacks: whose frames; CPROF_NONE: not known, or beside frames */
    const char *path;     /* of variables, sections and files; else NULL */
    const char *build_id; /* of that file; NULL: none */
    const char *name;     /* of variables (as the symbol has it) and sections; else NULL */
    uint64_t address;     /* of variables and sections, in the file; of other memory, its start */
    uint64_t size;        /* of variables and sections */
    uint32_t type; /* of blocks and variables, or of their elements: index into types; CPROF_NONE:
                      not known (a raw profile has no types) */
};

/* Misses of a D1 that reads, of LL behind it; the same of writes. */
enum { CPROF_D1MR, CPROF_DLMR, CPROF_D1MW, CPROF_DLMW, CPROF_DATA_EVENTS };

/* Bytes of a line of the cache: of D1 where the use of its lines is known, and for the layout of
 * types. */
enum { CPROF_LINE_SIZE = 64 };

/*
 * Misses in one datum at one place, in one context. `least` is the least offset in it where there
 * was one, and `stride` divides all distances between such offsets (0: all were one). In an array
 * of elements whose size divides the stride, the remainder of `least` is the place in the element.
 * The greatest access there is of `size` bytes.
 */
struct cprof_touch {
    uint32_t datum;   /* index into data */
    uint32_t context; /* CPROF_NONE: contexts are not known */
    struct cprof_cost place;
    uint64_t least, stride, size;
    uint64_t misses[CPROF_DATA_EVENTS];
    /* Where the use of lines is known: lines that D1 fetched, one or two for each of its misses,
     * and bytes of them that were read or written before they were evicted, by whomever. */
    uint64_t lines, used;
};

/* Accesses that miss in a miss curve: fetches of instructions, data reads, data writes. */
enum { CPROF_REUSE_FETCH, CPROF_REUSE_READ, CPROF_REUSE_WRITE, CPROF_REUSE_KINDS };

/*
 * A part of a miss curve: so many misses of I1 and D1, of one kind at one place in one context, are
 * hits in a last level of `size` bytes, one of curve_sizes, and in all larger ones, and misses in
 * those that are smaller; size 0: they are the first uses of their lines, and misses in all. The
 * last level is fully associative and replaces the least recently used line.
 *
 * With a datum, it is of all misses of that kind in it, wherever: there is no context and no place.
 */
struct cprof_reuse {
    uint32_t datum;   /* index into data; CPROF_NONE: at a place */
    uint32_t context; /* CPROF_NONE: contexts are not known */
    struct cprof_cost place;
    uint32_t kind;
    uint64_t size;
    uint64_t misses;
};

struct cprof_profile {
    enum cprof_format format;
    const char *source;  /* the name it was loaded by */
    const char *creator; /* "callgrind-3.19.0"; NULL: not given */
    const char *command; /* the command line as the file has it; NULL: not given */
    const char *program; /* path of the executable; NULL: not given */
    long pid;            /* -1: not given */
    enum cprof_exit exit;
    int exit_code; /* with CPROF_EXIT_CODE */
    enum cprof_random random;
    enum cprof_subject subject;
    long threads; /* that ran, in the process that had most; 0: one, or not given */
    enum cprof_schedule schedule;
    long decisions; /* that real time made in a fixed schedule; 0: none, or not given */
    enum cprof_clock clock;
    int rep_one; /* Ir counts a repeated string instruction once, not each repetition */
    /* How often collecting was switched on and off within the run; -1: never, or not given. */
    long sections_began, sections_ended;

    int sampled; /* counts are of samples: nobody counted calls, and numbers of them are 0 */
    /* How many samples perf took, and how many it could not write, which are in no count. Where
     * none is lost `n_samples` may be 0. */
    uint64_t n_samples, lost_samples;

    int sections_cold; /* caches were emptied where an outermost section began */

    int has_heap; /* the heap was counted: events Allocs, Bytes and so on */
    struct cprof_heap heap;
    uint32_t n_alloc_functions;
    const struct cprof_toggle *alloc_functions; /* options, in their order (raw) */

    int has_data;     /* misses were put to data: all of D1mr, DLmr, D1mw and DLmw */
    int has_line_use; /* touches have the use of lines; without has_data, they are of CPROF_DATA_ALL
                       */
    uint32_t n_data;
    const struct cprof_datum *data;
    uint32_t n_types, n_members;
    const struct cprof_type *types; /* of data */
    const struct cprof_member *members;
    uint32_t n_touches;
    const struct cprof_touch *touches; /* by datum, context and place */

    /* Miss curves, where n_curve_sizes is not 0: bytes of caches, growing, and all misses of I1 and
     * D1 by these. A size in between has as many misses as the next smaller size, or less. */
    uint32_t n_curve_sizes;
    const uint64_t *curve_sizes;
    uint32_t n_reuses, n_data_reuses;
    const struct cprof_reuse *reuses, *data_reuses; /* by context and place, by datum; then kind */

    uint32_t n_toggles;
    const struct cprof_toggle *toggles; /* in the order of the options (raw) */
    uint32_t n_arguments;
    const char *const *arguments; /* argv of the program, where the format keeps it apart (raw) */
    /* Facts about the run besides its arguments, each a word and its value: "features fast",
     * "input 6125 1a2b3c4d" (cprof's own). */
    uint32_t n_setup;
    const char *const *setup;
    uint32_t n_caches;
    const struct cprof_cache *caches;
    uint32_t n_descriptions;
    const char *const *descriptions; /* "desc:" lines, as they are */

    uint32_t n_events;
    const struct cprof_event *events;
    uint32_t n_objects;
    const struct cprof_object *objects;
    uint32_t n_files;
    const char *const *files;
    uint32_t n_functions;
    const struct cprof_function *functions;

    uint32_t n_costs;
    const struct cprof_cost *costs;
    const int64_t *cost_values; /* n_costs rows of n_events; see cprof_cost_values() */
    uint32_t n_calls;
    const struct cprof_call *calls;
    const int64_t *call_values; /* n_calls rows of n_events */

    /* The call paths, where they are known: n_contexts > 0. */
    uint32_t n_contexts;
    const struct cprof_context *contexts;
    uint32_t n_context_costs;
    const struct cprof_cost *context_costs;
    const int64_t *context_cost_values; /* n_context_costs rows of n_events */

    uint32_t n_line_runs;
    const struct cprof_line_runs *line_runs; /* those of one line add up. No file has them. */

    /* The cost of each function while it was on the stack, each instruction once, where the file
     * gives it: n_functions rows of n_events; NULL: not known. */
    const int64_t *inclusive;

    uint32_t n_sections;
    const struct cprof_section *sections; /* in the order in which they first began */
    const int64_t *section_values;        /* n_sections rows of n_events */
    uint32_t n_spreads;
    const struct cprof_spread *spreads;

    uint32_t n_counted_args;
    const struct cprof_counted_arg *counted_args; /* in the order of the options */
    uint32_t n_arg_counts;
    /* By arg, context and value; what is not told apart stands last. */
    const struct cprof_arg_count *arg_counts;

    const int64_t *totals;  /* the sum of all costs, computed: n_events */
    const int64_t *summary; /* the file's own totals (or else its summary), added over parts;
                               NULL: it has none */

    uint32_t n_parts;
    const struct cprof_part *parts;
    uint32_t n_warnings;
    const struct cprof_warning *warnings;

    int has_lines;     /* some cost knows its line */
    int has_addresses; /* some cost knows its address */
    int may_be_cut;    /* the file's end is missing, or its writer left it out; a warning says so */
};

/* Flags for cprof_load() and cprof_read(). */
enum { CPROF_STRICT = 1 /* warnings are errors */ };

/*
 * Reads the profile in the file at `path`; "-" is standard input. The kind is found from the
 * content, never from the name; gzip, xz, zstd and bzip2 are unpacked, and UTF-16 is read. Returns
 * a profile that the caller frees with cprof_free(), or NULL with `error` filled. Formats:
 * callgrind and cachegrind as their manuals and sources (dump.c, cg_main.c) write them, cprof's
 * own, doc/format.md, and samples: text of perf script, folded stacks, files of pprof and
 * gperftools, massif, and JSON of speedscope, Firefox Profiler, Chrome and DHAT.
 */
CPROF_API struct cprof_profile *cprof_load(const char *path, unsigned flags,
                                           struct cprof_error *error);

/* Reads a profile from `size` bytes at `data`, which may be freed afterwards. `source` is the name
 * for messages; else as cprof_load(). */
CPROF_API struct cprof_profile *cprof_read(const void *data, size_t size, const char *source,
                                           unsigned flags, struct cprof_error *error);

/* Takes `size` bytes from cprof_write(), with the `to` that its caller gave it. Returns 0, or -1
 * with errno set where they cannot be kept. */
typedef int cprof_writer(void *to, const void *data, size_t size);

/*
 * Writes a profile with its names, as doc/named.md describes it, whatever file it was read from;
 * cprof_load() reads it back. Its toggles and `left` of its parts are not written; a warning has no
 * line then. `write` gets the bytes, some kilobytes at a time; after it has failed once it is not
 * called again. Returns 0, or -1 with `error` filled: CPROF_ERROR_SYSTEM, and errno as `write` left
 * it.
 */
CPROF_API int cprof_write(const struct cprof_profile *profile, cprof_writer *write, void *to,
                          struct cprof_error *error);

/* Frees a profile and all that hangs from it. NULL is allowed. */
CPROF_API void cprof_free(struct cprof_profile *profile);

/* The index of the event called `name`, in any case ("ir" finds Ir), or CPROF_NONE. */
CPROF_API uint32_t cprof_find_event(const struct cprof_profile *profile, const char *name);

/* The n_events counts of cost record `i`. */
static inline const int64_t *cprof_cost_values(const struct cprof_profile *profile, uint32_t i)
{
    return profile->cost_values + (size_t)i * profile->n_events;
}

/* The n_events inclusive counts of call record `i`. */
static inline const int64_t *cprof_call_values(const struct cprof_profile *profile, uint32_t i)
{
    return profile->call_values + (size_t)i * profile->n_events;
}

/* The n_events counts of record `i` of context_costs. */
static inline const int64_t *cprof_context_values(const struct cprof_profile *profile, uint32_t i)
{
    return profile->context_cost_values + (size_t)i * profile->n_events;
}

/* The n_events inclusive counts of a function, or NULL where they are not known. */
static inline const int64_t *cprof_inclusive_values(const struct cprof_profile *profile,
                                                    uint32_t function)
{
    return profile->inclusive ? profile->inclusive + (size_t)function * profile->n_events : NULL;
}

/* The n_events counts of section `i`. */
static inline const int64_t *cprof_section_values(const struct cprof_profile *profile, uint32_t i)
{
    return profile->section_values + (size_t)i * profile->n_events;
}

/* The library's version, such as "0.1.0". */
CPROF_API const char *cprof_version(void);

#ifdef __cplusplus
}
#endif
#endif
