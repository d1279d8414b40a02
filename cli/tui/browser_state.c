#include <config.h>

#include "tui/browser_state.h"

#include "base/memory.h"
#include "table/heap.h"
#include "table/subject.h"
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

bool browser_has_memory(const struct browser *b, enum action action)
{
    const struct cprof_profile *p = b->data.profile;

    return action == ACTION_HEAP   ? heap_is_counted(p)
           : action == ACTION_DATA ? p->has_data
                                   : p->n_curve_sizes > 0;
}

bool browser_open_memory(struct browser *b, enum action action)
{
    static const struct {
        enum action action;
        struct view *(*make)(struct browser *browser, struct data *data);
        const char *measure; /* that lines and calls are shown by, from there on */
    } views[] = {{ACTION_HEAP, view_heap, "Bytes"},
                 {ACTION_DATA, view_data, "D1m"},
                 {ACTION_CURVES, view_curves, "D1m"}};
    size_t i = 0;
    struct view *view;

    while (views[i].action != action)
        i++;
    if (!browser_has_memory(b, action))
        return false;
    view = views[i].make(b, &b->data);
    if (!view->class->suits(data_self(&b->data))) {
        data_choose_measure(&b->data, views[i].measure);
        view->class->update(view);
    }
    browser_open(b, view);
    return true;
}

void browser_open_first(struct browser *b)
{
    enum cprof_subject subject = subject_of(b->data.profile);

    if (subject != CPROF_SUBJECT_CODE)
        browser_open_memory(b, subject == CPROF_SUBJECT_HEAP ? ACTION_HEAP : ACTION_DATA);
    else
        browser_open(b, data_has_own_code(&b->data) ? view_own(b, &b->data)
                                                    : view_functions(b, &b->data));
}

void browser_open_function(struct browser *b, size_t row)
{
    if (row != SIZE_MAX)
        browser_open(b, b->data.has_calls
                            ? view_calls(b, &b->data, row)
                            : view_source(b, &b->data, row, (struct place){NULL, 0}, false));
}

void browser_open_line(struct browser *b, size_t row, struct place place)
{
    if (row != SIZE_MAX)
        browser_open(b, view_source(b, &b->data, row, place, false));
    else
        browser_say(b, "no function is known here");
}

void browser_say(struct browser *b, const char *format, ...)
{
    va_list arguments;

    free(b->message);
    va_start(arguments, format);
    b->message = xvasprintf(format, arguments);
    va_end(arguments);
}
