#include <config.h>

#include "tui/screen.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SCREEN *terminal;
static attr_t looks[N_LOOKS];

static attr_t attributes(unsigned style)
{
    return (style & STYLE_BOLD ? A_BOLD : 0) | (style & STYLE_DIM ? A_DIM : 0) |
           (style & STYLE_ITALIC ? A_ITALIC : 0) | (style & STYLE_UNDERLINE ? A_UNDERLINE : 0) |
           (style & STYLE_REVERSE ? A_REVERSE : 0);
}

static void choose_looks(void)
{
    bool colors = terminal_color(STDOUT_FILENO) && has_colors() && start_color() == OK &&
                  use_default_colors() == OK;

    for (int i = 0; i < N_LOOKS; i++) {
        const struct palette_look *look = &palette[i];
        short color = !colors ? -1 : COLORS >= 256 ? look->many : look->few;

        looks[i] = attributes(look->style & ~(color < 0 ? 0U : look->uncolored));
        if (color < 0)
            continue;
        init_pair((short)(i + 1), color, -1);
        looks[i] |= (attr_t)COLOR_PAIR(i + 1);
    }
}

/* Home and End as terminals send them that TERM does not name: tmux and screen below a TERM of
 * xterm's, and the other way round. */
static void define_other_keys(void)
{
    static const struct {
        const char *sent;
        int key;
    } others[] = {{"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[H", KEY_HOME},
                  {"\033[F", KEY_END},   {"\033OH", KEY_HOME}, {"\033OF", KEY_END}};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        define_key(others[i].sent, others[i].key);
}

#define OTHER_TERM "set TERM to what it is, such as xterm-256color"

char *screen_problem(void)
{
    const char *term = getenv("TERM");

    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
        return xstrdup("no terminal to browse on");
    if (!term || !*term)
        return xstrdup("TERM does not say what terminal this is; " OTHER_TERM);
    if (!strcmp(term, "dumb"))
        return xstrdup("nothing can be drawn on a terminal of the type 'dumb' (TERM); " OTHER_TERM);
    return NULL;
}

bool screen_begin(void)
{
    char *problem = screen_problem();

    free(problem);
    if (problem)
        return false;
    terminal = newterm(NULL, stdout, stdin);
    if (!terminal)
        return false;
    set_term(terminal);
    set_escdelay(25);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    define_other_keys();
    nodelay(stdscr, TRUE);
    curs_set(0);
    /* Without the releases, curses 6.6 loses the press behind one that came late. */
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED |
                  BUTTON4_PRESSED | BUTTON5_PRESSED,
              NULL);
    mouseinterval(150);
    choose_looks();
    return true;
}

void screen_end(void)
{
    if (!terminal)
        return;
    mousemask(0, NULL);
    endwin();
    delscreen(terminal);
    terminal = NULL;
}

/* The attributes of a part of a text, `own`, in a text of another look. */
static attr_t looks_of(enum look look, unsigned char own)
{
    return own ? looks[own] | (looks[look] & (A_BOLD | A_DIM | A_ITALIC)) : looks[look];
}

char *screen_bar(double share, unsigned width)
{
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    unsigned steps = text_is_utf8() ? 8 : 1, n = (unsigned)(share * width * steps + 0.5);
    struct strbuf bar = {.text = NULL};

    for (unsigned i = 0; i < n / steps; i++)
        strbuf_add(&bar, text_sign("█", "#"));
    if (text_is_utf8())
        strbuf_add(&bar, parts[n % steps]);
    return strbuf_take(&bar);
}

void screen_put(int y, int x, int width, const char *text, enum look look, bool right,
                enum text_cut cut, bool selected)
{
    char *clean, *fitting;
    int used;

    if (y < 0 || y >= LINES || x >= COLS || width <= 0)
        return;
    if (x + width > COLS)
        width = COLS - x;
    clean = text_clean(text);
    fitting = text_shorten(clean, (unsigned)width, cut);
    free(clean);
    used = (int)text_width(fitting);
    attrset(selected ? A_REVERSE | (looks[look] & (A_BOLD | A_ITALIC)) : looks[look]);
    mvhline(y, x, ' ', width);
    mvaddstr(y, right ? x + width - used : x, fitting);
    attrset(A_NORMAL);
    free(fitting);
}

/* The bytes that two texts have in common at their beginnings. */
static size_t common_size(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

void screen_put_looks(int y, int x, int width, const char *text, enum look look,
                      const unsigned char *own, bool selected)
{
    char *fitting;
    size_t size, end;

    screen_put(y, x, width, text, look, false, TEXT_CUT_END, selected);
    if (selected || y < 0 || y >= LINES || x >= COLS || width <= 0)
        return;
    fitting = text_shorten(text, (unsigned)(x + width > COLS ? COLS - x : width), TEXT_CUT_END);
    size = common_size(fitting, text);
    move(y, x);
    for (size_t i = 0; i < size; i = end) {
        for (end = i + 1; end < size && own[end] == own[i]; end++)
            ;
        attrset(looks_of(look, own[i]));
        addnstr(fitting + i, (int)(end - i));
    }
    attrset(A_NORMAL);
    free(fitting);
}

/* Base64 (RFC 4648); the caller frees it. */
static char *base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(text);
    char *out = xcalloc(n / 3 + 1, 4 + 1), *to = out;

    for (size_t i = 0; i < n; i += 3) {
        unsigned bits = (unsigned)(unsigned char)text[i] << 16;

        if (i + 1 < n)
            bits |= (unsigned)(unsigned char)text[i + 1] << 8;
        if (i + 2 < n)
            bits |= (unsigned char)text[i + 2];
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = i + 1 < n ? digits[bits >> 6 & 63] : '=';
        *to++ = i + 2 < n ? digits[bits & 63] : '=';
    }
    return out;
}

void screen_copy(const char *text)
{
    char *coded = base64(text);

    /* The sequence goes past the library, which need not know it: it moves no cursor. */
    printf("\033]52;c;%s\a", coded);
    fflush(stdout);
    free(coded);
}
