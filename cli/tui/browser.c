#include <config.h>

#include "tui/browser.h"

#include "tui/actions.h"
#include "tui/bars.h"
#include "tui/browser_state.h"
#include "tui/prompting.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
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

/* Does what the last event of the mouse asks for. */
static void mouse_click(struct browser *b)
{
    struct view *v = browser_current(b);
    MEVENT event;

    if (getmouse(&event) != OK)
        return;
    for (int i = 0; i < v->n_panes; i++) {
        struct pane *p = &v->panes[i];
        int line = event.y - p->y;

        if (line < 0 || line >= p->height)
            continue;
        if (event.bstate & BUTTON4_PRESSED) {
            pane_move(p, -WHEEL_LINES);
        } else if (event.bstate & BUTTON5_PRESSED) {
            pane_move(p, WHEEL_LINES);
        } else if (!is_click(&event)) {
            continue;
        } else if (line == 0) {
            int column = pane_column_at(p, event.x);

            if (i == 0 && column >= 0 && v->class->head)
                v->class->head(v, column);
        } else if (p->top + (size_t)line - 1 < p->n) {
            v->focus = i;
            p->selected = p->top + (size_t)line - 1;
            if (event.bstate & BUTTON1_DOUBLE_CLICKED)
                actions_do(b, ACTION_OPEN);
        }
    }
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
    bars_draw(b);
    refresh();
}

static void take_key(struct browser *b, bool is_key, wint_t c)
{
    if (is_key && c == KEY_RESIZE) {
        clearok(stdscr, TRUE);
        browser_current(b)->class->update(browser_current(b));
        return;
    }
    free(b->message);
    b->message = NULL;
    if (is_key && c == KEY_MOUSE) {
        if (b->prompt.kind == PROMPT_NONE)
            mouse_click(b);
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
    data_load(&b.data, input->profile, input->packages, input->root, input->sources,
              input->threads);
    data_choose_measure(&b.data, input->measure);
    browser_open_first(&b);
    if (input->old && !actions_open_time(&b))
        actions_open_diff(&b);
    *ended_by = loop(&b, signals);
    screen_end();
    close(signals);
    history_clear(&b.history);
    data_free(&b.data);
    free(b.message);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return *ended_by ? BROWSER_SIGNAL : BROWSER_QUIT;
}
