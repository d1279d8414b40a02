#include <config.h>

#include "run/geometry.h"

#include "base/message.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
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
