/*
 * emulator.c - runs a program of arm64 by qemu-user: what the kernel starts for such a program in
 * tests/arm64/in-root. qemu takes the processor from the environment, which the tests leave out;
 * its usual one has cache lines that Valgrind does not know.
 */
#include <stdlib.h>
#include <unistd.h>

#define QEMU "/emulator/qemu"

/* The kernel passes the program's path, its own argv[0] and its arguments. */
int main(int argc, char **argv)
{
    char **words = calloc((size_t)argc + 6, sizeof *words);
    int n = 0;

    if (!words || argc < 3)
        return 126;
    words[n++] = QEMU;
    words[n++] = "-cpu";
    words[n++] = "neoverse-n1";
    words[n++] = "-0";
    words[n++] = argv[2];
    words[n++] = argv[1];
    for (int i = 3; i < argc; i++)
        words[n++] = argv[i];
    execv(QEMU, words);
    return 126;
}
