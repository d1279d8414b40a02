#include <config.h>

#include "run/input.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "run/tempdir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    PATIENCE = 2000,   /* milliseconds without input before a note says so */
    LONGEST = 30000,   /* milliseconds without any input before it is given up */
    AT_ONCE = 1 << 16, /* bytes */
};
static const int64_t most = INT64_C(1) << 30;     /* bytes of a pipe that are kept */
static const int64_t digested = INT64_C(1) << 30; /* bytes of a file that its digest is of */

#define ADVICE "give it a file (program <FILE), or nothing (</dev/null)"

/*--- A pipe ---*/

/* Waits for the first bytes, or the end. Who started us may have left a pipe open that nobody
 * writes to. */
static int wait_for_begin(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    if (poll(&in, 1, PATIENCE) != 0)
        return 0;
    message_note("waiting for standard input, a pipe, to be kept for all runs; </dev/null gives "
                 "them none");
    if (poll(&in, 1, LONGEST - PATIENCE) != 0)
        return 0;
    return message_error("standard input is a pipe that neither has anything nor ends in %d s, so "
                         "several runs cannot read it; " ADVICE,
                         LONGEST / 1000);
}

/* Copies what is left of standard input. Returns its size, or -1 with errno. */
static int64_t copy_rest(int to)
{
    char *bytes = xmalloc(AT_ONCE);
    int64_t size = 0;
    ssize_t n;

    do {
        n = read(STDIN_FILENO, bytes, AT_ONCE);
        if (n > 0)
            size += n;
        if (n > 0 && size > most)
            errno = EFBIG;
        if (n > 0 && (size > most || file_write(to, bytes, (size_t)n) < 0))
            n = -1;
        else if (n < 0 && errno == EINTR)
            n = 1;
    } while (n > 0);
    free(bytes);
    return n < 0 ? -1 : size;
}

/* A new file without a name; -1 with errno. */
static int nameless_file(void)
{
    char *path = xasprintf("%s/cprof-input.XXXXXX", environment_or("TMPDIR", TEMPDIR_DEFAULT));
    int fd = mkostemp(path, O_CLOEXEC);

    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}

/* Puts a file of what the pipe has in its place. */
static int keep_pipe(void)
{
    int64_t size = -1;
    int file, status = wait_for_begin();

    if (status)
        return status;
    file = nameless_file();
    if (file >= 0)
        size = copy_rest(file);
    if (size < 0 && errno == EFBIG)
        status =
            message_error("standard input is a pipe of more than %s bytes, which is too much to "
                          "keep for all runs; write it to a file, and let the runs read the file",
                          TEXT_COUNT(most));
    else if (size < 0)
        status = message_error("cannot keep standard input, a pipe, for all runs: %s; write it to "
                               "a file, and let the runs read the file",
                               strerror(errno));
    else if (lseek(file, 0, SEEK_SET) < 0 || dup2(file, STDIN_FILENO) < 0)
        status = message_error("cannot keep standard input, a pipe, for all runs: %s; " ADVICE,
                               strerror(errno));
    if (file >= 0)
        close(file);
    if (!status && size)
        message_note("standard input, a pipe, was read to its end: each run gets its %s bytes",
                     TEXT_COUNT(size));
    return status;
}

/*--- Several runs ---*/

static struct input file_of(void)
{
    off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);

    return (struct input){.is_file = start >= 0, .start = start > 0 ? start : 0};
}

static bool is_pipe(void)
{
    struct stat st;

    return fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

int input_keep(struct input *input)
{
    int status = is_pipe() ? keep_pipe() : 0;

    *input = file_of();
    if (isatty(STDIN_FILENO))
        message_note("standard input is the terminal: what one run reads of it the others do not "
                     "get; </dev/null, or a file, gives each run the same bytes");
    return status;
}

static void take_nothing(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
}

void input_drop_terminal(void)
{
    if (isatty(STDIN_FILENO))
        take_nothing();
}

void input_keep_files(struct input *input)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    if (is_pipe()) {
        if (poll(&in, 1, 0) > 0 && in.revents & POLLIN)
            message_note("standard input is a pipe, which several runs cannot share: they get "
                         "none; a file would be given to each");
        take_nothing();
    }
    *input = file_of();
}

void input_rewind(const struct input *input)
{
    if (input->is_file)
        lseek(STDIN_FILENO, input->start, SEEK_SET);
}

int input_rewind_apart(const struct input *input)
{
    int flags = fcntl(STDIN_FILENO, F_GETFL), own;

    if (!input->is_file || flags < 0)
        return 0;
    /* A copy of the descriptor would share its place. */
    own = open("/proc/self/fd/0", (flags & O_ACCMODE) | O_CLOEXEC);
    if (own < 0 || lseek(own, input->start, SEEK_SET) < 0 || dup2(own, STDIN_FILENO) < 0)
        return message_error("standard input cannot be opened again for a run beside others: %s; "
                             "leave out --parallel, or take another file",
                             strerror(errno));
    close(own);
    return 0;
}

/*--- What it is ---*/

char *input_digest(void)
{
    off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    uLong sum = crc32(0, NULL, 0);
    unsigned char *bytes;
    int64_t size = 0;
    struct stat st;
    ssize_t n;

    if (at < 0 || fstat(STDIN_FILENO, &st) < 0 || isatty(STDIN_FILENO))
        return NULL;
    if (!S_ISREG(st.st_mode))
        return xstrdup("0 0"); /* /dev/null, and devices that are hardly ever read */
    bytes = xmalloc(AT_ONCE);
    while (size < digested && (n = pread(STDIN_FILENO, bytes, AT_ONCE, at + size)) > 0) {
        sum = crc32(sum, bytes, (uInt)n);
        size += n;
    }
    free(bytes);
    return xasprintf("%lld %08lx", (long long)(size < digested ? size : st.st_size - at), sum);
}
