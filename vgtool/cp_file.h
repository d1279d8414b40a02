/*
 * cp_file.h - writes one text file at a time, checking every write: the core's own printing to
 * files does not.
 */
#ifndef CP_FILE_H
#define CP_FILE_H

#include "cp_tool.h"

/*
 * The name of this program's profile in full: the program may change its folder, and %p is the
 * process that asks. What the process wrote before it went on as this program is kept: the second
 * of its programs gets a name with "-2" behind it. The caller frees it.
 */
HChar *cp_file_name(const HChar *pattern);

/*
 * Begins a file that cp_file_end() will give the name `path`, whole or not at all; until then it
 * has a temporary name beside it. A device or a pipe is written to in place. Both say what is wrong
 * where they fail; nothing half-written is left. False: it cannot be opened.
 */
Bool cp_file_begin(const HChar *path);
void cp_file_end(void);

/* Lines written so far. */
ULong cp_file_lines(void);

/* Removes the file, if it is one. */
void cp_file_remove(const HChar *path);

void cp_put_char(HChar c);
void cp_put(const HChar *text);
void cp_put_decimal(ULong n);
void cp_put_hex(ULong n);
/* To the end of the line, control characters and backslashes escaped as CP_RAW_ESCAPE says. */
void cp_put_text(const HChar *text);
/* "key: " */
void cp_put_key(const HChar *key);
/* "c " */
void cp_begin_record(HChar letter);

#endif
