#include <config.h>

#include "input.h"

#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#define BUFFER_SIZE ((size_t)256 << 10)
#define PACKED_SIZE ((size_t)64 << 10)

/* A packed file that has to be in memory as a whole may have so many bytes, or so many for each
 * packed one. */
#define WHOLE_SIZE ((size_t)16 << 20)
enum { WHOLE_RATIO = 256 };

struct input {
    struct input_lines lines; /* first: the inline functions cast to it */
    struct cprof_error *error;
    int fd; /* -1: memory */
    int close_fd;
    int in_place; /* lines point into the caller's memory */
    int at_end;   /* nothing more to read */
    char *buffer; /* not in_place */
    size_t size;
    const unsigned char *memory; /* the rest of packed memory */
    size_t memory_left;
    int packed;  /* gzip; `z` is live */
    int between; /* one member of the gzip file has ended, and no other has begun */
    z_stream z;
    unsigned char *packed_bytes; /* read from fd */
    size_t n_packed;             /* bytes that the unpacker was given so far */
};

static struct input *new_input(struct cprof_error *error)
{
    struct input *in = calloc(1, sizeof *in);

    if (!in) {
        error_set(error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    in->error = error;
    in->fd = -1;
    in->lines.whole = 1;
    return in;
}

void input_close(struct input *in)
{
    if (!in)
        return;
    if (in->packed)
        inflateEnd(&in->z);
    if (in->close_fd)
        close(in->fd);
    free(in->packed_bytes);
    free(in->buffer);
    free(in);
}

/* Reads up to `size` bytes as they are in the file. -1 with the error filled; 0 at the end. */
static ssize_t read_plain(struct input *in, void *to, size_t size)
{
    ssize_t n;

    do
        n = read(in->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_set(in->error, CPROF_ERROR_SYSTEM, "cannot read: %s; %s", strerror(errno),
                         errno == EISDIR ? "name a file in it" : "copy it elsewhere first");
    return n;
}

/* Gives the unpacker more bytes if it has none. 1; 0 at the end of the file; -1. */
static int feed(struct input *in)
{
    ssize_t n;

    if (in->z.avail_in)
        return 1;
    if (in->fd < 0) {
        size_t step = in->memory_left < PACKED_SIZE ? in->memory_left : PACKED_SIZE;
        in->z.next_in = (unsigned char *)(uintptr_t)in->memory;
        in->memory += step;
        in->memory_left -= step;
        n = (ssize_t)step;
    } else {
        n = read_plain(in, in->packed_bytes, PACKED_SIZE);
        in->z.next_in = in->packed_bytes;
    }
    if (n <= 0)
        return (int)n;
    in->z.avail_in = (uInt)n;
    in->n_packed += (size_t)n;
    return 1;
}

/* Unpacks up to `size` bytes: a gzip file is a series of members. */
static ssize_t read_packed(struct input *in, char *to, size_t size)
{
    size_t want = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;

    in->z.next_out = (unsigned char *)to;
    in->z.avail_out = (uInt)want;
    while (in->z.avail_out == want) {
        int fed = feed(in), result;
        if (fed < 0)
            return -1;
        if (!fed && in->between)
            return 0;
        if (!fed)
            return error_set(in->error, CPROF_ERROR_TRUNCATED,
                             "gzip data is cut short: the end of the file is missing");
        if (in->between && *in->z.next_in != 0x1f)
            return 0; /* padding or a signature behind the data, as gzip itself allows */
        in->between = 0;
        result = inflate(&in->z, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            in->between = 1;
            result = inflateReset(&in->z);
        }
        if (result == Z_MEM_ERROR)
            return error_set(in->error, CPROF_ERROR_MEMORY, "out of memory");
        if (result != Z_OK && result != Z_BUF_ERROR)
            return error_set(in->error, CPROF_ERROR_SYNTAX, "gzip data is damaged: %s",
                             in->z.msg ? in->z.msg : "unknown block");
    }
    return (ssize_t)(want - in->z.avail_out);
}

/* Makes room behind the bytes at hand and reads into it. 1; 0 at the end; -1. */
static int fill(struct input *in)
{
    size_t have = (size_t)(in->lines.end - in->lines.next);
    ssize_t n;

    if (in->in_place || in->at_end)
        return 0;
    if (in->lines.next != in->buffer)
        memmove(in->buffer, in->lines.next, have);
    if (have == in->size) {
        char *larger = in->size <= SIZE_MAX / 2 ? realloc(in->buffer, in->size * 2) : NULL;
        if (!larger) {
            in->lines.next = in->buffer;
            in->lines.end = in->buffer + have;
            return error_set(in->error, CPROF_ERROR_MEMORY, "out of memory");
        }
        in->buffer = larger;
        in->size *= 2;
    }
    in->lines.next = in->buffer;
    in->lines.end = in->buffer + have;
    n = in->packed ? read_packed(in, in->buffer + have, in->size - have)
                   : read_plain(in, in->buffer + have, in->size - have);
    if (n < 0)
        return -1;
    in->at_end = n == 0;
    in->lines.end += n;
    return n > 0;
}

int input_more(struct input *in, const char **text, size_t *size)
{
    size_t searched = 0;
    const char *newline = NULL;

    while (!newline) {
        int filled;
        searched = (size_t)(in->lines.end - in->lines.next);
        filled = fill(in);
        if (filled < 0)
            return -1;
        if (!filled)
            break;
        newline = memchr(in->lines.next + searched, '\n',
                         (size_t)(in->lines.end - in->lines.next) - searched);
    }
    if (!newline && in->lines.next == in->lines.end)
        return 0;
    *text = in->lines.next;
    *size = (size_t)((newline ? newline : in->lines.end) - in->lines.next);
    in->lines.next += *size + (newline != NULL);
    in->lines.whole = newline != NULL;
    in->lines.number++;
    return 1;
}

const char *input_peek(struct input *in, size_t *size)
{
    int filled = 1;

    while (filled > 0 && (size_t)(in->lines.end - in->lines.next) < INPUT_PEEK)
        filled = fill(in);
    *size = (size_t)(in->lines.end - in->lines.next);
    return filled < 0 ? NULL : in->lines.next;
}

const char *input_whole(struct input *in, size_t *size)
{
    int filled = 1;

    while (filled > 0) {
        filled = fill(in);
        *size = (size_t)(in->lines.end - in->lines.next);
        if (in->packed && *size > WHOLE_SIZE && *size / WHOLE_RATIO > in->n_packed) {
            error_set(in->error, CPROF_ERROR_SYNTAX,
                      "gzip data is more than %d times as large when it is unpacked; if this is "
                      "meant, unpack it by gunzip",
                      WHOLE_RATIO);
            return NULL;
        }
    }
    return filled < 0 ? NULL : in->lines.next;
}

static int is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static int start_unpacking(struct input *in)
{
    if (inflateInit2(&in->z, 15 + 16) != Z_OK)
        return error_set(in->error, CPROF_ERROR_MEMORY, "out of memory");
    in->packed = 1;
    in->at_end = 0;
    return 0;
}

static int allocate_buffer(struct input *in)
{
    in->size = BUFFER_SIZE;
    in->buffer = malloc(in->size);
    if (!in->buffer)
        return error_set(in->error, CPROF_ERROR_MEMORY, "out of memory");
    in->lines.next = in->lines.end = in->buffer;
    return 0;
}

/* Reads the first bytes; if they are gzip, hands them to the unpacker. */
static int start_file(struct input *in)
{
    size_t size;
    const char *bytes;

    if (allocate_buffer(in) || !(bytes = input_peek(in, &size)))
        return -1;
    if (!is_gzip((const unsigned char *)bytes, size))
        return 0;
    in->packed_bytes = malloc(size > PACKED_SIZE ? size : PACKED_SIZE);
    if (!in->packed_bytes)
        return error_set(in->error, CPROF_ERROR_MEMORY, "out of memory");
    memcpy(in->packed_bytes, bytes, size);
    in->z.next_in = in->packed_bytes;
    in->z.avail_in = (uInt)size;
    in->n_packed = size;
    in->lines.next = in->lines.end = in->buffer;
    return start_unpacking(in);
}

struct input *input_open(const char *path, struct cprof_error *error)
{
    struct input *in = new_input(error);

    if (!in)
        return NULL;
    if (!strcmp(path, "-")) {
        in->fd = STDIN_FILENO;
    } else {
        in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        in->close_fd = in->fd >= 0;
        if (in->fd < 0)
            error_set(error, CPROF_ERROR_SYSTEM, "cannot open: %s; check its name%s",
                      strerror(errno), errno == EACCES ? " and permissions" : "");
    }
    if (in->fd < 0 || start_file(in)) {
        input_close(in);
        return NULL;
    }
    return in;
}

struct input *input_memory(const void *data, size_t size, struct cprof_error *error)
{
    struct input *in = new_input(error);

    if (!in)
        return NULL;
    if (!is_gzip(data, size)) {
        in->in_place = 1;
        in->lines.next = data;
        in->lines.end = size ? (const char *)data + size : data;
        return in;
    }
    in->memory = data;
    in->memory_left = size;
    if (allocate_buffer(in) || start_unpacking(in)) {
        input_close(in);
        return NULL;
    }
    return in;
}
