#include <config.h>

#include "base/message.h"

#include "base/clean.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOLD_RED    "\033[1;31m"
#define BOLD_YELLOW "\033[1;33m"
#define BOLD_GREEN  "\033[1;32m"
#define PLAIN       "\033[0m"

#define PREFIX "cargo-cprof: "

/* Where the lines of a message begin but the first: below its text, or where there is little room
 * a little to the right. */
enum { STATUS_VERB = 12, INDENT = STATUS_VERB + 1, INDENT_NARROW = 2, WIDTH_NARROW = 50 };

/* A message is one line whatever the names in it hold: a newline in a file's name must not make
 * two, an escape must not reach the terminal. */
static char *one_line(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
static char *one_line(const char *format, va_list arguments)
{
    char *text = xvasprintf(format, arguments), *clean = text_clean(text);

    free(text);
    return clean;
}

/* Ends a line of which `column` columns are written with a text; on a terminal in as many lines as
 * it takes, with no word divided. */
static void put_text(const char *text, size_t column)
{
    unsigned width = terminal_is(STDERR_FILENO) ? terminal_width(STDERR_FILENO) : 0;

    if (width)
        wrap_put_from(stderr, text, (unsigned)column, width < WIDTH_NARROW ? INDENT_NARROW : INDENT,
                      width);
    else
        fputs(text, stderr);
    fputc('\n', stderr);
}

static void say(const char *kind, const char *color, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void say(const char *kind, const char *color, const char *format, va_list arguments)
{
    bool colored = *kind && terminal_color(STDERR_FILENO);
    char *text = one_line(format, arguments);

    fprintf(stderr, PREFIX "%s%s%s", colored ? color : "", kind, colored ? PLAIN : "");
    put_text(text, strlen(PREFIX) + strlen(kind));
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
        char *excerpt = text_clean(error->excerpt);

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
    fprintf(stderr, "%s%*s%s ", colored ? BOLD_GREEN : "", STATUS_VERB, verb, colored ? PLAIN : "");
    put_text(text, STATUS_VERB + 1);
    free(text);
}
