/*
 * landlock.c - shuts itself in as sandboxed programs do: asks which Landlock the kernel has, and
 * forbids itself all that it can of the file system. Says what came of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, ASK_VERSION = 1 };

int main(int argc, char **argv)
{
    const uint64_t forbidden = 0x1fff; /* what the first version knows */
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION), rules;
    int before = dup(0);

    printf("version: %s\n", version < 0 ? strerror(errno) : "there is one");
    rules = syscall(CREATE_RULESET, &forbidden, sizeof forbidden, 0);
    printf("rules: %s\n", rules < 0 ? strerror(errno) : "made");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    printf("shut in: %s\n", syscall(RESTRICT_SELF, rules, 0) < 0 ? "no" : "yes");
    printf("file: %s\n", open(argv[argc - 1], O_RDONLY) < 0 ? strerror(errno) : "opened");
    printf("next descriptor: %d\n", dup(0) - before);
    return 0;
}
