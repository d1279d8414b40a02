#include <config.h>

#include "unpack.h"

#include <bzlib.h>
#include <limits.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* An xz file may ask for this much memory: one of "xz -9" takes 65 MiB. */
#define XZ_MEMORY ((uint64_t)1 << 30)

static unsigned at_most_uint(size_t size)
{
    return size > UINT_MAX ? UINT_MAX : (unsigned)size;
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
    u->next_in += in - z->avail_in;
    u->avail_in -= in - z->avail_in;
    u->next_out += out - z->avail_out;
    u->avail_out -= out - z->avail_out;
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
    u->next_in += in - z->avail_in;
    u->avail_in -= in - z->avail_in;
    u->next_out += out - z->avail_out;
    u->avail_out -= out - z->avail_out;
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

    u->next_in += in.pos;
    u->avail_in -= in.pos;
    u->next_out += out.pos;
    u->avail_out -= out.pos;
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

const struct unpack_class *unpack_class_of(const void *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (size >= classes[i].magic_size &&
            !memcmp(bytes, classes[i].magic, classes[i].magic_size))
            return &classes[i];
    return NULL;
}

/*--- Others ---*/

const char *unpack_other(const void *bytes, size_t size)
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
