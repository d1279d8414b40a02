/*
 * machine.h - what of the machine matters to a run: where files may be written, what is allowed,
 * what the processor has. Each adds one finding.
 */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

/*--- Findings ---*/

/*
 * Each thing that a look at the installation and the machine finds, with what is there,
 * or what is wrong with it and what to do. A run says the first that is wrong; `doctor` shows all.
 */

enum finding_state {
    FINDING_OK,
    FINDING_ERROR,    /* no run works like this */
    FINDING_OPTIONAL, /* something is missing that some runs or commands need */
    FINDING_NOTE      /* good to know */
};

struct finding {
    const char *name; /* borrowed */
    enum finding_state state;
    char *text;         /* what is there, or what is wrong */
    const char *advice; /* what to do, borrowed; NULL: nothing */
};

/* Zero-initialised is empty. */
struct findings {
    size_t n;
    struct finding *items;
};

/* Adds one; takes over `text`. */
void findings_add(struct findings *findings, const char *name, enum finding_state state, char *text,
                  const char *advice);
/* The first error, or NULL. */
const struct finding *findings_error(const struct findings *findings);
void findings_free(struct findings *findings);

/*--- System calls that are denied ---*/

/*
 * System calls that a filter (seccomp: containers, sandboxes) or a security module
 * denies, of those that the Valgrind tool makes.
 *
 * The tool makes calls itself that a C library of today makes no more, such as open and pipe, so
 * that a filter may deny them and hardly anybody notice. Those without which no program starts are
 * not tried. ptrace, personality and process_vm_readv, which containers deny often, the tool does
 * not need.
 */

#define DENIED_ADVICE \
    "allow them where the filter is set up (docker run --security-opt seccomp=unconfined)"

/* "system calls are denied: open, pipe", for the caller to free; NULL: none is. Tries them in
 * another process, which a filter may kill. */
char *denied_calls(void);

/*--- Limits ---*/

/*
 * Limits of resources (ulimit) that leave a run of the tool too little, when it has
 * failed. Not asked for before: what a run takes depends on the program and on the machine.
 */

/* Which limit to raise; `otherwise`: none is low. */
const char *limits_advice(const char *otherwise);

/*--- What the machine has ---*/

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
