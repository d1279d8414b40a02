#include <config.h>

#include "input.h"

#include "error.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/*--- Compressions ---*/

/*
 * The compressions that are taken off, one table row each.
 *
 * A packed file is a series of members, each of which begins with the magic bytes.
 */

/* Bytes that are packed, and room for the unpacked ones; unpack_class.step() moves all four. */
struct unpacking {
    const unsigned char *next_in;
    size_t avail_in;
    unsigned char *next_out;
    size_t avail_out;
    const char *damage; /* a constant text, or NULL; of UNPACK_DAMAGED */
};

enum unpack_result {
    UNPACK_MORE,  /* input or room has run out */
    UNPACK_ENDED, /* a member has ended; the next step may begin another one */
    UNPACK_DAMAGED,
    UNPACK_MEMORY
};

struct unpack_class {
    const char *name, *tool; /* the program that unpacks such a file */
    const char *magic;
    size_t magic_size;
    void *(*begin)(void); /* for end(); NULL: out of memory */
    enum unpack_result (*step)(void *state, struct unpacking *u);
    void (*end)(void *state);
};

/* An xz file may ask for this much memory: one of "xz -9" takes 65 MiB. */
#define XZ_MEMORY ((uint64_t)1 << 30)

static unsigned at_most_uint(size_t size)
{
    return size > UINT_MAX ? UINT_MAX : (unsigned)size;
}

/* Bytes were taken in and written. */
static void advance(struct unpacking *u, size_t in, size_t out)
{
    u->next_in += in;
    u->avail_in -= in;
    u->next_out += out;
    u->avail_out -= out;
}

/*--- gzip ---*/

static void *gzip_begin(void)
{
    z_stream *z = calloc(1, sizeof *z);

    if (z && inflateInit2(z, 15 + 16) != Z_OK) {
        free(z);
        z = NULL;
    }
    return z;
}

static enum unpack_result gzip_step(void *state, struct unpacking *u)
{
    z_stream *z = state;
    unsigned in = at_most_uint(u->avail_in), out = at_most_uint(u->avail_out);
    int result;

    z->next_in = (unsigned char *)(uintptr_t)u->next_in;
    z->avail_in = in;
    z->next_out = u->next_out;
    z->avail_out = out;
    result = inflate(z, Z_NO_FLUSH);
    advance(u, in - z->avail_in, out - z->avail_out);
    if (result == Z_STREAM_END)
        return inflateReset(z) == Z_OK ? UNPACK_ENDED : UNPACK_MEMORY;
    u->damage = z->msg;
    return result == Z_OK || result == Z_BUF_ERROR ? UNPACK_MORE
           : result == Z_MEM_ERROR                 ? UNPACK_MEMORY
                                                   : UNPACK_DAMAGED;
}

static void gzip_end(void *state)
{
    inflateEnd(state);
    free(state);
}

/*--- bzip2 ---*/

static void *bzip2_begin(void)
{
    bz_stream *z = calloc(1, sizeof *z);

    if (z && BZ2_bzDecompressInit(z, 0, 0) != BZ_OK) {
        free(z);
        z = NULL;
    }
    return z;
}

static enum unpack_result bzip2_step(void *state, struct unpacking *u)
{
    bz_stream *z = state;
    unsigned in = at_most_uint(u->avail_in), out = at_most_uint(u->avail_out);
    int result;

    z->next_in = (char *)(uintptr_t)u->next_in;
    z->avail_in = in;
    z->next_out = (char *)u->next_out;
    z->avail_out = out;
    result = BZ2_bzDecompress(z);
    advance(u, in - z->avail_in, out - z->avail_out);
    if (result == BZ_STREAM_END) {
        BZ2_bzDecompressEnd(z);
        return BZ2_bzDecompressInit(z, 0, 0) == BZ_OK ? UNPACK_ENDED : UNPACK_MEMORY;
    }
    return result == BZ_OK ? UNPACK_MORE : result == BZ_MEM_ERROR ? UNPACK_MEMORY : UNPACK_DAMAGED;
}

static void bzip2_end(void *state)
{
    BZ2_bzDecompressEnd(state);
    free(state);
}

/*--- xz ---*/

static void *xz_begin(void)
{
    lzma_stream *z = calloc(1, sizeof *z);

    if (z && lzma_stream_decoder(z, XZ_MEMORY, 0) != LZMA_OK) {
        free(z);
        z = NULL;
    }
    return z;
}

