/*
 * Fuzz target for perf's text that becomes a raw profile: any bytes give one that the library
 * reads, with as many samples as it was told, or an error that says something.
 */
#include <config.h>

#include "cprof.h"
#include "error.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int condition)
{
    if (!condition)
        abort();
}

/* Every second frame is of a file, one of these in a function that is known. */
static void locate(void *places, const struct samples_frame *frame, struct samples_place *place)
{
    (void)places;
    *place = (struct samples_place){.object = frame->address & 1 ? "/bin/app" : "[anonymous]",
                                    .build_id = frame->address & 1 ? "ab12" : NULL,
                                    .address = frame->address,
                                    .function = frame->address & 2 ? frame->address & ~15U : 0,
                                    .is_named = !(frame->address & 1)};
}

static int counts(const void *sections, uint64_t tid, uint64_t time)
{
    (void)sections;
    return ((tid ^ time) & 7) != 7;
}

static int put(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size ? 0 : -1;
}

static int64_t make_raw(const char *path, size_t variant, FILE *out, struct cprof_error *error)
{
    static const struct samples_event events[] = {{"probe:a", "a", "value", "a:value"},
                                                  {"probe:b", "a", NULL, NULL}};
    const struct samples_source source = {.locate = locate,
                                          .callers_return = variant & 1,
                                          .kind = (enum samples_kind)(variant / 2 % 3),
                                          .events = events,
                                          .n_events = 2,
                                          .counts = variant / 6 % 2 ? counts : NULL,
                                          .left_out = "held",
                                          .creator = "fuzz",
                                          .is_file = variant / 12 % 2,
                                          .program = "/bin/app"};

    return samples_to_raw(path, &source, put, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[40], *bytes = NULL;
    size_t n_bytes = 0;
    int text = memfd_create("text", 0);
    FILE *out = open_memstream(&bytes, &n_bytes);
    struct cprof_error error;
    int64_t n;

    need(text >= 0 && out && write(text, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", text);
    error_init(&error, "fuzz");
    n = make_raw(path, size, out, &error);
    need(fclose(out) == 0);
    need(n >= 0 || (error.code != CPROF_OK && *error.text));
    if (n > 0) {
        struct cprof_profile *p = cprof_read(bytes, n_bytes, "raw", 0, &error);

        need(p ? p->format == CPROF_FORMAT_RAW : error.code == CPROF_ERROR_RANGE);
        cprof_free(p);
    }
    need(n || !n_bytes);
    free(bytes);
    close(text);
    return 0;
}
