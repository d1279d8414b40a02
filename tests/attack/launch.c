/*
 * launch.c - stands in for cprof-launch: it runs no program, but says that it is the right
 * Valgrind, and copies the file that $ATTACK_RAW names to where the profile is expected. With
 * $ATTACK_RAW not set there is no profile; $ATTACK_STATUS is the status that "the program" ends
 * with.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT "--cprof-out-file="

static int copy(const char *from, const char *to)
{
    static char buffer[1 << 16];
    FILE *in = fopen(from, "re"), *out = in ? fopen(to, "we") : NULL;
    size_t size;

    if (!in || !out)
        return 1;
    while ((size = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, size, out);
    fclose(in);
    return fclose(out) != 0;
}

/* The text for %p in the name of the profile. */
static char *expand(const char *name)
{
    const char *mark = strstr(name, "%p");
    size_t size = strlen(name) + 30;
    char *path = malloc(size);

    if (!path || !mark)
        exit(91);
    snprintf(path, size, "%.*s%ld%s", (int)(mark - name), name, (long)getpid(), mark + 2);
    return path;
}

int main(int argc, char **argv)
{
    const char *raw = getenv("ATTACK_RAW"), *status = getenv("ATTACK_STATUS");
    char *path;
    int failed;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!strcmp(argv[i], "--version")) {
            puts(VG_VERSION);
            return 0;
        }
        if (!raw || strncmp(argv[i], OUT, sizeof OUT - 1) != 0)
            continue;
        path = expand(argv[i] + sizeof OUT - 1);
        failed = copy(raw, path);
        free(path);
        if (failed)
            return 92;
    }
    return status ? atoi(status) : 0;
}
