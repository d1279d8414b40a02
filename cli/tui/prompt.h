/*
 * prompt.h - a text that is typed into the last line.
 */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <wchar.h>

enum { PROMPT_MAX = 512 };
enum prompt_kind { PROMPT_NONE, PROMPT_FILTER, PROMPT_FILE };
enum prompt_result { PROMPT_IGNORED, PROMPT_CHANGED, PROMPT_TAKEN, PROMPT_DROPPED };

struct prompt {
    enum prompt_kind kind;
    char text[PROMPT_MAX]; /* in the locale's encoding */
};

void prompt_begin(struct prompt *prompt, enum prompt_kind kind);
/* Takes a key (`is_key`: a code of curses, else a character), and returns what it does: Enter takes
 * the text, Esc drops it. The caller resets the prompt's kind. */
enum prompt_result prompt_key(struct prompt *prompt, bool is_key, wint_t key);

#endif
