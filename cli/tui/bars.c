#include <config.h>

#include "tui/bars.h"

#include "base/memory.h"
#include "render/text/text.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <stdlib.h>
#include <string.h>

static void draw_first(const struct browser *b)
{
    char *name = text_clean(b->input->name, screen_utf8()), *title, *left, *right;
    const struct view *v = browser_current(b);
    char total[TEXT_NUMBER];

    title = v->class->title(v);
    left = xasprintf(" %s  %s", name, title);
    right = xasprintf("%s %s ", text_count(total, data_total(&b->data)), data_self(&b->data)->name);
    screen_put(0, 0, COLS, "", LOOK_BAR, false, TEXT_CUT_MIDDLE, false);
    screen_put(0, 0, COLS - (int)strlen(right) - 1, left, LOOK_BAR, false, TEXT_CUT_MIDDLE, false);
    screen_put(0, COLS - (int)strlen(right), (int)strlen(right), right, LOOK_BAR, true,
               TEXT_CUT_MIDDLE, false);
    free(name);
    free(title);
    free(left);
    free(right);
}

static void draw_last(const struct browser *b)
{
    const struct view *v = browser_current(b);
    char *text;

    if (b->prompt.kind != PROMPT_NONE)
        text =
            xasprintf("%s%s", b->prompt.kind == PROMPT_FILTER ? "/" : "Write to: ", b->prompt.text);
    else if (b->message)
        text = xstrdup(b->message);
    else if (v->filter)
        text = xasprintf(" /%s  (Esc shows all)", v->filter);
    else
        text = xstrdup(" ? help  Enter open  / filter  t tree  c calls  s source  b back  q quit");
    screen_put(LINES - 1, 0, COLS, text, b->prompt.kind || b->message ? LOOK_BOLD : LOOK_BAR, false,
               b->prompt.kind ? TEXT_CUT_START : TEXT_CUT_MIDDLE, false);
    if (b->prompt.kind != PROMPT_NONE) {
        int width = (int)text_width(text, screen_utf8());

        curs_set(1);
        move(LINES - 1, width < COLS ? width : COLS - 1);
    } else {
        curs_set(0);
    }
    free(text);
}

void bars_draw(const struct browser *b)
{
    draw_first(b);
    draw_last(b);
}
