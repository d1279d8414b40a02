#include <config.h>

#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned terminal_width(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;

    if (columns) {
        char *end;
        long width = strtol(columns, &end, 10);

        if (!*end && width > 0 && width < 100000)
            return (unsigned)width;
    }
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_color(int fd)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(fd);
}
