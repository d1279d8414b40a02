/*
 * open_file.h - --open: a page or a picture is shown by the user's browser.
 */
#ifndef REPORT_OPEN_FILE_H
#define REPORT_OPEN_FILE_H

#include <stdbool.h>

#define OPEN_HELP \
    "open it in a browser ($BROWSER, or xdg-open); without a file name it is kept here"

/* Checks that the file of an option, NULL where it was not given, has a name and can be written.
 * Returns 0, or a status after having said what is wrong. */
int open_check(const char *option, const char *path);
/* With `open`, and where no file is named: puts a name beside the kept runs into `*output`, and
 * into
 * `*made` for the caller to free. Returns 0, or STATUS_ERROR after having said what is wrong. */
int open_name(bool open, const char *name, const char **output, char **made);
/* Says which file was written and opens it. Returns 0, or STATUS_ERROR after having said what is
 * wrong. */
int open_file(const char *path);

#endif
