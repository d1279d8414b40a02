#include <config.h>

#include "render/text/fit.h"

#include "base/memory.h"
#include "render/text/text.h"

enum {
    NAME_WANTED = 24, /* columns of a name that are worth more than counts in full */
    NAME_LEAST = 12,  /* the same of counts at all */
    TEXT_MIN = 12,    /* no text is shortened below this */
    NOTE_MIN = 15     /* a note is left out below this */
};

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned greater(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* The columns that a cell wants, or needs. */
static unsigned part_of(enum fit_kind kind, const char *text, bool own, bool utf8,
                        enum fit_room room)
{
    unsigned whole = text_width(text, utf8), least, most;

    switch (kind) {
    case FIT_NAME:
        most = lesser(whole, room == FIT_WANTED ? NAME_WANTED : NAME_LEAST);
        least = text_least_name(text, utf8);
        return greater(own ? least : lesser(least, NAME_WANTED), most);
    case FIT_PLACE:
        return text_least_place(text, utf8);
    case FIT_NOTE:
        return 0;
    default:
        return whole;
    }
}

void fit_cell(struct fit_column *column, const char *text, bool own, bool utf8)
{
    enum fit_kind kind = column->kind;

    column->width = greater(column->width, text_width(text, utf8));
    column->wanted = greater(column->wanted, part_of(kind, text, own, utf8, FIT_WANTED));
    column->least = greater(column->least, part_of(kind, text, own, utf8, FIT_LEAST));
}

unsigned fit_width(const struct fit_column *columns, size_t n, unsigned gap, enum fit_room room)
{
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++) {
        const struct fit_column *c = &columns[i];
        bool in_full = room == FIT_FULL || c->kind == FIT_NUMBER;
        unsigned width = in_full ? c->width : room == FIT_WANTED ? c->wanted : c->least;

        sum += width ? width + (sum ? gap : 0) : 0;
    }
    return sum;
}

/* Takes what exceeds `width` from the columns of a kind, none of which goes below what it wants or
 * needs; or, with FIT_FULL, below TEXT_MIN. */
static void narrow(struct fit_column *columns, size_t n, enum fit_kind kind, enum fit_room room,
                   unsigned *used, unsigned width)
{
    for (size_t i = 0; i<n && * used> width; i++) {
        unsigned excess = *used - width, spare;
        unsigned least = room == FIT_WANTED  ? columns[i].wanted
                         : room == FIT_LEAST ? columns[i].least
                                             : TEXT_MIN;

        if (columns[i].kind != kind || columns[i].width <= least)
            continue;
        spare = columns[i].width - least;
        columns[i].width -= spare < excess ? spare : excess;
        *used -= spare < excess ? spare : excess;
    }
}

/* Shortens notes, or leaves them out with the gap before them. */
static void narrow_notes(struct fit_column *columns, size_t n, unsigned gap, unsigned *used,
                         unsigned width)
{
    for (size_t i = 0; i<n && * used> width; i++) {
        unsigned excess = *used - width;

        if (columns[i].kind != FIT_NOTE || !columns[i].width)
            continue;
        if (columns[i].width >= NOTE_MIN + excess) {
            columns[i].width -= excess;
            *used = width;
        } else {
            *used -= columns[i].width + gap;
            columns[i].width = 0;
        }
    }
}

void fit_texts(struct fit_column *columns, size_t n, unsigned gap, unsigned width)
{
    static const enum fit_room steps[] = {FIT_WANTED, FIT_LEAST, FIT_FULL};
    unsigned used = fit_width(columns, n, gap, FIT_FULL);

    narrow_notes(columns, n, gap, &used, width);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        narrow(columns, n, FIT_PLACE, steps[i], &used, width);
        narrow(columns, n, FIT_NAME, steps[i], &used, width);
    }
}

char *fit_note(const char *left_out, bool rounded, unsigned width)
{
    if (left_out)
        return xasprintf("%s left out%s to fit %u columns; --json or -o FILE has all in full",
                         left_out, rounded ? " and counts rounded" : "", width);
    return rounded ? xasprintf("counts rounded to fit %u columns; --json or -o FILE has them in "
                               "full",
                               width)
                   : NULL;
}
