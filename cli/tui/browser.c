#include <config.h>

#include "tui/browser.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/text/text.h"
#include "tui/input.h"
#include "tui/prompt.h"
#include "tui/view.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HISTORY_MAX = 64, WHEEL_LINES = 3 };

struct browser {
    const struct browser_input *browse;
    struct data data;
    bool inlines;
    struct view *views[HISTORY_MAX]; /* gone through; those behind `at` can be gone forward to */
    size_t n_views, at;
    struct prompt prompt;
    char *said; /* in the last line until the next key */
    bool done;
};

/*--- History ---*/

static struct view *current(const struct browser *b)
{
    return b->views[b->at];
}

static void drop_views(struct browser *b, size_t from)
{
    while (b->n_views > from) {
        struct view *v = b->views[--b->n_views];

        v->class->free(v);
    }
}

void browser_open(struct browser *b, struct view *view)
{
    if (b->n_views)
        drop_views(b, b->at + 1);
    if (b->n_views == HISTORY_MAX) {
        /* The first, the list, stays. */
        b->views[1]->class->free(b->views[1]);
        memmove(b->views + 1, b->views + 2, (HISTORY_MAX - 2) * sizeof(struct view *));
        b->n_views--;
    }
    b->at = b->n_views;
    b->views[b->n_views++] = view;
}

void browser_say(struct browser *b, const char *format, ...)
{
    va_list arguments;

    free(b->said);
    va_start(arguments, format);
    b->said = xvasprintf(format, arguments);
    va_end(arguments);
}

static void go(struct browser *b, size_t at)
{
    if (at >= b->n_views) {
        browser_say(b, "there is no view to go to");
        return;
    }
    b->at = at;
    current(b)->class->update(current(b));
}

/*--- Drawing ---*/

