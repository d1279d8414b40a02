#include <config.h>

#include "base/option_texts.h"

#include <string.h>

void options_copy(struct option_def *to, size_t room, const struct option_def *from,
                  const struct option_text *texts)
{
    size_t n = 0;

    for (; from[n].name && n + 1 < room; n++) {
        to[n] = from[n];
        for (const struct option_text *text = texts; text->name; text++)
            if (!strcmp(text->name, to[n].name))
                to[n].help = text->help;
    }
    to[n] = (struct option_def){.name = NULL};
}
