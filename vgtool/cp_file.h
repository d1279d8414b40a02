/*
 * cp_file.h - writes one text file at a time, and checks every write; the core's own printing to
 * files does not.
 */
#ifndef CP_FILE_H
#define CP_FILE_H

#include "cp_tool.h"

/*
 * The full name of this program's profile: the program may change its folder, and %p is the current
 * process. The process may have gone on as this program by exec. It keeps its earlier profile, so
 * the second program's gets a name with "-2" behind it. The caller frees the name.
 */
HChar *cp_file_name(const HChar *pattern);

/*
 * Begins a file, or with --cprof-out-fd the sending of one, for which `part` stands: 0 is that of
 * the end, and others are numbered. A file has a temporary name beside `path`; cp_file_end() gives
 * it that name. A device or a pipe is written to in place. On failure both functions print the
 * reason and leave nothing half-written. False: the file cannot be opened.
 */
Bool cp_file_begin(const HChar *path, UInt part);
void cp_file_end(Bool is_before_exec);

/* Writes all bytes. Returns 0 or an errno. */
Int cp_file_write(Int fd, const void *bytes, UInt n);

/* Lines written so far. */
ULong cp_file_lines(void);

/* Removes the file if it is a regular one, or takes back what was sent before an exec. */
void cp_file_withdraw(const HChar *path);

void cp_put_char(HChar c);
void cp_put(const HChar *text);
void cp_put_decimal(ULong n);
void cp_put_hex(ULong n);
/* Writes each number after a space, without trailing zeros but for the first, and ends the line. */
void cp_put_counts(const ULong *counts, UInt n);
/* Writes two hexadecimal digits for each byte. */
void cp_put_bytes(const UChar *bytes, UInt n);
/* Writes the text to the end of the line; escapes control characters and backslashes by
 * CP_RAW_ESCAPE. */
void cp_put_text(const HChar *text);
/* Writes "key: ". */
void cp_put_key(const HChar *key);
/* Writes "c ". */
void cp_begin_record(HChar letter);

#endif