static void draw_bars(const struct browser *b)
{
    char *name = text_clean(b->browse->name, screen_utf8()), *title, *left, *right;
    const struct view *v = current(b);
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
    const struct view *v = current(b);
    char *text;

    if (b->prompt.kind != PROMPT_NONE)
        text =
            xasprintf("%s%s", b->prompt.kind == PROMPT_FILTER ? "/" : "Write to: ", b->prompt.text);
    else if (b->said)
        text = xstrdup(b->said);
    else if (v->filter)
        text = xasprintf(" /%s  (Esc shows all)", v->filter);
    else
        text = xstrdup(" ? help  Enter open  / filter  t tree  c calls  s source  b back  q quit");
    screen_put(LINES - 1, 0, COLS, text, b->prompt.kind || b->said ? LOOK_BOLD : LOOK_BAR, false,
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

static void draw(struct browser *b)
{
    struct view *v = current(b);
    int room = LINES - 2, first = v->n_panes == 2 ? room / 2 : room;

    if (v->class->follow)
        v->class->follow(v);
    erase();
    draw_bars(b);
    pane_draw(&v->panes[0], 1, first, v->focus == 0);
    if (v->n_panes == 2)
        pane_draw(&v->panes[1], 1 + first, room - first, v->focus == 1);
    draw_last(b);
    refresh();
}

/*--- What concerns all views ---*/

static void change_measure(struct browser *b, size_t by)
{
    struct data *d = &b->data;

    d->measure = (d->measure + by) % d->n_measures;
    current(b)->class->update(current(b));
    if (data_self(d)->help)
        browser_say(b, "%s: %s", data_self(d)->name, data_self(d)->help);
}

static void change_numbers(struct browser *b)
{
    b->data.numbers = (b->data.numbers + 1) % N_NUMBERS;
    current(b)->class->update(current(b));
}

static size_t chosen_row(const struct browser *b)
{
    return current(b)->class->row(current(b));
}

static void mark(struct browser *b)
{
    size_t row = chosen_row(b);

    if (row == SIZE_MAX)
        return;
    b->data.marked[row] = !b->data.marked[row];
    pane_move(view_pane(current(b)), 1);
}

/* Goes down, and round, to a line whose function is marked. */
static void next_mark(struct browser *b)
{
    struct view *v = current(b);
    struct pane *p = view_pane(v);
    size_t from = p->selected;

    for (size_t i = 1; i <= p->n; i++) {
        size_t row;

        p->selected = (from + i) % p->n;
        row = v->class->row(v);
        if (row != SIZE_MAX && b->data.marked[row])
            return;
    }
    p->selected = from;
    browser_say(b, "nothing here is marked; m marks");
}

static void copy_name(struct browser *b)
{
    size_t row = chosen_row(b);
    char *name;

    if (row == SIZE_MAX)
        return;
    name = data_name(&b->data, row);
    screen_copy(name);
    browser_say(b, "copied: %s", name);
    free(name);
}

static void open_tree(struct browser *b, size_t row)
{
    if (!b->data.profile->n_contexts)
        browser_say(b, "no call paths in this profile; %s",
                    b->data.has_calls ? "c shows callers and callees"
                                      : "'cargo cprof callgrind' counts them");
    else
        browser_open(b, view_tree(b, &b->data, row));
}

static void open_calls(struct browser *b)
{
    size_t row = chosen_row(b);

    if (!b->data.has_calls)
        browser_say(b, "no calls in this profile; 'cargo cprof callgrind' counts them");
    else if (row != SIZE_MAX)
        browser_open(b, view_calls(b, &b->data, row));
}

static void open_source(struct browser *b, bool instructions)
{
    size_t row = chosen_row(b);

    if (row != SIZE_MAX)
        browser_open(b, view_source(b, &b->data, row, instructions));
}

void browser_open_function(struct browser *b, size_t row)
{
    if (row != SIZE_MAX)
        browser_open(b, b->data.has_calls ? view_calls(b, &b->data, row)
                                          : view_source(b, &b->data, row, false));
}

static void open_diff(struct browser *b)
{
    struct view *view =
        b->browse->old ? view_diff(b, &b->data, b->browse->old, b->browse->noise) : NULL;

    if (view)
        browser_open(b, view);
    else if (b->browse->old)
        browser_say(b, "the two profiles have no event in common");
    else
        browser_say(b, "nothing to compare with; 'cargo cprof browse OLD NEW' opens two profiles");
}

/* The other profile; the views of this one go with it. */
static void change_inlines(struct browser *b)
{
    const struct cprof_profile *other =
        b->browse->reload ? b->browse->reload(b->browse->reload_data, !b->inlines) : NULL;
    size_t measure = b->data.measure;
    enum numbers numbers = b->data.numbers;

    if (!other) {
        browser_say(b, "%s",
                    b->browse->old ? "inlined functions stay apart in a comparison"
                                   : "this profile knows nothing of inlined functions");
        return;
    }
    drop_views(b, 0);
    data_free(&b->data);
    data_load(&b->data, other, b->browse->root, b->browse->sources);
    b->data.measure = measure;
    b->data.numbers = numbers;
    b->inlines = !b->inlines;
    browser_open(b, view_functions(b, &b->data));
    browser_say(b, b->inlines ? "inlined functions are apart"
                              : "inlined functions are within what they are inlined into");
}

/*--- The prompt ---*/

static void apply_filter(struct browser *b, const char *text)
{
    struct view *v = current(b);

    if (v->class->filter)
        v->class->filter(v, text);
}

static void begin_filter(struct browser *b)
{
    if (!current(b)->class->filter) {
        browser_say(b, "only lists of functions are filtered; l shows them");
        return;
    }
    prompt_begin(&b->prompt, PROMPT_FILTER);
}

static void drop_filter(struct browser *b)
{
    struct view *v = current(b);

    if (!v->filter)
        return;
    free(v->filter);
    v->filter = NULL;
    apply_filter(b, NULL);
}

static int write_view(const struct view *v, FILE *out)
{
    char *title = v->class->title(v);
    int failed = 0;

    fprintf(out, "%s\n\n", title);
    for (int i = 0; i < v->n_panes && !failed; i++) {
        failed = pane_write((struct pane *)&v->panes[i], screen_utf8(), out);
        if (i + 1 < v->n_panes)
            fputc('\n', out);
    }
    free(title);
    return failed;
}

static void write_file(struct browser *b)
{
    struct output_file file;
    int failed;

    if (!b->prompt.text[0])
        return;
    failed = file_begin(&file, b->prompt.text);
    if (!failed) {
        failed = write_view(current(b), file.stream);
        if (failed)
            file_abort(&file);
        else
            failed = file_commit(&file);
    }
    if (failed)
        browser_say(b, "cannot write '%s': %s", b->prompt.text, strerror(errno));
    else
        browser_say(b, "wrote '%s'", b->prompt.text);
}

static void end_prompt(struct browser *b, bool keep)
{
    enum prompt_kind prompt = b->prompt.kind;
    struct view *v = current(b);

    b->prompt.kind = PROMPT_NONE;
    if (prompt == PROMPT_FILE) {
        if (keep)
            write_file(b);
        return;
    }
    free(v->filter);
    v->filter = keep && b->prompt.text[0] ? xstrdup(b->prompt.text) : NULL;
    if (!v->filter)
        apply_filter(b, NULL);
}

static void type(struct browser *b, bool is_key, wint_t c)
{
    enum prompt_result result = prompt_key(&b->prompt, is_key, c);

    if (result == PROMPT_TAKEN || result == PROMPT_DROPPED)
        end_prompt(b, result == PROMPT_TAKEN);
    else if (result == PROMPT_CHANGED && b->prompt.kind == PROMPT_FILTER)
        apply_filter(b, b->prompt.text);
}

/*--- Keys and mouse ---*/

static long page(const struct pane *p)
{
    return p->height > 2 ? p->height - 1 : 1;
}

static bool move_in_pane(struct pane *p, enum action action)
{
    switch (action) {
    case ACTION_UP:
        pane_move(p, -1);
        return true;
    case ACTION_DOWN:
        pane_move(p, 1);
        return true;
    case ACTION_PAGE_UP:
        pane_move(p, -page(p));
        return true;
    case ACTION_PAGE_DOWN:
        pane_move(p, page(p));
        return true;
    case ACTION_FIRST:
        pane_select(p, 0);
        return true;
    case ACTION_LAST:
        pane_select(p, SIZE_MAX);
        return true;
    default:
        return false;
    }
}

static bool open_view(struct browser *b, enum action action)
{
    switch (action) {
    case ACTION_HELP:
        browser_open(b, view_help(b, &b->data));
        return true;
    case ACTION_FUNCTIONS:
        browser_open(b, view_functions(b, &b->data));
        return true;
    case ACTION_CALLS:
        open_calls(b);
        return true;
    case ACTION_TREE:
        open_tree(b, SIZE_MAX);
        return true;
    case ACTION_TREE_BELOW:
        open_tree(b, chosen_row(b));
        return true;
    case ACTION_SOURCE:
        open_source(b, false);
        return true;
    case ACTION_ASM:
        open_source(b, true);
        return true;
    case ACTION_GROUP:
        browser_open(b, view_groups(b, &b->data, b->browse->packages));
        return true;
    case ACTION_DIFF:
        open_diff(b);
        return true;
    case ACTION_BACK:
        go(b, b->at ? b->at - 1 : SIZE_MAX);
        return true;
    case ACTION_FORWARD:
        go(b, b->at + 1);
        return true;
    default:
        return false;
    }
}

static void do_action(struct browser *b, enum action action)
{
    struct view *v = current(b);

    if (move_in_pane(view_pane(v), action) || v->class->act(v, action) || open_view(b, action))
        return;
    switch (action) {
    case ACTION_QUIT:
        b->done = true;
        break;
    case ACTION_NEXT_PANE:
        v->focus = (v->focus + 1) % v->n_panes;
        break;
    case ACTION_FILTER:
        begin_filter(b);
        break;
    case ACTION_ESCAPE:
        drop_filter(b);
        break;
    case ACTION_EVENT:
        change_measure(b, 1);
        break;
    case ACTION_EVENT_BACK:
        change_measure(b, b->data.n_measures - 1);
        break;
    case ACTION_PERCENT:
        change_numbers(b);
        break;
    case ACTION_INLINES:
        change_inlines(b);
        break;
    case ACTION_MARK:
        mark(b);
        break;
    case ACTION_NEXT_MARK:
        next_mark(b);
        break;
    case ACTION_COPY:
        copy_name(b);
        break;
    case ACTION_WRITE:
        prompt_begin(&b->prompt, PROMPT_FILE);
        break;
    case ACTION_REDRAW:
        clearok(stdscr, TRUE);
        break;
    default:
        browser_say(b, "that key does nothing here; ? shows the keys");
    }
}

static void click(struct browser *b)
{
    struct view *v = current(b);
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
        } else if (line == 0) {
            int column = pane_column_at(p, event.x);

            if (i == 0 && column >= 0 && v->class->head)
                v->class->head(v, column);
        } else if (p->top + (size_t)line - 1 < p->n) {
            v->focus = i;
            p->selected = p->top + (size_t)line - 1;
            if (event.bstate & BUTTON1_DOUBLE_CLICKED)
                do_action(b, ACTION_OPEN);
        }
    }
}

