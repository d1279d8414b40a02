/*
 * memory.h - allocation that never returns NULL: running out of memory ends the program with a
 * message. For cli/ only; the library reports errors instead.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#define ATTR_ALLOC __attribute__((malloc, returns_nonnull, warn_unused_result))

/* Ends the program as all of these do when there is no more memory: for structures that are the
 * library's. */
_Noreturn void memory_die(void);
/* Does so where a function of the library `failed` for want of memory, as its result says. */
static inline void memory_check(int failed)
{
    if (failed)
        memory_die();
}
void *xmalloc(size_t size) ATTR_ALLOC __attribute__((alloc_size(1)));
/* Zeroed memory for `n` elements. */
void *xcalloc(size_t n, size_t size) ATTR_ALLOC __attribute__((alloc_size(1, 2)));
/* Room for `n` elements of `size` bytes; the product is checked. */
void *xreallocarray(void *old, size_t n, size_t size)
    __attribute__((returns_nonnull, warn_unused_result, alloc_size(2, 3)));
char *xstrdup(const char *text) ATTR_ALLOC;
char *xstrndup(const char *text, size_t size) ATTR_ALLOC;
/* A formatted string; the caller frees it. */
char *xasprintf(const char *format, ...) ATTR_ALLOC __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list arguments) ATTR_ALLOC
    __attribute__((format(printf, 1, 0)));

/* Has the heap grow by 32 MB at once, of large pages where the system has them: for work that takes
 * much of that, since a page fault may cost more than what is written to the page. Later calls do
 * nothing. */
void memory_expect_much(void);

#endif
