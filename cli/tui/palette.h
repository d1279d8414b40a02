/*
 * palette.h - the looks of texts on the terminal: their colours and styles.
 *
 * Names are coloured by the kind of their code (ownership.h): own code is warm and bold,
 * dependencies are blue, the standard library is teal, all else grey. Inlined code is in italics.
 * Without colours, own code is bold and all that is no dependency dim.
 */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

enum look {
    LOOK_TEXT,
    LOOK_DIM,
    LOOK_BOLD,
    LOOK_HOT,  /* a large share of the cost */
    LOOK_WARM, /* a share worth a look */
    /* Names of functions, in the order of enum origin. */
    LOOK_OWN,
    LOOK_DEPENDENCY,
    LOOK_STD,
    LOOK_SYSTEM,
    LOOK_OWN_INLINED,
    LOOK_DEPENDENCY_INLINED,
    LOOK_STD_INLINED,
    LOOK_SYSTEM_INLINED,
    LOOK_INLINED, /* that something is inlined */
    LOOK_MORE,    /* costs more than before */
    LOOK_LESS,
    LOOK_HEAD,    /* head of a column */
    LOOK_BAR,     /* the first and the last line */
    LOOK_BAR_KEY, /* a key in the last line */
    LOOK_MARK,
    /* Parts of source, in the order of enum token_kind, whose plain ones have no look of their own.
     */
    LOOK_TOKENS,
    LOOK_COMMENT,
    LOOK_CODE_TEXT,
    LOOK_NUMBER,
    LOOK_WORD,
    LOOK_TYPE,
    LOOK_MACRO,
    N_LOOKS
};

enum {
    STYLE_BOLD = 1,
    STYLE_DIM = 2,
    STYLE_ITALIC = 4,
    STYLE_UNDERLINE = 8,
    STYLE_REVERSE = 16,
};

struct palette_look {
    unsigned style, uncolored; /* `uncolored`: the part of the style that is for want of colours */
    short many, few;           /* the colour of 256, and of 8; -1: the terminal's own */
};

/* Colours of 256 are as readable on black as on white: WCAG's contrast is 3.8 at the least, and 4.3
 * for names. (No colour has more than 4.6 on both.) */
extern const struct palette_look palette[N_LOOKS];

#endif
