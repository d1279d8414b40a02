/*
 * forecast.h - which names a program will have in its profile: looked at before a long run, when it
 * can still be built in another way.
 */
#ifndef SYMBOLS_FORECAST_H
#define SYMBOLS_FORECAST_H

/* The worst thing that is missing. A separate debug file (.gnu_debuglink, build-id) counts. */
enum forecast {
    FORECAST_FULL,        /* functions, lines, inlined functions with their paths */
    FORECAST_SHORT_NAMES, /* Rust with lines only (line-tables-only): inlined functions without
                             paths */
    FORECAST_STD_ONLY,    /* debug information of the standard library, none of the program's own */
    FORECAST_NO_LINES,    /* symbols, no debug information */
    FORECAST_STRIPPED     /* not even symbols */
};

/* What the ELF file at `path` has; FORECAST_FULL where it cannot be read. It looks at the first
 * entry of each unit, and at no more units than it takes. */
enum forecast forecast_look(const char *path);

#endif
