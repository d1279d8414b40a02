/* Lines that are read in a thread are those that are read without. It is tried with this program.
 */
#include <config.h>

#include "../tap.h"
#include "base/memory.h"
#include "symbols/object_names.h"

#include <stdlib.h>

static const char self[] = "/proc/self/exe";

enum { ROUNDS_OF_RING = 2, N = ROUNDS_OF_RING * LINE_BATCHES * LINE_BATCH + 100 };

static bool equal(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* `n` addresses in units, and between them, in their order; round and round. */
static uint64_t *choose(const struct debug_info *d, size_t n)
{
    uint64_t *addresses = xreallocarray(NULL, n, sizeof *addresses);
    size_t i = 0;

    while (i < n)
        for (size_t r = 0; r < d->ranges.n && i < n; r++)
            for (uint64_t a = d->ranges.items[r].start; a <= d->ranges.items[r].end && i < n;
                 a += 5)
                addresses[i++] = a;
    return addresses;
}

/* All `n` lines, and the files of units, against those of `plain`. */
static void compare(struct line_reader *reader, struct debug_info *to, struct debug_info *plain,
                    const uint64_t *addresses, size_t n)
{
    size_t wrong = 0, known = 0, without = 0;

    for (size_t i = 0; i < n; i++) {
        const struct line *line = line_reader_next(reader, i);
        uint32_t number = 0, unit = intervals_find(&plain->ranges, addresses[i]);
        const char *file = NULL;
        bool is_known = debug_line(plain, addresses[i], &file, &number);

        wrong += line->known != is_known ||
                 (is_known && (line->number != number || !equal(line->file, file)));
        known += is_known;
        without += unit != INTERVAL_NONE && !to->units[unit].has_files;
    }
    is_number((long long)wrong, 0, "all lines are the same");
    ok(known > n / 2, "%zu of them are known", known);
    is_number((long long)without, 0, "the files of their units are there");
}

int main(void)
{
    struct elf_file elf;
    struct debug_info to, plain;
    struct line_reader *reader;
    uint64_t *addresses;

    if (!elf_file_open(&elf, self, NULL) || !elf.dwarf) {
        skip("lines in a thread", "this program has no debug information");
        return tap_done();
    }
    debug_load(&plain, elf.dwarf, NULL);
    debug_load(&to, elf.dwarf, NULL);
    addresses = choose(&plain, N);
    ok(line_reader_begin(self, NULL, &to, addresses, 100) == NULL, "few need no thread");
    reader = line_reader_begin(self, NULL, &to, addresses, N);
    if (reader) {
        compare(reader, &to, &plain, addresses, N);
        ok(!line_reader_debug(reader)->damaged, "nothing is damaged");
    } else {
        skip("lines in a thread", "there is one processor only");
    }
    debug_free(&to);
    line_reader_free(reader);
    /* Before the first is asked for, too. */
    debug_load(&to, elf.dwarf, NULL);
    line_reader_free(line_reader_begin(self, NULL, &to, addresses, N));
    debug_free(&to);
    debug_free(&plain);
    elf_file_close(&elf);
    free(addresses);
    return tap_done();
}
