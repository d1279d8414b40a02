/*
 * open_file.h - --open: a page or a picture is shown by the user's browser.
 */
#ifndef OPTIONS_OPEN_FILE_H
#define OPTIONS_OPEN_FILE_H

#include "base/options.h"

#include <stdbool.h>

#define OPEN_HELP \
    "open it in a browser ($BROWSER, or xdg-open); without a file name it is kept here"

/* Checks that the file of an option, NULL where it was not given, has a name and can be written.
 * Returns 0, or a status after having said what is wrong. */
int open_check(const char *option, const char *path);
/* The endings of pages' names (option_def.choices). */
extern const char *const open_page_endings[];

/* Settles whether an operand right behind --html, which does not end like a page, is the page's
 * name after all: it is no profile, and there are more operands than the command needs (`spare`).
 * Returns 0, or STATUS_USAGE after having said that it is neither. `*page` is as open_name() takes
 * it. */
int open_take_operand(struct option_result *result, bool spare, const char **page);

/*
 * Names the file of an option that may be given without one: `*file` is NULL where it was not
 * given, "" without a name. That is then the file of -o, which is `*output` and taken away from
 * there where `takes_output`; else `name` beside the kept runs, which is in `*kept` for the caller
 * to free. Returns 0, or STATUS_ERROR after having said what is wrong.
 */
int open_name(const char *name, bool takes_output, const char **file, const char **output,
              char **kept);
/* open_name() for a command that writes the page alone (--html: `page`, --open) and tables
 * otherwise: without a name it goes to -o, to standard output where that is no terminal and nothing
 * is to be opened, or else beside the kept runs. `*page` is NULL where it goes to standard output.
 */
int open_page(const char *name, bool open, const char **page, const char **output, char **kept);
/* Says which file was written and opens it. Returns 0, or STATUS_ERROR after having said what is
 * wrong. */
int open_file(const char *path);

#endif