static enum unpack_result xz_step(void *state, struct unpacking *u)
{
    lzma_stream *z = state;
    lzma_ret result;

    z->next_in = u->next_in;
    z->avail_in = u->avail_in;
    z->next_out = u->next_out;
    z->avail_out = u->avail_out;
    result = lzma_code(z, LZMA_RUN);
    u->next_in = z->next_in;
    u->avail_in = z->avail_in;
    u->next_out = z->next_out;
    u->avail_out = z->avail_out;
    if (result == LZMA_STREAM_END)
        return lzma_stream_decoder(z, XZ_MEMORY, 0) == LZMA_OK ? UNPACK_ENDED : UNPACK_MEMORY;
    if (result == LZMA_MEMLIMIT_ERROR)
        u->damage = "it asks for more than 1 GiB of memory";
    return result == LZMA_OK || result == LZMA_BUF_ERROR ? UNPACK_MORE
           : result == LZMA_MEM_ERROR                    ? UNPACK_MEMORY
                                                         : UNPACK_DAMAGED;
}

static void xz_end(void *state)
{
    lzma_end(state);
    free(state);
}

/*--- zstd ---*/

static void *zstd_begin(void)
{
    return ZSTD_createDStream();
}

static enum unpack_result zstd_step(void *state, struct unpacking *u)
{
    ZSTD_inBuffer in = {u->next_in, u->avail_in, 0};
    ZSTD_outBuffer out = {u->next_out, u->avail_out, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);

    advance(u, in.pos, out.pos);
    if (ZSTD_isError(result)) {
        u->damage = ZSTD_getErrorName(result);
        return UNPACK_DAMAGED;
    }
    return result == 0 ? UNPACK_ENDED : UNPACK_MORE;
}

static void zstd_end(void *state)
{
    ZSTD_freeDStream(state);
}

/*--- All of them ---*/

static const struct unpack_class classes[] = {
    {"gzip", "gunzip", "\x1f\x8b", 2, gzip_begin, gzip_step, gzip_end},
    {"bzip2", "bunzip2", "BZh", 3, bzip2_begin, bzip2_step, bzip2_end},
    {"xz", "unxz",
     "\xfd"
     "7zXZ",
     6, xz_begin, xz_step, xz_end},
    {"zstd", "unzstd", "\x28\xb5\x2f\xfd", 4, zstd_begin, zstd_step, zstd_end},
};

/* The class of a file with these first bytes; NULL: it is not packed. */
static const struct unpack_class *unpack_class_of(const void *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (size >= classes[i].magic_size &&
            !memcmp(bytes, classes[i].magic, classes[i].magic_size))
            return &classes[i];
    return NULL;
}

/*--- Others ---*/

/* The manner in which a file with these first bytes is packed, if it is another one, and what
 * unpacks it, as in "a zip archive: unpack it by unzip"; NULL: nothing that is known. */
static const char *unpack_other(const void *bytes, size_t size)
{
    static const struct {
        const char *magic;
        size_t at, magic_size;
        const char *name;
    } others[] = {
        {"PK\3\4", 0, 4, "a zip archive: unpack it by unzip"},
        {"ustar\0", 257, 6, "a tar archive: unpack it by tar -xf"},
        {"ustar  ", 257, 8, "a tar archive: unpack it by tar -xf"},
        {"7z\xbc\xaf\x27\x1c", 0, 6, "an archive of 7-Zip: unpack it by 7z x"},
        {"Rar!\x1a\7", 0, 6, "a rar archive: unpack it by unrar x"},
        {"\4\"M\x18", 0, 4, "packed by lz4: unpack it by lz4 -d"},
        {"LZIP\1", 0, 5, "packed by lzip: unpack it by lzip -d"},
        {"\x89LZO", 0, 4, "packed by lzop: unpack it by lzop -d"},
        {"]\0\0", 0, 3, "packed by lzma: unpack it by unlzma"},
        {"\x1f\x9d", 0, 2, "packed by compress: unpack it by uncompress"},
        {"\xff\xfe\0\0", 0, 4, "text of UTF-32: convert it by iconv -f UTF-32"},
        {"\0\0\xfe\xff", 0, 4, "text of UTF-32: convert it by iconv -f UTF-32"},
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size >= others[i].at + others[i].magic_size &&
            !memcmp((const char *)bytes + others[i].at, others[i].magic, others[i].magic_size))
            return others[i].name;
    return NULL;
}

