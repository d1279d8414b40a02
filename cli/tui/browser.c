#include <config.h>

#include "tui/browser.h"

#include "base/memory.h"
#include "render/text/run_header.h"
#include "render/text/text.h"
#include "tui/actions.h"
#include "tui/browser_state.h"
#include "tui/prompting.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/*--- Keys and signals ---*/

/* Blocks the signals that end a program, since the terminal must be given back first, and returns a
 * file descriptor that they come from; `*old` is what was blocked before. */
static int input_hold_signals(sigset_t *old)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigprocmask(SIG_BLOCK, &set, old);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Waits for a key or a change of the window's size, and returns 0; or for a signal, and returns its
 * number. */
static int input_wait(int signals)
{
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = signals, .events = POLLIN}};
    struct signalfd_siginfo info;

    /* A change of the window's size interrupts it: the library has a key for that. */
    if (poll(fds, 2, -1) < 0)
        return 0;
    if (fds[1].revents && read(signals, &info, sizeof info) == (ssize_t)sizeof info)
        return (int)info.ssi_signo;
    return fds[0].revents & (POLLHUP | POLLERR) && !(fds[0].revents & POLLIN) ? SIGHUP : 0;
}

/*--- The mouse ---*/

enum { WHEEL_LINES = 3 };

/* The release of a button that was held longer than a click takes comes, too, as an event of its
 * own. */
static bool is_click(const MEVENT *event)
{
    return event->bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED);
}

/* Does what an event of the mouse asks for. */
static void mouse_event(struct browser *b, const MEVENT *event)
{
    struct view *v = browser_current(b);

    for (int i = 0; i < v->n_panes; i++) {
        struct pane *p = &v->panes[i];
        int line = event->y - p->y;

        if (line < 0 || line >= p->height)
            continue;
        if (event->bstate & BUTTON4_PRESSED) {
            pane_move(p, -WHEEL_LINES);
        } else if (event->bstate & BUTTON5_PRESSED) {
            pane_move(p, WHEEL_LINES);
        } else if (!is_click(event)) {
            continue;
        } else if (line == 0) {
            int column = pane_column_at(p, event->x);

            if (i == 0 && column >= 0 && v->class->head)
                v->class->head(v, column);
        } else if (p->top + (size_t)line - 1 < p->n) {
            v->focus = i;
            p->selected = p->top + (size_t)line - 1;
            if (event->bstate & BUTTON1_DOUBLE_CLICKED)
                actions_do(b, ACTION_OPEN);
        }
    }
}

/*--- The first and the last line of the screen ---*/

enum { HINT_GAP = 2 };

/* Before a title is cut, the program's name goes, and then the total. The sections stay, where they
 * are all that is shown. */
static void draw_first(const struct browser *b)
{
    char *name = text_clean(b->input->name), *title, *left, *right;
    char *part = part_heading_text(b->browsed.profile);
    const struct view *v = browser_current(b);
    char total[TEXT_NUMBER];
    int room;

    title = v->class->title(v);
    if (part) {
        char *whole = xasprintf("%s: %s", part, title);

        free(title);
        title = whole;
    }
    right = xasprintf("%s %s ", text_count(total, browsed_total(&b->browsed)),
                      browsed_self(&b->browsed)->name);
    room = COLS - (int)strlen(right) - 1;
    left = xasprintf(" %s  %s", name, title);
    if ((int)text_width(left) > room) {
        free(left);
        left = xasprintf(" %s", title);
    }
    screen_put(0, 0, COLS, "", LOOK_BAR, false, TEXT_CUT_MIDDLE, false);
    if ((int)text_width(left) > room)
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
        return browsed_has_own_code(&b->browsed);
    case ACTION_CALLS:
    case ACTION_CALLERS:
        return b->browsed.has_calls;
    case ACTION_EVENT:
        return b->browsed.n_measures > 1;
    case ACTION_TREE:
        return b->browsed.profile->n_contexts > 0;
    default:
        return action < ACTION_VIEWS || view_exists(action - ACTION_VIEWS, b->browsed.profile);
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
        int width = (int)text_width(text);

        curs_set(1);
        move(LINES - 1, width < COLS ? width : COLS - 1);
    } else {
        curs_set(0);
    }
    if (!*text)
        draw_hints(b, v->class->hints);
    free(text);
}

/*--- The browser ---*/

static void draw(struct browser *b)
{
    struct view *v = browser_current(b);
    int room = LINES - 2, first = v->n_panes == 2 ? room / 2 : room;

    if (v->class->follow)
        v->class->follow(v);
    erase();
    pane_draw(&v->panes[0], 1, first, v->focus == 0);
    if (v->n_panes == 2)
        pane_draw(&v->panes[1], 1 + first, room - first, v->focus == 1);
    draw_first(b);
    draw_last(b);
    refresh();
}

static void take_key(struct browser *b, bool is_key, wint_t c)
{
    MEVENT event;

    if (is_key && c == KEY_RESIZE) {
        clearok(stdscr, TRUE);
        browser_current(b)->class->update(browser_current(b));
        return;
    }
    free(b->message);
    b->message = NULL;
    if (is_key && c == KEY_MOUSE) {
        /* One key may stand for several events. */
        while (getmouse(&event) == OK)
            if (b->prompt.kind == PROMPT_NONE)
                mouse_event(b, &event);
    } else if (b->prompt.kind != PROMPT_NONE) {
        prompting_key(b, is_key, c);
    } else {
        /* Characters beyond ASCII would look like curses' codes. */
        actions_do(b, is_key || c < 128 ? key_action((int)c) : ACTION_NONE);
    }
}

/* Draws and takes keys until the user quits. Returns 0, or the signal that ended it. */
static int loop(struct browser *b, int signals)
{
    while (!b->done) {
        wint_t c;
        int signal, kind;

        draw(b);
        signal = input_wait(signals);
        if (signal)
            return signal;
        while (!b->done && (kind = get_wch(&c)) != ERR)
            take_key(b, kind == KEY_CODE_YES, c);
    }
    return 0;
}

char *browser_problem(void)
{
    return screen_problem();
}

enum browser_end browser_run(const struct browser_input *input, int *ended_by)
{
    struct browser b = {.input = input, .inlines = input->inlines};
    sigset_t old;
    int signals;

    if (!screen_begin())
        return BROWSER_NO_TERMINAL;
    signals = input_hold_signals(&old);
    browsed_load(&b.browsed, input->profile, input->packages, input->root, input->sources,
                 input->threads);
    browsed_choose_measure(&b.browsed, input->measure);
    browser_open_first(&b);
    if (input->old && !actions_open_time(&b))
        actions_open_diff(&b);
    *ended_by = loop(&b, signals);
    screen_end();
    close(signals);
    history_clear(&b.history);
    browsed_free(&b.browsed);
    free(b.message);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return *ended_by ? BROWSER_SIGNAL : BROWSER_QUIT;
}
