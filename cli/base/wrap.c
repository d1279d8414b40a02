#include <config.h>

#include "base/wrap.h"

#include <string.h>

void wrap_put(FILE *out, const char *text, unsigned indent, unsigned width)
{
    unsigned column = indent;

    while (*text) {
        unsigned word = (unsigned)strcspn(text, " ");

        if (column > indent && column + 1 + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putc(' ', out);
            column++;
        }
        fwrite(text, 1, word, out);
        column += word;
        text += word + strspn(text + word, " ");
    }
}