int input_fail_packed(struct cprof_error *error, const char *at, size_t size)
{
    const char *other = unpack_other(at, size);
    const struct unpack_class *twice = unpack_class_of(at, size);

    if (other)
        return error_set(error, CPROF_ERROR_FOREIGN, "not a profile, but %s", other);
    if (twice)
        return error_set(error, CPROF_ERROR_FOREIGN,
                         "packed several times: unpack it by %s until it is plain", twice->tool);
    return 0;
}

/*--- UTF-16 ---*/

/* Text of UTF-16, as PowerShell's ">" writes it, made UTF-8. */

enum utf16_order { UTF16_NONE, UTF16_LITTLE, UTF16_BIG };

/* The most bytes of UTF-8 that a character of two or four bytes becomes. */
enum { UTF16_MOST = 4 };

/* The number of characters that have to be ASCII where there is no mark. */
enum { LOOKED_AT = 8 };

static unsigned unit_at(enum utf16_order order, const unsigned char *bytes)
{
    return order == UTF16_LITTLE ? bytes[0] | (unsigned)bytes[1] << 8
                                 : bytes[1] | (unsigned)bytes[0] << 8;
}

static int is_text(enum utf16_order order, const unsigned char *bytes)
{
    for (size_t i = 0; i < LOOKED_AT; i++) {
        unsigned c = unit_at(order, bytes + 2 * i);

        if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c > 0x7e)
            return 0;
    }
    return 1;
}

/* Tells if a file with these first bytes is UTF-16: by its mark or, without one, by ASCII in each
 * second byte of the first 16. */
static enum utf16_order utf16_order_of(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;

    if (size >= 4 && !memcmp(b, "\xff\xfe\0", 4)) /* UTF-32 */
        return UTF16_NONE;
    if (size >= 2 && b[0] == 0xff && b[1] == 0xfe)
        return UTF16_LITTLE;
    if (size >= 2 && b[0] == 0xfe && b[1] == 0xff)
        return UTF16_BIG;
    if (size < 2 * LOOKED_AT)
        return UTF16_NONE;
    return is_text(UTF16_LITTLE, b) ? UTF16_LITTLE : is_text(UTF16_BIG, b) ? UTF16_BIG : UTF16_NONE;
}

/* Writes `c` as UTF-8; returns its size. */
static size_t put_utf8(char *to, uint32_t c)
{
    size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = size; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(size == 1 ? c : (0xf00 >> size & 0xff) | c);
    return size;
}

/* Writes the first character of `size` bytes to `to` (none for a mark of the byte order), and its
 * length to `*length`. Half a pair becomes U+FFFD. Returns the bytes taken; 0: more are needed,
 * which never is with `at_end` and two bytes. */
static size_t utf16_character(enum utf16_order order, const unsigned char *bytes, size_t size,
                              int at_end, char *to, size_t *length)
{
    uint32_t c, low;

    if (size < 2)
        return 0;
    c = unit_at(order, bytes);
    if (c >= 0xd800 && c < 0xdc00 && size < 4 && !at_end)
        return 0;
    low = c >= 0xd800 && c < 0xdc00 && size >= 4 ? unit_at(order, bytes + 2) : 0;
    if (low >= 0xdc00 && low < 0xe000) {
        *length = put_utf8(to, 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff));
        return 4;
    }
    *length = c == 0xfeff ? 0 : put_utf8(to, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
    return 2;
}

/*--- Input ---*/

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
    const unsigned char *memory; /* the rest of memory that is not in place */
    size_t memory_left;
    const struct unpack_class *class; /* NULL: not packed; else `unpacker` and `packed` are live */
    void *unpacker;
    struct unpacking packed;
    int between;                 /* one member of the packed file has ended, and no other begun */
    unsigned char *packed_bytes; /* read from fd */
    size_t n_packed;             /* bytes that the unpacker was given so far */
    enum utf16_order order;      /* not UTF16_NONE: `units` is live */
    unsigned char *units;        /* bytes of UTF-16 that are not UTF-8 yet */
    size_t n_units;
};

static struct input *new_input(struct cprof_error *error)
{
    struct input *in = calloc(1, sizeof *in);

