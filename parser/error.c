#include <config.h>

#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_init(struct cprof_error *error, const char *source)
{
    size_t size = strlen(source);

    memset(error, 0, sizeof *error);
    if (size < sizeof error->source)
        memcpy(error->source, source, size + 1);
    else
        snprintf(error->source, sizeof error->source, "...%s",
                 source + size - (sizeof error->source - 4));
}

__attribute__((format(printf, 3, 0))) static void
set_text(struct cprof_error *error, enum cprof_code code, const char *format, va_list arguments)
{
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

int error_set(struct cprof_error *error, enum cprof_code code, const char *format, ...)
{
    va_list arguments;

    if (error->code == CPROF_OK) {
        va_start(arguments, format);
        set_text(error, code, format, arguments);
        va_end(arguments);
    }
    return -1;
}

/* Keeps the part of `text` around `column` that fits, unprintable bytes replaced. */
static void set_excerpt(struct cprof_error *error, unsigned column, const char *text, size_t size)
{
    size_t room = sizeof error->excerpt - 1;
    size_t at = column ? column - 1 : 0;
    size_t start = at > room / 2 && size > room ? at - room / 2 : 0;
    size_t n = 0;

    for (size_t i = start; i < size && n < room; i++, n++) {
        unsigned char c = (unsigned char)text[i];
        error->excerpt[n] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    error->excerpt[n] = '\0';
    error->mark = (unsigned)(at - start < n ? at - start : n);
}

int error_memory(struct cprof_error *error)
{
    return error_set(error, CPROF_ERROR_MEMORY, "out of memory");
}

int error_at(struct cprof_error *error, enum cprof_code code, unsigned long line, unsigned column,
             const char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    if (error->code == CPROF_OK) {
        va_start(arguments, format);
        set_text(error, code, format, arguments);
        va_end(arguments);
        error->line = line;
        error->column = column;
        set_excerpt(error, column, text, size);
    }
    return -1;
}
