/*
 * option_words.h - options that were given, as words for another command that has them, too.
 */
#ifndef BASE_OPTION_WORDS_H
#define BASE_OPTION_WORDS_H

#include "base/options.h"

/* Adds "--name=value" for each option of the groups that was given, in the order of their tables.
 * string_list_free_texts() frees them. */
void option_words(const struct option_group *groups, const struct option_result *result,
                  struct string_list *words);

#endif
