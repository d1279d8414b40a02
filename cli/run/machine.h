/*
 * machine.h - what of the machine matters to a run: where files may be written, what is allowed,
 * what the processor has. Each adds one finding.
 */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include "run/finding.h"

#include <elf.h>
#include <stdbool.h>

/* The folder for temporary files. It need not be executable. */
void machine_temporary(struct findings *findings);
/* System calls that are denied. */
void machine_calls(struct findings *findings);
/* Features of the processor that Valgrind does not know. */
void machine_processor(struct findings *findings);
/* The folders that runs are kept in. */
void machine_kept(struct findings *findings);

/*--- Caches ---*/

/* The caches to model, checked before a long run. */

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

/*--- The processor ---*/

/*
 * The processor that the program is built for, and so that of the programs it
 * profiles: its name, its number in ELF files, Rust's target, the loader of musl.
 */

#if defined(__x86_64__)
#define PROCESSOR_NAME      "x86-64"
#define PROCESSOR_ELF       EM_X86_64
#define PROCESSOR_TARGET    "x86_64-unknown-linux-gnu"
#define PROCESSOR_LIBRARIES "/lib/x86_64-linux-gnu"
#define PROCESSOR_MUSL      "/lib/ld-musl-x86_64.so.1"
#elif defined(__aarch64__)
#define PROCESSOR_NAME      "arm64"
#define PROCESSOR_ELF       EM_AARCH64
#define PROCESSOR_TARGET    "aarch64-unknown-linux-gnu"
#define PROCESSOR_LIBRARIES "/lib/aarch64-linux-gnu"
#define PROCESSOR_MUSL      "/lib/ld-musl-aarch64.so.1"
#else
#error "the Valgrind tool is written for x86-64 and arm64"
#endif

/* True if this machine's processor has AVX-512. */
static inline bool processor_has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

#endif
