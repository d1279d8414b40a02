/*
 * processor.h - the processor that the program is built for, and so that of the programs it
 * profiles: its name, its number in ELF files, Rust's target, the loader of musl.
 */
#ifndef RUN_PROCESSOR_H
#define RUN_PROCESSOR_H

#include <elf.h>
#include <stdbool.h>

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
