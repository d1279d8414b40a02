/* Writes the second key (normalise.h) of each name on standard input, one a line, for shell tests;
 * with
 * "-k" the names are first keys already, with "-1" these are written. */
#include <config.h>

#include "names/normalise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *option = argc > 1 ? argv[1] : "";
    char *line = NULL;
    size_t room = 0;
    ssize_t size;

    while ((size = getline(&line, &room, stdin)) > 0) {
        char *first, *second;

        if (line[size - 1] == '\n')
            line[size - 1] = '\0';
        first = !strcmp(option, "-k") ? strdup(line) : normalise_name(line, NULL);
        second = loose_key(first);
        puts(!strcmp(option, "-1") ? first : second);
        free(first);
        free(second);
    }
    free(line);
    return 0;
}
