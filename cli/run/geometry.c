#include <config.h>

#include "run/geometry.h"

#include "base/memory.h"
#include "base/message.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_number(const char **text, long *number)
{
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *number = strtol(*text, &end, 10);
    *text = end;
    /* Valgrind's tools keep these as int. */
    return !errno && *number > 0 && *number <= INT_MAX;
}

static bool power_of_two(long n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

int geometry_check(const char *name, const char *text)
{
    const char *p = text;
    long size, ways, line;

    if (!read_number(&p, &size) || *p++ != ',' || !read_number(&p, &ways) || *p++ != ',' ||
        !read_number(&p, &line) || *p)
        return message_usage(
            "'%s' is no value for --%s; it takes SIZE,WAYS,LINE in bytes, ways and "
            "bytes, such as 32768,8,64",
            text, name);
    if (!power_of_two(line) || line < 16)
        return message_usage("--%s %s: the line size must be a power of two, 16 or more; not %ld",
                             name, text, line);
    if (size <= line)
        return message_usage("--%s %s: the size must be more than one line of %ld bytes", name,
                             text, line);
    if (ways > size / line)
        return message_usage("--%s %s: there cannot be more ways than the %ld lines of the cache",
                             name, text, size / line);
    if (size % (line * ways) || !power_of_two(size / (line * ways)))
        return message_usage(
            "--%s %s: the number of sets, SIZE / (WAYS * LINE), must be a power of "
            "two; it is %.6g",
            name, text, (double)size / (double)(line * ways));
    return 0;
}

/*--- The machine's ---*/

/* "32768K" is 32 MiB. 0: there is no such number. */
static unsigned long long sysfs_number(const char *folder, unsigned index, const char *name)
{
    char *path = xasprintf("%s/index%u/%s", folder, index, name);
    FILE *file = fopen(path, "re");
    unsigned long long number = 0;
    char unit = 0;

    if (file && fscanf(file, "%llu%c", &number, &unit) < 1)
        number = 0;
    if (file)
        fclose(file);
    free(path);
    if (number > UINT32_MAX)
        return 0;
    return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

/* Fits a last level to the model, as the tool does: the number of sets is cut to a power of two,
 * and the ways are raised in proportion. False: the kernel does not know all of it. */
static bool fit(struct geometry *g)
{
    unsigned long long set = g->ways * g->line, sets = set ? g->size / set : 0, power = 1;

    if (!sets || g->line & (g->line - 1))
        return false;
    while (power <= sets / 2)
        power *= 2;
    g->ways = (2 * sets * g->ways + power) / (2 * power);
    g->size = power * g->ways * g->line;
    return g->size <= INT_MAX;
}

bool geometry_last_level(const char *folder, struct geometry *last)
{
    unsigned long long best = 0, level;

    for (unsigned i = 0; (level = sysfs_number(folder, i, "level")) != 0; i++) {
        if (level <= best)
            continue;
        best = level;
        *last = (struct geometry){sysfs_number(folder, i, "size"),
                                  sysfs_number(folder, i, "ways_of_associativity"),
                                  sysfs_number(folder, i, "coherency_line_size")};
    }
    return best > 1 && fit(last);
}
