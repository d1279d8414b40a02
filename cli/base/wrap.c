#include <config.h>

#include "base/wrap.h"

#include <string.h>

void wrap_put_from(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width)
{
    while (*text) {
        unsigned blanks = (unsigned)strspn(text, " ");
        unsigned word = (unsigned)strcspn(text + blanks, " ");

        if (blanks && word && column > indent && column + blanks + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            fwrite(text + blanks, 1, word, out);
            column = indent + word;
        } else {
            fwrite(text, 1, blanks + word, out);
            column += blanks + word;
        }
        text += blanks + word;
    }
}

void wrap_put(FILE *out, const char *text, unsigned indent, unsigned width)
{
    wrap_put_from(out, text, indent, indent, width);
}
