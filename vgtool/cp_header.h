/*
 * cp_header.h - the header of the raw profile (doc/format.md).
 */
#ifndef CP_HEADER_H
#define CP_HEADER_H

#include "cp_tool.h"

/* The end of the process, if that is known. */
typedef enum { CP_ENDED_UNKNOWN, CP_ENDED_CODE, CP_ENDED_EXEC } CpEnd;

/* Has the header keep a text on what the run was made with. */
void cp_header_setup(const HChar *text);

/* Finds the program's path. Call it when the program is loaded. */
void cp_header_init(void);

/* The program's path, or its name where no path is known. */
const HChar *cp_header_program(void);

/* Each writes some of the lines. begin: the first ones, up to the caches. part: which part this is
 * (0: the run was not divided) and why it is written (NULL: the program ends), and what was
 * switched. */
void cp_header_begin(CpEnd ended, Int exit_code);
void cp_header_random(void);
void cp_header_subject(void);
void cp_header_threads(void);
void cp_header_part(UInt part, const HChar *trigger);

#endif
