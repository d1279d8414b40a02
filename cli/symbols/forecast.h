/*
 * forecast.h - a forecast of the names in a program's profile, made before a long run, when the
 * program can still be built in another way.
 */
#ifndef SYMBOLS_FORECAST_H
#define SYMBOLS_FORECAST_H

#include <stdbool.h>

/* The worst thing that is missing. A separate debug file (.gnu_debuglink, build-id) counts. */
enum forecast {
    FORECAST_FULL,        /* functions, lines, inlined functions with their paths */
    FORECAST_SHORT_NAMES, /* Rust with lines only (line-tables-only): inlined functions without
                             paths */
    FORECAST_STD_ONLY,    /* debug information of the standard library, none of the program's own */
    FORECAST_NO_LINES,    /* symbols, no debug information */
    FORECAST_STRIPPED,    /* not even symbols */
    FORECAST_NO_STARTS    /* nor unwind tables: nothing says where most functions begin */
};

/* The forecast for the ELF file at `path`; FORECAST_FULL where it cannot be read. It looks at the
 * first entry of each unit, and at no more units than it takes. */
enum forecast forecast_look(const char *path);

/*--- Types ---*/

/* A forecast of types tells before a run if debug information has one. */

/*
 * True where the program at `path` has types, and none that `name` may mean, with or without the
 * path before it and type arguments behind it. Then `*nearest` gets the name of one that may have
 * been meant, for the caller to free, or NULL. Libraries, which may have types of their own, are
 * not looked at.
 */
bool type_forecast_is_absent(const char *path, const char *name, char **nearest);

#endif