    if (!in) {
        error_memory(error);
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
    if (in->unpacker)
        in->class->end(in->unpacker);
    if (in->close_fd)
        close(in->fd);
    free(in->packed_bytes);
    free(in->units);
    free(in->buffer);
    free(in);
}

static ssize_t read_memory(struct input *in, void *to, size_t size)
{
    size_t n = in->memory_left < size ? in->memory_left : size;

    if (n)
        memcpy(to, in->memory, n);
    in->memory += n;
    in->memory_left -= n;
    return (ssize_t)n;
}

/* Reads up to `size` bytes as they are in the file. -1 with the error filled; 0 at the end. */
static ssize_t read_plain(struct input *in, void *to, size_t size)
{
    ssize_t n;

    if (in->fd < 0)
        return read_memory(in, to, size);
    do
        n = read(in->fd, to, size);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_set(in->error, CPROF_ERROR_SYSTEM, "cannot read: %s; %s", strerror(errno),
                         errno == EISDIR ? "name a file in it" : "copy it elsewhere first");
    return n;
}

/*--- Packed files ---*/

/* Gives the unpacker more bytes if it has none. 1; 0 at the end of the file; -1. */
static int feed(struct input *in)
{
    ssize_t n;

    if (in->packed.avail_in)
        return 1;
    n = read_plain(in, in->packed_bytes, PACKED_SIZE);
    if (n <= 0)
        return (int)n;
    in->packed.next_in = in->packed_bytes;
    in->packed.avail_in = (size_t)n;
    in->n_packed += (size_t)n;
    return 1;
}

/* Lets the unpacker work on what it has. 0 or -1. */
static int unpack(struct input *in)
{
    const char *name = in->class->name;

    in->between = 0;
    switch (in->class->step(in->unpacker, &in->packed)) {
    case UNPACK_MORE:
        return 0;
    case UNPACK_ENDED:
        in->between = 1;
        return 0;
    case UNPACK_MEMORY:
        return error_memory(in->error);
    default:
        return error_set(in->error, CPROF_ERROR_SYNTAX, "%s data is damaged%s%s", name,
                         in->packed.damage ? ": " : "", in->packed.damage ? in->packed.damage : "");
    }
}

/* Unpacks up to `size` bytes: a packed file is a series of members. */
static ssize_t read_packed(struct input *in, char *to, size_t size)
{
    in->packed.next_out = (unsigned char *)to;
    in->packed.avail_out = size;
    while (in->packed.avail_out == size) {
        int fed = feed(in);

        if (fed < 0)
            return -1;
        if (!fed && in->between)
            return 0;
        if (!fed)
            return error_set(in->error, CPROF_ERROR_TRUNCATED,
                             "%s data is cut short: the end of the file is missing",
                             in->class->name);
        if (in->between && *in->packed.next_in != (unsigned char)in->class->magic[0])
            return 0; /* padding or a signature behind the data, as gzip itself allows */
        if (unpack(in))
            return -1;
    }
    return (ssize_t)(size - in->packed.avail_out);
}

static ssize_t read_bytes(struct input *in, void *to, size_t size)
{
    return in->class ? read_packed(in, to, size) : read_plain(in, to, size);
}

/*--- Files in UTF-16 ---*/

/* Makes what is at hand of UTF-16 up to `size` bytes of UTF-8. Returns their number. */
static size_t decode_units(struct input *in, char *to, size_t size, int at_end)
{
    size_t taken = 0, written = 0, length, n;

    while (size - written >= UTF16_MOST &&
           (n = utf16_character(in->order, in->units + taken, in->n_units - taken, at_end,
                                to + written, &length))) {
        taken += n;
        written += length;
    }
    in->n_units -= taken;
    memmove(in->units, in->units + taken, in->n_units);
    return written;
}

static ssize_t read_utf16(struct input *in, char *to, size_t size)
{
    ssize_t n = 1;
    size_t written = 0;

    while (!written && n > 0) {
        n = in->n_units < PACKED_SIZE
                ? read_bytes(in, in->units + in->n_units, PACKED_SIZE - in->n_units)
                : 1;
        if (n < 0)
            return -1;
        if (in->n_units < PACKED_SIZE)
            in->n_units += (size_t)n;
        written = decode_units(in, to, size, n == 0);
    }
    return (ssize_t)written;
}

static ssize_t read_text(struct input *in, char *to, size_t size)
{
    return in->order ? read_utf16(in, to, size) : read_bytes(in, to, size);
}

/*--- Lines ---*/

/* Makes room behind the bytes at hand and reads into it. 1; 0 at the end; -1. */
static int fill(struct input *in)
{
    size_t have = (size_t)(in->lines.end - in->lines.next);
    ssize_t n;

    if (in->in_place || in->at_end)
        return 0;
    if (in->lines.next != in->buffer)
        memmove(in->buffer, in->lines.next, have);
    if (in->size - have < UTF16_MOST) {
        char *larger = in->size <= SIZE_MAX / 2 ? realloc(in->buffer, in->size * 2) : NULL;
        if (!larger) {
            in->lines.next = in->buffer;
            in->lines.end = in->buffer + have;
            return error_memory(in->error);
        }
        in->buffer = larger;
        in->size *= 2;
    }
    in->lines.next = in->buffer;
    in->lines.end = in->buffer + have;
    n = read_text(in, in->buffer + have, in->size - have);
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
        if (in->class && *size > WHOLE_SIZE && *size / WHOLE_RATIO > in->n_packed) {
            error_set(in->error, CPROF_ERROR_SYNTAX,
                      "%s data is more than %d times as large when it is unpacked; if this is "
                      "meant, unpack it by %s",
                      in->class->name, WHOLE_RATIO, in->class->tool);
            return NULL;
        }
    }
    return filled < 0 ? NULL : in->lines.next;
}

