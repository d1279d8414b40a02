/*
 * callgrind.h - inside of the callgrind reader: its state, and the line kinds that have files of
 * their own.
 *
 * callgrind.c takes lines apart and books costs; callgrind_names.c has the names and their numbers.
 */
#ifndef PARSER_CALLGRIND_H
#define PARSER_CALLGRIND_H

#include "map.h"
#include "reader.h"

/* Kinds of position. POSITION_OTHER is neither an address nor a line; it is read and dropped. */
enum { POSITION_INSTR, POSITION_LINE, POSITION_OTHER, POSITION_KINDS };
#define MAX_POSITIONS 8

/* The three name spaces. A number means something else in each. */
enum space { SPACE_OBJECT, SPACE_FILE, SPACE_FUNCTION, SPACES };

/*
 * The name that a number stands for. An object or file keeps its index. One name can be a function
 * of several objects and files: `index` is that in the last (object, file) only.
 */
struct alias {
    uint64_t id;
    const char *text;
    int is_resolved;
    uint32_t index, object, file;
};

struct aliases {
    struct alias *near; /* by number */
    uint64_t *known;    /* a bit for each of these: it is there */
    size_t n_near;      /* a multiple of 64 */
    struct vector far;  /* struct alias, of other numbers */
    struct map map;     /* from these numbers to their places in `far` */
    uint32_t count;     /* of all */
};

/* A name as a line gave it: the place of its alias, or one of these. */
struct name {
    uint32_t alias;
    const char *text; /* where it is written out */
};
#define NAME_WRITTEN MAP_NONE
#define NAME_ABSENT  (MAP_NONE - 1)

/* The meaning of the next line of numbers. */
enum pending { PENDING_NONE, PENDING_CALL, PENDING_JUMP };

/* An "event:" line; applied at the end, because it may come before or after "events:". */
struct described {
    const char *name, *long_name, *formula;
};

struct callgrind {
    struct reader r;
    struct aliases aliases[SPACES];

    /* The reader's place. Indices are CPROF_NONE where nothing is known. */
    uint32_t object;
    uint32_t own_file;        /* of the function: fl= */
    uint32_t file;            /* of the lines that follow: fl=, fi=, fe= */
    uint32_t function;        /* CPROF_NONE: that of own_name, when it has costs */
    const char *own_name;     /* as fn= gave it; NULL: none did */
    int has_call_objects;     /* a cob= was seen */
    int has_own_files;        /* an fl= was seen */
    int is_fresh;             /* nothing but names has come since fn= */
    struct name call[SPACES]; /* cob=, cfi=, cfn= up to the call's costs */
    enum pending pending;
    uint64_t call_count;

    uint32_t n_positions;
    int lines_only;               /* the one position is the line */
    int positions[MAX_POSITIONS]; /* POSITION_ kinds, in the order of the columns */
    uint64_t base[POSITION_KINDS];

    /*
     * Callgrind writes relative positions from the last line of self cost, whatever its manual
     * says; other writers follow the manual, where the line of a call counts too. They differ where
     * calls follow each other directly.
     */
    int is_stock;
    int needs_totals; /* Callgrind 3 ends each part with "totals:" */

    struct cprof_part part;
    int in_body;
    int is_plain_summary;                      /* the costs should add up to that one */
    int saw_totals, have_totals, have_summary; /* those that were seen may be beyond use */
    int64_t totals[READER_MAX_EVENTS];
    int64_t summary[READER_MAX_EVENTS];
    struct described described[READER_MAX_EVENTS];
    uint32_t n_described;
};

/* An "xx=" line that names something. 1 where it is none; 0; -1. */
int callgrind_name_line(struct callgrind *c);
/* Takes a line of the form "xx=(12)" at `line` in the buffer, if 12 is known. Returns the byte
 * behind its newline; NULL: the line is left, or the error is set. */
const char *callgrind_quick_name(struct callgrind *c, const char *line, const char *end);
/* The function that the call lines so far name, or CPROF_NONE with the error set. Forgets them. */
uint32_t callgrind_callee(struct callgrind *c);
/* The function of costs where `function` is not known yet: that of its name and present file, or
 * one for all costs without a function. CPROF_NONE with the error set. */
uint32_t callgrind_late_function(struct callgrind *c);
/* Forgets and frees all numbers of names. */
void callgrind_release_names(struct callgrind *c);

static inline void callgrind_forget_call(struct callgrind *c)
{
    for (size_t i = 0; i < SPACES; i++)
        c->call[i].alias = NAME_ABSENT;
}

#endif
