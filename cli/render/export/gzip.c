#include <config.h>

#include "render/export/gzip.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zlib.h>

struct gzip {
    z_stream stream;
    FILE *out;
    unsigned char buffer[1 << 16];
};

enum { WINDOW_GZIP = 15 + 16, MEMORY = 8 }; /* deflateInit2: with a gzip header; the default */

struct gzip *gzip_new(FILE *out)
{
    struct gzip *g = xcalloc(1, sizeof *g);

    g->out = out;
    if (deflateInit2(&g->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        memory_die();
    return g;
}

static void deflate_all(struct gzip *g, int flush)
{
    do {
        g->stream.next_out = g->buffer;
        g->stream.avail_out = sizeof g->buffer;
        deflate(&g->stream, flush);
        fwrite(g->buffer, 1, sizeof g->buffer - g->stream.avail_out, g->out);
    } while (g->stream.avail_out == 0);
}

void gzip_write(struct gzip *g, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;

    while (size) {
        size_t now = size < (1u << 30) ? size : 1u << 30;

        g->stream.next_in = (unsigned char *)next;
        g->stream.avail_in = (unsigned)now;
        deflate_all(g, Z_NO_FLUSH);
        next += now;
        size -= now;
    }
}

int gzip_close(struct gzip *g)
{
    FILE *out = g->out;

    g->stream.avail_in = 0;
    deflate_all(g, Z_FINISH);
    deflateEnd(&g->stream);
    free(g);
    return ferror(out) ? -1 : 0;
}
