/*
 * The inline chains that debug information has for the addresses on standard input (hexadecimal,
 * one a line) in the object argv[1], for shell tests: one line each,
 *
 *     ADDRESS FUNCTION FILE:LINE FUNCTION FILE:LINE...
 *
 * separated by tabs, innermost first, with linkage names and places of the calls; "??" is not
 * known, and an address in no function has its line only. With --time as argv[2] nothing but how
 * many addresses, seconds and megabytes that took, names demangled and interned.
 */
#include <config.h>

#include "cprof_internal.h"
#include "symbols/object_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void put_place(const char *file, uint32_t line)
{
    printf("\t%s:%u", file ? file : "??", (unsigned)line);
}

static void put_name(const struct debug_function *f)
{
    printf("\t%s", f->linkage_name ? f->linkage_name : f->name);
}

static void put_chain(struct debug_info *d, uint64_t address)
{
    const char *file = NULL;
    uint32_t line = 0, function = debug_function(d, address);

    printf("%" PRIx64, address);
    if (!debug_line(d, address, &file, &line)) {
        file = NULL;
        line = 0;
    }
    for (uint32_t i = debug_frame(d, address); i != DEBUG_NONE; i = d->frames[i].parent) {
        put_name(&d->functions[d->frames[i].function]);
        put_place(file, line);
        file = d->frames[i].file;
        line = d->frames[i].line;
    }
    if (function != DEBUG_NONE)
        put_name(&d->functions[function]);
    else
        printf("\t??");
    put_place(file, line);
    putchar('\n');
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int measure(const char *path, const uint64_t *addresses, size_t n)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct builder *b = builder_new(&error);
    struct cprof_object object = {path, NULL};
    struct inline_chains chains = {.n = 0};
    struct rusage usage;
    struct object_names names;
    struct compiled_place place;
    double start = seconds();

    object_names_open(&names, b, &object, &chains, &(struct function_starts){.n = 0}, addresses, n);
    for (size_t i = 0; i < n; i++)
        object_names_place(&names, addresses[i], &place);
    for (size_t i = 0; i < n; i++)
        (void)object_names_chain(&names, addresses[i]);
    (void)object_names_close(&names);
    getrusage(RUSAGE_SELF, &usage);
    printf("%zu %.3f %ld\n", n, seconds() - start, usage.ru_maxrss / 1024);
    inline_chains_free(&chains);
    builder_free(b);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t address, *addresses = NULL;
    size_t n = 0, room = 0;
    struct elf_file elf;
    struct debug_info debug;

    if (argc < 2)
        return 2;
    while (scanf("%" SCNx64, &address) == 1) {
        if (n == room) {
            room = room ? 2 * room : 1024;
            addresses = realloc(addresses, room * sizeof *addresses);
            if (!addresses)
                return 2;
        }
        addresses[n++] = address;
    }
    if (argc > 2 && !strcmp(argv[2], "--time")) {
        (void)measure(argv[1], addresses, n);
        free(addresses);
        return 0;
    }
    if (!elf_file_open(&elf, argv[1], NULL)) {
        fprintf(stderr, "cannot read '%s'\n", argv[1]);
        return 1;
    }
    debug_load(&debug, elf.dwarf, elf.dwz.dwarf);
    for (size_t i = 0; i < n; i++)
        put_chain(&debug, addresses[i]);
    debug_free(&debug);
    elf_file_close(&elf);
    free(addresses);
    return 0;
}
