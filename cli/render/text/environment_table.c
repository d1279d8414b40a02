#include <config.h>

#include "render/text/environment_table.h"

#include "render/text/markdown.h"

#include <stdlib.h>

void environment_write(const struct environment_diff *diff, FILE *out)
{
    char *text = environment_diff_text(diff);

    if (!text)
        return;
    fputs("**Their environments differ**: ", out);
    markdown_put_text(out, text);
    fputs("\n\n", out);
    free(text);
}
