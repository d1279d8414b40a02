/*
 * option_texts.h - the options of another command, with help of their own.
 */
#ifndef BASE_OPTION_TEXTS_H
#define BASE_OPTION_TEXTS_H

#include "base/options.h"

/* A row of a table with another help, for a command that has other values. */
struct option_text {
    const char *name, *help;
};
/* Copies a table to `to`, which has room for `room` rows with its end, with the help of `texts`,
 * which end with name == NULL. */
void options_copy(struct option_def *to, size_t room, const struct option_def *from,
                  const struct option_text *texts);

#endif
