#include <config.h>

#include "symbols/line_reader.h"

#include "base/memory.h"

#include <stdlib.h>

/* Fewer addresses are not worth a thread. */
enum { MANY = 2 * LINE_BATCH };

static void open_object(void *data)
{
    struct line_reader *r = data;

    r->is_open = elf_file_open(&r->elf, r->path, r->build_id);
    if (r->is_open) {
        debug_load(&r->debug, r->elf.dwarf, r->elf.dwz.dwarf);
        r->debug.dwp = r->elf.dwp;
    }
}

static void read_batch(void *data)
{
    struct line_batch *b = data;
    struct line_reader *r = b->reader;

    b->n_units = 0;
    for (size_t i = 0; i < b->n; i++) {
        uint64_t address = r->addresses[b->first + i];
        uint32_t unit = debug_new_files(&r->debug, address);
        struct line *l = &b->lines[i];

        if (unit != DEBUG_NONE)
            b->units[b->n_units++] = unit;
        l->known = debug_line(&r->debug, address, &l->file, &l->number);
    }
}

struct line_reader *line_reader_begin(const char *path, const char *build_id, struct debug_info *to,
                                      const uint64_t *addresses, size_t n)
{
    struct line_reader *r;

    if (n < MANY)
        return NULL;
    r = xcalloc(1, sizeof *r);
    r->path = path;
    r->build_id = build_id;
    r->to = to;
    r->addresses = addresses;
    r->n = n;
    worker_begin(&r->worker);
    if (!r->worker.threaded) {
        free(r);
        return NULL;
    }
    worker_do(&r->worker, open_object, r);
    return r;
}

static void begin_batch(struct line_reader *r)
{
    struct line_batch *b = &r->batches[r->n_begun % LINE_BATCHES];

    b->reader = r;
    b->first = r->n_begun++ * LINE_BATCH;
    b->n = r->n - b->first < LINE_BATCH ? r->n - b->first : LINE_BATCH;
    worker_do(&r->worker, read_batch, b);
}

/* When a batch has been handed over, that WORKER_JOBS before it is done. */
static void wait_for(struct line_reader *r, size_t batch)
{
    const struct line_batch *b = &r->batches[batch % LINE_BATCHES];

    while (r->n_begun <= batch + WORKER_JOBS && r->n_begun * LINE_BATCH < r->n)
        begin_batch(r);
    if (r->n_begun <= batch + WORKER_JOBS)
        worker_wait(&r->worker);
    for (size_t i = 0; i < b->n_units; i++)
        debug_take_files(r->to, &r->debug, b->units[i]);
}

const struct line *line_reader_next(struct line_reader *r, size_t i)
{
    size_t batch = i / LINE_BATCH;

    if (i % LINE_BATCH == 0)
        wait_for(r, batch);
    return &r->batches[batch % LINE_BATCHES].lines[i % LINE_BATCH];
}

struct debug_info *line_reader_debug(struct line_reader *r)
{
    worker_end(&r->worker);
    return &r->debug;
}

void line_reader_free(struct line_reader *r)
{
    if (!r)
        return;
    worker_end(&r->worker);
    debug_free(&r->debug);
    if (r->is_open)
        elf_file_close(&r->elf);
    free(r);
}