static void take_key(struct browser *b, bool is_key, wint_t c)
{
    if (is_key && c == KEY_RESIZE) {
        clearok(stdscr, TRUE);
        return;
    }
    free(b->said);
    b->said = NULL;
    if (is_key && c == KEY_MOUSE) {
        if (b->prompt.kind == PROMPT_NONE)
            click(b);
    } else if (b->prompt.kind != PROMPT_NONE) {
        type(b, is_key, c);
    } else {
        /* Characters beyond ASCII could be taken for curses' codes. */
        do_action(b, is_key || c < 128 ? key_action((int)c) : ACTION_NONE);
    }
}

/*--- The loop ---*/

/* Until the user quits; or the signal that ended it. */
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

bool browser_is_possible(void)
{
    return screen_is_there();
}

enum browser_end browser_run(const struct browser_input *browse, int *ended_by)
{
    struct browser b = {.browse = browse, .inlines = browse->inlines};
    sigset_t old;
    int signals;

    if (!screen_begin())
        return BROWSER_NO_TERMINAL;
    signals = input_hold_signals(&old);
    data_load(&b.data, browse->profile, browse->root, browse->sources);
    browser_open(&b, view_functions(&b, &b.data));
    if (browse->old)
        open_diff(&b);
    *ended_by = loop(&b, signals);
    screen_end();
    close(signals);
    drop_views(&b, 0);
    data_free(&b.data);
    free(b.said);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return *ended_by ? BROWSER_SIGNAL : BROWSER_QUIT;
}
