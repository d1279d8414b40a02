#include <config.h>

#include "tui/bars.h"

#include "base/memory.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <stdlib.h>
#include <string.h>

enum { HINT_GAP = 2 };

/* Before a title is cut, the program's name goes, and then the total. The sections stay, where they
 * are all that is shown. */
static void draw_first(const struct browser *b)
{
    char *name = text_clean(b->input->name, screen_utf8()), *title, *left, *right;
    char *part = part_heading_text(b->data.profile);
    const struct view *v = browser_current(b);
    char total[TEXT_NUMBER];
    int room;

    title = v->class->title(v);
    if (part) {
        char *whole = xasprintf("%s: %s", part, title);

        free(title);
        title = whole;
    }
    right = xasprintf("%s %s ", text_count(total, data_total(&b->data)), data_self(&b->data)->name);
    room = COLS - (int)strlen(right) - 1;
    left = xasprintf(" %s  %s", name, title);
    if ((int)text_width(left, screen_utf8()) > room) {
        free(left);
        left = xasprintf(" %s", title);
    }
    screen_put(0, 0, COLS, "", LOOK_BAR, false, TEXT_CUT_MIDDLE, false);
    if ((int)text_width(left, screen_utf8()) > room)
        room = COLS;
    screen_put(0, 0, room, left, LOOK_BAR, false, TEXT_CUT_MIDDLE, false);
    if (room < COLS)
        screen_put(0, COLS - (int)strlen(right), (int)strlen(right), right, LOOK_BAR, true,
                   TEXT_CUT_MIDDLE, false);
    free(name);
    free(part);
    free(title);
    free(left);
    free(right);
}

/* The keys of every view. */
static const struct key_hint common[] = {
    {ACTION_HELP, "help"}, {ACTION_QUIT, "quit"}, {ACTION_NONE, NULL}};

/* The first name of an action's keys: of "Up, k" the first two letters. */
static int key_length(const struct key_hint *hint)
{
    return (int)strcspn(key_shown(hint->action), ",");
}

static int hint_width(const struct key_hint *hint)
{
    return key_length(hint) + 1 + (int)strlen(hint->word);
}

/* Draws a key in bold with its word. Returns the column behind it. */
static int draw_hint(const struct key_hint *hint, int x)
{
    char *key = xstrndup(key_shown(hint->action), (size_t)key_length(hint));

    screen_put(LINES - 1, x, key_length(hint), key, LOOK_BAR_KEY, false, TEXT_CUT_END, false);
    screen_put(LINES - 1, x + key_length(hint) + 1, (int)strlen(hint->word), hint->word, LOOK_BAR,
               false, TEXT_CUT_END, false);
    free(key);
    return x + hint_width(hint);
}

/* False where there is nothing to go back to, to leave out, or to show. */
static bool does_something(struct browser *b, enum action action)
{
    switch (action) {
    case ACTION_ESCAPE:
        return b->history.at > 0;
    case ACTION_OWN_ONLY:
        return data_has_own_code(&b->data);
    case ACTION_CALLS:
    case ACTION_CALLERS:
        return b->data.has_calls;
    case ACTION_EVENT:
        return b->data.n_measures > 1;
    case ACTION_TREE:
        return b->data.profile->n_contexts > 0;
    default:
        return action < ACTION_VIEWS || view_exists(action - ACTION_VIEWS, b->data.profile);
    }
}

/* Draws the keys of a view as far as there is room, and those of every view. */
static void draw_hints(struct browser *b, const struct key_hint *hints)
{
    int x = HINT_GAP / 2, rest = 0;

    for (const struct key_hint *h = common; h->word; h++)
        rest += HINT_GAP + hint_width(h);
    for (; hints->word; hints++) {
        if (x + hint_width(hints) + rest > COLS || !does_something(b, hints->action))
            continue;
        x = draw_hint(hints, x) + HINT_GAP;
    }
    for (const struct key_hint *h = common; h->word; h++)
        x = draw_hint(h, x) + HINT_GAP;
}

static void draw_last(struct browser *b)
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
        text = xstrdup("");
    screen_put(LINES - 1, 0, COLS, text, b->prompt.kind || b->message ? LOOK_BOLD : LOOK_BAR, false,
               b->prompt.kind ? TEXT_CUT_START : TEXT_CUT_MIDDLE, false);
    if (b->prompt.kind != PROMPT_NONE) {
        int width = (int)text_width(text, screen_utf8());

        curs_set(1);
        move(LINES - 1, width < COLS ? width : COLS - 1);
    } else {
        curs_set(0);
    }
    if (!*text)
        draw_hints(b, v->class->hints);
    free(text);
}

void bars_draw(struct browser *b)
{
    draw_first(b);
    draw_last(b);
}
