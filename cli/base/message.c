#include <config.h>

#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/memory.h"
#include "base/terminal.h"

#define BOLD_RED    "\033[1;31m"
#define BOLD_YELLOW "\033[1;33m"
#define BOLD_GREEN  "\033[1;32m"
#define PLAIN       "\033[0m"

/* A message is one line whatever the names in it hold: a newline in a file's name must not make
 * two, an escape must not reach the terminal. */
static char *one_line(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
static char *one_line(const char *format, va_list arguments)
{
    char *text = xvasprintf(format, arguments), *clean = text_local(text);

    free(text);
    return clean;
}

static void say(const char *kind, const char *color, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void say(const char *kind, const char *color, const char *format, va_list arguments)
{
    bool colored = *kind && terminal_color(STDERR_FILENO);
    char *text = one_line(format, arguments);

    fprintf(stderr, "cargo-cprof: %s%s%s%s\n", colored ? color : "", kind, colored ? PLAIN : "",
            text);
    free(text);
}

int message_error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("error: ", BOLD_RED, format, arguments);
    va_end(arguments);
    return STATUS_ERROR;
}

int message_usage(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("error: ", BOLD_RED, format, arguments);
    va_end(arguments);
    return STATUS_USAGE;
}

void message_warning(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("warning: ", BOLD_YELLOW, format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("", "", format, arguments);
    va_end(arguments);
}

int message_library_error(const struct cprof_error *error)
{
    if (error->line && error->column)
        message_error("%s:%lu:%u: %s", error->source, error->line, error->column, error->text);
    else if (error->line)
        message_error("%s:%lu: %s", error->source, error->line, error->text);
    else
        message_error("%s: %s", error->source, error->text);
    if (error->line && error->excerpt[0]) {
        char *excerpt = text_local(error->excerpt);

        fprintf(stderr, "  %s\n", excerpt);
        free(excerpt);
        if (error->column)
            fprintf(stderr, "  %*s^\n", (int)error->mark, "");
    }
    return STATUS_ERROR;
}

void message_status(const char *verb, const char *format, ...)
{
    bool colored = terminal_color(STDERR_FILENO);
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = one_line(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s%12s%s %s\n", colored ? BOLD_GREEN : "", verb, colored ? PLAIN : "", text);
    free(text);
}
