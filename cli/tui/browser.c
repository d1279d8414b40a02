#include <config.h>

#include "tui/browser.h"

#include "tui/actions.h"
#include "tui/bars.h"
#include "tui/browser_state.h"
#include "tui/input.h"
#include "tui/mouse.h"
#include "tui/prompting.h"
#include "tui/view.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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
