/* The caches that the kernel tells of. */
#include <config.h>

#include "../tap.h"
#include "base/memory.h"
#include "run/machine.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static void put(const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", folder, name);
    FILE *file = fopen(path, "w");

    if (file) {
        fputs(text, file);
        fclose(file);
    }
    free(path);
}

static void make_cache(unsigned index, const char *level, const char *size, const char *ways)
{
    static const char *const names[] = {"level", "size", "ways_of_associativity",
                                        "coherency_line_size"};
    const char *const texts[] = {level, size, ways, "64\n"};
    char *path = xasprintf("%s/index%u", folder, index);

    mkdir(path, 0700);
    free(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = xasprintf("index%u/%s", index, names[i]);

        put(name, texts[i]);
        free(name);
    }
}

int main(void)
{
    char template[] = "/tmp/geometry-XXXXXX", *command;
    struct geometry last = {0, 0, 0};

    folder = mkdtemp(template);
    ok(!geometry_last_level(folder, &last), "no caches");
    make_cache(0, "1\n", "32K\n", "8\n");
    ok(!geometry_last_level(folder, &last), "the first level alone is no last one");
    make_cache(1, "3\n", "32768K\n", "16\n");
    make_cache(2, "2\n", "1024K\n", "8\n");
    ok(geometry_last_level(folder, &last), "the greatest level is the last");
    is_number((long long)last.size, 32 << 20, "bytes of the last level");
    is_number((long long)last.ways, 16, "ways of the last level");
    is_number((long long)last.line, 64, "bytes of a line of the last level");
    make_cache(1, "3\n", "30M\n", "16\n");
    ok(geometry_last_level(folder, &last), "a number of sets that no model has");
    is_number((long long)last.size, 30 << 20, "30 MiB stay as large");
    is_number((long long)last.ways, 30, "30 MiB stay as large, with fewer sets and more ways");
    make_cache(1, "3\n", "36864K\n", "12\n");
    ok(geometry_last_level(folder, &last) && last.size == 36 << 20 && last.ways == 18,
       "36 MiB of 12 ways have 18");
    make_cache(1, "3\n", "491520K\n", "16\n");
    ok(geometry_last_level(folder, &last) && last.size == 480 << 20 && last.ways == 30,
       "480 MiB of 16 ways have 30");
    make_cache(1, "3\n", "3G\n", "16\n");
    ok(!geometry_last_level(folder, &last), "more than the model has numbers for");
    make_cache(1, "3\n", "32768K\n", "\n");
    ok(!geometry_last_level(folder, &last), "ways that are not known");
    command = xasprintf("rm -r %s", folder);
    (void)!system(command);
    free(command);
    return tap_done();
}
