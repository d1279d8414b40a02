/* Lines from memory, files and gzip; and what is left of files that are cut anywhere. */
#include <config.h>

#include "../tap.h"
#include "error.h"
#include "input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static struct cprof_error error;

/* Packs `size` bytes as one gzip member; returns its size. */
static size_t pack(const void *data, size_t size, unsigned char *to, size_t room)
{
    z_stream z = {0};

    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (unsigned char *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)room;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void test_lines(struct input *in, const char *how)
{
    const char *text;
    size_t size;

    if (!ok(in != NULL, "%s: opened", how))
        return;
    ok(input_line(in, &text, &size) == 1 && size == 3 && !memcmp(text, "one", 3), "%s: first", how);
    ok(input_line(in, &text, &size) == 1 && size == 0, "%s: an empty line", how);
    ok(input_line(in, &text, &size) == 1 && size == 900000 && text[899999] == 'x',
       "%s: a long line", how);
    ok(input_line_is_whole(in), "%s: which is whole", how);
    ok(input_line(in, &text, &size) == 1 && size == 4 && !memcmp(text, "last", 4), "%s: last", how);
    ok(!input_line_is_whole(in), "%s: which is not", how);
    is_number((long long)input_line_number(in), 4, "line number");
    is_number(input_line(in, &text, &size), 0, "the end");
    is_number(input_line(in, &text, &size), 0, "the end once more");
    input_close(in);
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    ok(f && fwrite(data, 1, size, f) == size && !fclose(f), "wrote %zu bytes", size);
}

static char *sample(size_t *size)
{
    char *data = malloc(1000000);

    *size = 5 + 900000 + 1 + 4;
    memcpy(data, "one\n\n", 5);
    memset(data + 5, 'x', 900000);
    memcpy(data + 900005, "\nlast", 5);
    return data;
}

static void test_kinds(const char *path)
{
    size_t size, packed_size;
    char *data = sample(&size);
    unsigned char *packed = malloc(100000);

    test_lines(input_memory(data, size, &error), "memory");
    write_file(path, data, size);
    test_lines(input_open(path, &error), "file");
    packed_size = pack(data, 450000, packed, 50000);
    packed_size += pack(data + 450000, size - 450000, packed + packed_size, 50000);
    test_lines(input_memory(packed, packed_size, &error), "packed memory of two members");
    write_file(path, packed, packed_size);
    test_lines(input_open(path, &error), "packed file of two members");
    is_number(error.code, CPROF_OK, "no error");
    free(data);
    free(packed);
}

static void test_cut_gzip(void)
{
    unsigned char packed[200];
    size_t packed_size = pack("one\ntwo\nthree\n", 14, packed, sizeof packed), failures = 0;

    for (size_t cut = 2; cut < packed_size; cut++) {
        struct input *in;
        const char *text;
        size_t size;
        error_init(&error, "test");
        in = input_memory(packed, cut, &error);
        while (in && input_line(in, &text, &size) > 0)
            ;
        failures += error.code == CPROF_ERROR_TRUNCATED;
        input_close(in);
    }
    is_number((long long)failures, (long long)packed_size - 2, "gzip cut anywhere is an error");
    error_init(&error, "test");
}

/* Returns how many of the places to cut at are errors. */
static size_t cut_anywhere(const char *raw, size_t size)
{
    size_t failures = 0;

    for (size_t cut = 0; cut < size; cut++) {
        /* A copy of its own, so that a sanitizer sees a byte read too many. */
        char *part = malloc(cut ? cut : 1);
        struct cprof_profile *p;
        memcpy(part, raw, cut);
        p = cprof_read(part, cut, "raw", 0, &error);
        failures += !p && error.code != CPROF_OK && *error.text;
        cprof_free(p);
        free(part);
    }
    return failures;
}

static void test_raw_cut(void)
{
    static const char raw[] =
        "cprof-raw 2\ncreator: cprof-0\npid: 7\nprogram: /a\\x0ab\narg: a\narg: \nI1: 1 2 3\n"
        "events: Ir Dr D1mr\ncounted: D1mr Dr\nexit: code 0\no 0 - /a\no 1 0f [anonymous]\n"
        "r 0 10 20 0\ns 0 0 10 i +1 irr\nk 0 3\nm 0 11 1 12\nm 0 10 5\nf 0 10 main\nend 18\n";
    struct cprof_profile *p = cprof_read(raw, sizeof raw - 1, "raw", 0, &error);

    ok(p && p->n_costs == 2 && p->totals[0] == 6 && p->totals[1] == 18 && p->totals[2] == 6,
       "the whole raw profile is read");
    cprof_free(p);
    is_number((long long)cut_anywhere(raw, sizeof raw - 1), sizeof raw - 1,
              "cut at any byte it is an error");
}

static void test_contexts_cut(void)
{
    static const char raw[] =
        "cprof-raw 2\nevents: Ir Dr D1mr\ncounted: D1mr\no 0 - /a\ns 0 0 10 i +1 irr\n"
        "s 1 0 12 r\nt 0 - [thread 1]\nn 1 0 0 10 - 0 1\nk 0 3 12\nm 0 11 2\n"
        "n 2 1 0 20 0 11 4\nk 0 5\ni 0 10 16 16 2\ne 0 10 0 20 0 11 4 10 10\nend 14\n";
    struct cprof_profile *p = cprof_read(raw, sizeof raw - 1, "raw", 0, &error);

    ok(p && p->n_contexts == 3 && p->contexts[2].parent == 1 && p->contexts[2].site == 0x11 &&
           p->contexts[2].n_costs == 2 && p->n_calls == 1 && p->inclusive && p->totals[0] == 16 &&
           p->totals[1] == 28,
       "a profile with contexts is read");
    cprof_free(p);
    is_number((long long)cut_anywhere(raw, sizeof raw - 1), sizeof raw - 1,
              "a profile with contexts that is cut at any byte is an error");
}

/* A raw profile of `n` contexts; `apart`: with a record for each count. What contexts cost is 0 to
 * 9999999999. */
static void write_contexts(FILE *f, unsigned n, int apart)
{
    enum { SECTIONS = 7 };
    unsigned lines = 3 + SECTIONS + 2 * n;
    unsigned long long state = 1;

    fprintf(f, "cprof-raw 2\nevents: Ir\no 0 - /a\n");
    for (unsigned i = 0; i < SECTIONS; i++)
        fprintf(f, "s %u 0 %x i\n", i, 16 + i);
    for (unsigned i = 0; i < n; i++) {
        if (i)
            fprintf(f, "n %u %u 0 %x 0 %x %u\n", i, i / 2, 16 + i % 100, 16 + i % 7, i);
        else
            fprintf(f, "n 0 - 0 10 - 0 1\n");
        for (unsigned k = 0; k < SECTIONS; k++) {
            unsigned long long count;
            state = state * 6364136223846793005u + 1442695040888963407u;
            count = (state >> 20) % (state >> 60 ? 1000 : 10000000000);
            if (state >> 61 == 2)
                count = 0;
            if (!apart && k)
                fprintf(f, " %llu", count);
            else
                fprintf(f, "%sk %u %llu", k ? "\n" : "", k, count);
        }
        fprintf(f, "\n");
        lines += apart ? SECTIONS - 1 : 0;
    }
    fprintf(f, "end %u\n", lines);
}

static int same_contexts(const struct cprof_profile *a, const struct cprof_profile *b)
{
    if (a->n_contexts != b->n_contexts || a->n_context_costs != b->n_context_costs)
        return 0;
    return a->totals[0] == b->totals[0] &&
           !memcmp(a->contexts, b->contexts, a->n_contexts * sizeof *a->contexts) &&
           !memcmp(a->context_cost_values, b->context_cost_values,
                   a->n_context_costs * sizeof *a->context_cost_values);
}

/* Lines that are not all at hand at once: those of a file are read by the buffer. */
static void test_contexts_in_pieces(const char *path)
{
    enum { CONTEXTS = 30000 };
    struct cprof_profile *whole, *pieces, *apart;
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    write_contexts(f, CONTEXTS, 0);
    fclose(f);
    whole = cprof_read(text, size, "whole", 0, &error);
    f = fopen(path, "w");
    fwrite(text, 1, size, f);
    fclose(f);
    pieces = cprof_load(path, 0, &error);
    f = fopen(path, "w");
    write_contexts(f, CONTEXTS, 1);
    fclose(f);
    apart = cprof_load(path, 0, &error);
    if (ok(whole && pieces && apart && size > 1000000, "contexts in several pieces are read")) {
        is_number(whole->n_contexts, CONTEXTS, "all contexts in several pieces are read");
        ok(same_contexts(whole, pieces), "contexts in several pieces are those of one piece");
        ok(same_contexts(whole, apart), "contexts in several pieces have a record for each count");
    }
    cprof_free(whole);
    cprof_free(pieces);
    cprof_free(apart);
    free(text);
}

/* The end of a file leaves errno as it was. */
static void test_after_interruption(const char *path)
{
    const char *text;
    size_t size;
    struct input *in;
    int line, end;

    write_file(path, "one\n", 4);
    alarm(20);
    errno = EINTR;
    in = input_open(path, &error);
    line = input_line(in, &text, &size);
    end = input_line(in, &text, &size);
    alarm(0);
    ok(line == 1 && end == 0, "the end of a file, where a signal interrupted the call before");
    input_close(in);
}

static void test_system_errors(const char *path)
{
    unlink(path);
    ok(!cprof_load(path, 0, &error) && error.code == CPROF_ERROR_SYSTEM, "no such file");
    is_text(error.text, "cannot open: No such file or directory; check its name",
            "the text of the error of no such file");
    is_text(error.source, path, "the name in the error of no such file");
    ok(!cprof_load("/", 0, &error) && error.code == CPROF_ERROR_SYSTEM, "a folder");
    ok(!cprof_load(path, 0, NULL), "the error may be left out");
    ok(!cprof_read("", 0, "x", 0, &error) && error.code == CPROF_ERROR_EMPTY, "no bytes");
    is_text(cprof_version(), PACKAGE_VERSION, "the library's version");
}

int main(void)
{
    char path[] = "parser-input.XXXXXX";
    int fd = mkstemp(path);

    ok(fd >= 0, "a file of our own");
    close(fd);
    error_init(&error, "test");
    test_kinds(path);
    test_cut_gzip();
    test_raw_cut();
    test_contexts_cut();
    test_contexts_in_pieces(path);
    test_after_interruption(path);
    test_system_errors(path);
    return tap_done();
}
