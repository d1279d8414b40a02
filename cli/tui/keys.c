#include <config.h>

#include "tui/keys.h"

#include <ncurses.h>

enum { KEY_ESC = 27, KEY_TABULATOR = '\t', KEY_RETURN = '\n', KEY_CTRL_L = 'L' & 0x1f };

#define HEADING(text)              \
    {                              \
        {0}, "", ACTION_NONE, text \
    }

#define VIEW(action)            \
    {                           \
        {0}, NULL, action, NULL \
    }

#define VIEW_TABLE(id, word, form, shows) VIEW(ACTION_VIEWS + VIEW_##id),

/* Keys of views are those of view_kinds, which may have none. */
static const struct key_binding key_table[] = {
    HEADING("Moving"),
    {{KEY_UP, 'k'}, "Up, k", ACTION_UP, "one line up"},
    {{KEY_DOWN, 'j'}, "Down, j", ACTION_DOWN, "one line down"},
    {{KEY_PPAGE}, "PgUp", ACTION_PAGE_UP, "a page up"},
    {{KEY_NPAGE, ' '}, "PgDn, Space", ACTION_PAGE_DOWN, "a page down"},
    {{KEY_HOME, 'g'}, "Home, g", ACTION_FIRST, "the first line"},
    {{KEY_END, 'G'}, "End, G", ACTION_LAST, "the last line"},
    {{KEY_TABULATOR}, "Tab", ACTION_NEXT_PANE, "the other half of the screen"},
    {{KEY_RETURN, '\r', KEY_ENTER}, "Enter", ACTION_OPEN, "open the selected line"},
    {{KEY_ESC}, "Esc", ACTION_ESCAPE, "leave a prompt, a filter, or else this view"},
    {{KEY_BACKSPACE, 127}, "Backspace", ACTION_BACK, "back to the view before"},
    {{'f'}, "f", ACTION_FORWARD, "forward again"},
    HEADING("Views"),
    VIEW(ACTION_OWN),
    VIEW(ACTION_BLAME),
    VIEW(ACTION_FUNCTIONS),
    {{'c'}, "c", ACTION_CALLS, "callers and callees of the function"},
    {{'u'}, "u", ACTION_CALLERS, "callers of this line"},
    {{'t'}, "t", ACTION_TREE, "tree of all call paths"},
    {{'T'}, "T", ACTION_TREE_BELOW, "tree of the paths below the function"},
    {{'s'}, "s", ACTION_SOURCE, "source of the function with costs"},
    {{'a'}, "a", ACTION_ASM, "instructions beside the source"},
    {{'d'},
     "d",
     ACTION_DIFF,
     "compare with the other profile, where there are two; there: why it changed"},
    {{'x'}, "x", ACTION_TIME, "time beside counts: of your code, of all functions"},
    {{'o'}, "o", ACTION_GROUP, "list by function, crate, file, object; miss curves by data"},
    VIEW_TABLES(VIEW_TABLE){{'?', KEY_F(1)}, "?, F1", ACTION_HELP, "this help"},
    HEADING("What is shown"),
    {{'/'}, "/", ACTION_FILTER, "show names that contain a text; Enter keeps it, Esc drops it"},
    {{'O'}, "O", ACTION_OWN_ONLY, "own code only, or all"},
    {{'<'}, "<", ACTION_SORT_LEFT, "sort by the column to the left"},
    {{'>'}, ">", ACTION_SORT_RIGHT, "sort by the column to the right"},
    {{'r'}, "r", ACTION_REVERSE, "reverse the order"},
    {{'I'}, "I", ACTION_INCLUSIVE, "sort by own or by inclusive cost"},
    {{'e'}, "e", ACTION_EVENT, "the next event: Ir, Dr, D1mr, ..."},
    {{'E'}, "E", ACTION_EVENT_BACK, "the event before"},
    {{'%', 'p'}, "%, p", ACTION_PERCENT, "percentages, counts, or both"},
    {{'i'}, "i", ACTION_INLINES, "inlined functions apart, or as part of their callers"},
    HEADING("In the tree, and in data"),
    {{KEY_RIGHT, '+'}, "Right, +", ACTION_EXPAND, "open a path, or data; of miss curves all sizes"},
    {{KEY_LEFT, '-'}, "Left, -", ACTION_COLLAPSE, "close a path, or go to the parent"},
    {{'h'}, "h", ACTION_HOTTEST, "open the hottest path below"},
    {{'F'}, "F", ACTION_FULL_PATHS, "paths in full, or from own code on, inlined ones in one line"},
    HEADING("Names and text"),
    {{'m'}, "m", ACTION_MARK, "mark the function, or unmark it"},
    {{'n'}, "n", ACTION_NEXT_MARK, "the next marked function"},
    {{'y'}, "y", ACTION_COPY, "copy the name to the terminal's clipboard"},
    {{'w'}, "w", ACTION_WRITE, "write this view to a file, as text"},
    {{KEY_CTRL_L}, "Ctrl-L", ACTION_REDRAW, "draw the screen anew"},
    {{'q'}, "q", ACTION_QUIT, "quit"},
};

/* False for a view without a key. */
static bool is_there(const struct key_binding *k)
{
    return k->action < ACTION_VIEWS || view_kinds[k->action - ACTION_VIEWS].key;
}

size_t keys_count(void)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof key_table / sizeof *key_table; i++)
        n += is_there(&key_table[i]);
    return n;
}

struct key_binding key_binding_at(size_t i)
{
    const struct key_binding *k = key_table;
    const struct view_kind *view;

    for (; !is_there(k) || i > 0; k++)
        i -= is_there(k);
    if (k->action < ACTION_VIEWS)
        return *k;
    view = &view_kinds[k->action - ACTION_VIEWS];
    return (struct key_binding){{*view->key}, view->key, k->action, view->help};
}

enum action key_action(int key)
{
    for (size_t i = 0; i < keys_count(); i++) {
        struct key_binding binding = key_binding_at(i);

        for (const int *k = binding.keys; *k; k++)
            if (*k == key)
                return binding.action;
    }
    return ACTION_NONE;
}

const char *key_shown(enum action action)
{
    size_t i = 0;

    while (key_binding_at(i).action != action)
        i++;
    return key_binding_at(i).shown;
}

void keys_write(FILE *out)
{
    for (size_t i = 0; i < keys_count(); i++) {
        struct key_binding k = key_binding_at(i);

        if (k.action != ACTION_NONE)
            fprintf(out, "    %-14s %s\n", k.shown, k.help);
        else
            fprintf(out, "%s  %s:\n", i ? "\n" : "", k.help);
    }
}
