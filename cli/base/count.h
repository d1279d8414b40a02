/*
 * count.h - counts as people read them.
 */
#ifndef BASE_COUNT_H
#define BASE_COUNT_H

#include <stdint.h>

enum { TEXT_NUMBER = 32 }; /* room for any number that is written so */

/* "117,237,366" */
char *text_count(char buffer[TEXT_NUMBER], int64_t value);

/* The same for sentences that have several counts; valid until the end of the block. */
#define TEXT_COUNT(value) text_count((char[TEXT_NUMBER]){0}, (int64_t)(value))

#endif
