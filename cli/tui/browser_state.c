#include <config.h>

#include "tui/browser_state.h"

#include "base/memory.h"
#include "tui/view.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

struct view *browser_current(const struct browser *b)
{
    return history_current(&b->history);
}

void browser_open(struct browser *b, struct view *view)
{
    history_open(&b->history, view);
}

void browser_open_first(struct browser *b)
{
    browser_open(b,
                 data_has_own_code(&b->data) ? view_own(b, &b->data) : view_functions(b, &b->data));
}

void browser_open_function(struct browser *b, size_t row)
{
    if (row != SIZE_MAX)
        browser_open(b, b->data.has_calls
                            ? view_calls(b, &b->data, row)
                            : view_source(b, &b->data, row, (struct place){NULL, 0}, false));
}

void browser_say(struct browser *b, const char *format, ...)
{
    va_list arguments;

    free(b->message);
    va_start(arguments, format);
    b->message = xvasprintf(format, arguments);
    va_end(arguments);
}
