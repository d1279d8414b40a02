#include <config.h>

#include "tui/palette.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

/* Grey is the terminal's own text, dim, where there are 8 colours. */
const struct palette_look palette[N_LOOKS] = {
    [LOOK_TEXT] = {0, 0, -1, -1},
    [LOOK_DIM] = {STYLE_DIM, 0, -1, -1},
    [LOOK_BOLD] = {STYLE_BOLD, 0, -1, -1},
    [LOOK_HOT] = {STYLE_BOLD, 0, 160, RED},
    [LOOK_WARM] = {0, 0, 130, YELLOW},
    [LOOK_OWN] = {STYLE_BOLD, 0, 130, YELLOW},
    [LOOK_DEPENDENCY] = {0, 0, 63, BLUE},
    [LOOK_STD] = {STYLE_DIM, STYLE_DIM, 30, CYAN},
    [LOOK_SYSTEM] = {STYLE_DIM, STYLE_DIM, 243, -1},
    [LOOK_OWN_INLINED] = {STYLE_BOLD | STYLE_ITALIC, 0, 130, YELLOW},
    [LOOK_DEPENDENCY_INLINED] = {STYLE_ITALIC, 0, 63, BLUE},
    [LOOK_STD_INLINED] = {STYLE_DIM | STYLE_ITALIC, STYLE_DIM, 30, CYAN},
    [LOOK_SYSTEM_INLINED] = {STYLE_DIM | STYLE_ITALIC, STYLE_DIM, 243, -1},
    [LOOK_INLINED] = {STYLE_ITALIC, 0, -1, -1},
    [LOOK_MORE] = {STYLE_BOLD, 0, 160, RED},
    [LOOK_LESS] = {0, 0, 28, GREEN},
    [LOOK_HEAD] = {STYLE_BOLD | STYLE_UNDERLINE, 0, -1, -1},
    [LOOK_BAR] = {STYLE_REVERSE, 0, -1, -1},
    [LOOK_BAR_KEY] = {STYLE_REVERSE | STYLE_BOLD, 0, -1, -1},
    [LOOK_MARK] = {STYLE_BOLD, 0, 133, MAGENTA},
    [LOOK_TOKENS] = {0, 0, -1, -1},
    [LOOK_COMMENT] = {STYLE_DIM, STYLE_DIM, 243, -1},
    [LOOK_CODE_TEXT] = {0, 0, 28, GREEN},
    [LOOK_NUMBER] = {0, 0, 28, GREEN},
    [LOOK_WORD] = {0, 0, 97, MAGENTA},
    [LOOK_TYPE] = {0, 0, 32, CYAN},
    [LOOK_MACRO] = {0, 0, 132, -1},
};
