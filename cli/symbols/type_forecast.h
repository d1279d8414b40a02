/*
 * type_forecast.h - whether a type is in a program's debug information, told before the program
 * runs.
 */
#ifndef SYMBOLS_TYPE_FORECAST_H
#define SYMBOLS_TYPE_FORECAST_H

#include <stdbool.h>

/*
 * True where the program at `path` has types, and none that `name` may mean, with or without the
 * path before it and type arguments behind it. Then `*nearest` gets the name of one that may have
 * been meant, for the caller to free, or NULL. Libraries, which may have types of their own, are
 * not looked at.
 */
bool type_forecast_is_absent(const char *path, const char *name, char **nearest);

#endif