/*--- The beginning ---*/

static int allocate_buffer(struct input *in)
{
    in->size = BUFFER_SIZE;
    in->buffer = malloc(in->size);
    if (!in->buffer)
        return error_memory(in->error);
    in->lines.next = in->lines.end = in->buffer;
    return 0;
}

/* Takes the bytes at hand back into memory of its own, of `room` bytes or more: NULL with the error
 * filled. */
static unsigned char *take_back(struct input *in, size_t room, size_t *size)
{
    unsigned char *bytes;

    *size = (size_t)(in->lines.end - in->lines.next);
    bytes = malloc(*size > room ? *size : room);
    if (!bytes) {
        error_memory(in->error);
        return NULL;
    }
    memcpy(bytes, in->lines.next, *size);
    in->lines.next = in->lines.end = in->buffer;
    in->at_end = 0;
    return bytes;
}

/* Hands the bytes at hand, which are packed, to an unpacker. 0 or -1. */
static int start_unpacking(struct input *in, const struct unpack_class *class)
{
    if (!(in->packed_bytes = take_back(in, PACKED_SIZE, &in->packed.avail_in)))
        return -1;
    in->class = class;
    in->packed.next_in = in->packed_bytes;
    in->n_packed = in->packed.avail_in;
    in->unpacker = class->begin();
    return in->unpacker ? 0 : error_memory(in->error);
}

static int start_decoding(struct input *in, enum utf16_order order)
{
    if (!(in->units = take_back(in, PACKED_SIZE, &in->n_units)))
        return -1;
    in->order = order;
    return 0;
}

static void skip_mark(struct input *in)
{
    static const char of_utf8[] = "\xef\xbb\xbf";

    if (in->lines.end - in->lines.next >= 3 && !memcmp(in->lines.next, of_utf8, 3))
        in->lines.next += 3;
}

/* Looks at the first bytes, and what they are when they are unpacked. */
static int start(struct input *in)
{
    const struct unpack_class *class;
    enum utf16_order order;
    size_t size;
    const char *bytes;

    if (allocate_buffer(in) || !(bytes = input_peek(in, &size)))
        return -1;
    class = unpack_class_of(bytes, size);
    if (class && (start_unpacking(in, class) || !(bytes = input_peek(in, &size))))
        return -1;
    order = utf16_order_of(bytes, size);
    if (order && (start_decoding(in, order) || !(bytes = input_peek(in, &size))))
        return -1;
    skip_mark(in);
    return 0;
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
    if (in->fd < 0 || start(in)) {
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
    if (!unpack_class_of(data, size) && !utf16_order_of(data, size)) {
        in->in_place = 1;
        in->lines.next = data;
        in->lines.end = size ? (const char *)data + size : data;
        skip_mark(in);
        return in;
    }
    in->memory = data;
    in->memory_left = size;
    if (start(in)) {
        input_close(in);
        return NULL;
    }
    return in;
}

int input_copy(struct input *in, cprof_writer *write, void *to)
{
    int filled = 1;

    while (filled > 0) {
        size_t size = (size_t)(in->lines.end - in->lines.next);

        if (size && write(to, in->lines.next, size))
            return error_set(in->error, CPROF_ERROR_SYSTEM, "cannot unpack the file: %s",
                             strerror(errno));
        in->lines.next = in->lines.end;
        filled = fill(in);
    }
    return filled;
}
