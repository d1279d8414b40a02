/*
 * geometry.h - the caches to model, checked before a long run.
 */
#ifndef RUN_GEOMETRY_H
#define RUN_GEOMETRY_H

#include <stdbool.h>

/* Checks "SIZE,WAYS,LINE" given as --`name`. Returns 0, or STATUS_USAGE after having said which
 * rule is broken. */
int geometry_check(const char *name, const char *text);

/* The folder where the kernel tells of the caches of a processor. */
#define GEOMETRY_FOLDER "/sys/devices/system/cpu/cpu0/cache"

/* A cache of the machine, in bytes. */
struct geometry {
    unsigned long long size, ways, line;
};

/* The last level, as the kernel has it in `folder`, with a number of sets that the model can have.
 * The processor's own table is made up in many virtual machines. False: the kernel does not tell.
 */
bool geometry_last_level(const char *folder, struct geometry *last);

#endif
