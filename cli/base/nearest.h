/*
 * nearest.h - the name that was probably meant.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/*
 * The one of `n` names that is closest to `word` (insertions, deletions, substitutions and swapped
 * neighbours count one each), or NULL where none is close enough to be worth suggesting.
 */
const char *nearest_name(const char *word, const char *const *names, size_t n);

#endif
