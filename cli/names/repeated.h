/*
 * repeated.h - which of many texts may be equal to another one of them: where most are not, only
 * those need be put in order and compared.
 */
#ifndef NAMES_REPEATED_H
#define NAMES_REPEATED_H

#include <stdbool.h>
#include <stddef.h>

typedef const char *alike_text(const void *owner, size_t i);

/* For each of `n` texts whether another one may be equal: true wherever one is, and now and then
 * where none is. The caller frees it. */
bool *alike_find(alike_text *text, const void *owner, size_t n);

#endif
