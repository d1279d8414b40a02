#include <config.h>

#include "base/terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The terminals that standard files led to; 0: they still do. */
static int kept[STDERR_FILENO + 1];

static int behind(int fd)
{
    return fd >= 0 && fd <= STDERR_FILENO && kept[fd] ? kept[fd] : fd;
}

bool terminal_is(int fd)
{
    return isatty(behind(fd));
}

void terminal_keep(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (copy >= 0)
        kept[fd] = copy;
}

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
    return ioctl(behind(fd), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

unsigned terminal_height(int fd)
{
    struct winsize size;

    return ioctl(behind(fd), TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool terminal_color(int fd)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return !(no && *no) && term && strcmp(term, "dumb") != 0 && terminal_is(fd);
}

bool terminal_links(int fd)
{
    /* Old terminals that write the address on the screen. */
    static const char *const lacking[] = {"gnome-terminal", "xfce4-terminal"};
    const char *urls = getenv("TERM_URLS"), *more = getenv("COLORTERM");

    if (!terminal_color(fd) || !strcmp(getenv("TERM"), "linux") || (urls && !strcmp(urls, "no")))
        return false;
    for (size_t i = 0; more && i < sizeof lacking / sizeof *lacking; i++)
        if (!strcmp(more, lacking[i]))
            return false;
    return true;
}
