/*
 * cprof-sections.h - names sections of a program for cargo-cprof, which counts exactly what they
 * cost. For C and C++; the crate cprof makes the same requests from Rust.
 *
 *     CPROF_BEGIN("parse");
 *     ...
 *     CPROF_EVENT("rows", n);
 *     CPROF_END("parse");
 *
 * The macros expand to nothing unless CPROF_ENABLE is defined, and where the profiler does not run:
 * it is on Linux, 64-bit x86 and ARM, with gcc or clang. Names are string literals of 1 to 255
 * bytes, none of them a control character; that of an event is a letter and letters, digits, '_'
 * and '-'. Each thread has its own sections. CPROF_END ends the section of this name that its
 * thread began last. A section that longjmp() or a C++ exception leaves ends there, and counts as
 * one that never ended.
 *
 * Copyright (C) the authors of cargo-cprof. All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without modification, are permitted
 * provided that the following conditions are met:
 *
 * 1. Redistributions of source code must retain the above copyright notice, this list of conditions
 *    and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice, this list of
 *    conditions and the following disclaimer in the documentation and/or other materials provided
 *    with the distribution.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
 * IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
 * FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
 * CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
 * DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
 * DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
 * WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY
 * WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
 */
#ifndef CPROF_SECTIONS_H
#define CPROF_SECTIONS_H

#if defined(CPROF_ENABLE) && defined(__linux__) && defined(__GNUC__) && defined(__LP64__) && \
    (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The tool's own space of requests. */
#define CPROF_REQUEST_BASE  ((unsigned long)'C' << 24 | (unsigned long)'P' << 16)
#define CPROF_REQUEST_BEGIN CPROF_REQUEST_BASE
#define CPROF_REQUEST_END   (CPROF_REQUEST_BASE + 1)
#define CPROF_REQUEST_EVENT (CPROF_REQUEST_BASE + 2)

/* Stand before each name, so that it is found in the file of the program, too. */
#define CPROF_MARK_SECTION "\177cprof section:\0"
#define CPROF_MARK_EVENT   "\177cprof event:  \0"

/* Instructions that change nothing, but that Valgrind knows; `words` says what is asked. */
static inline __attribute__((always_inline)) unsigned long cprof_ask(const volatile void *words)
{
#if defined(__x86_64__)
    unsigned long answer = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(words)
                     : "cc", "memory");
    return answer;
#else
    register unsigned long answer __asm__("x3") = 0;
    register const volatile void *at __asm__("x4") = words;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\t"
                     "ror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
                     : "+r"(answer)
                     : "r"(at)
                     : "cc", "memory");
    return answer;
#endif
}

/*
 * A run at full speed: `cargo cprof sample --section` names a file in CPROF_SECTION_LOG, which
 * marks are written to, as cli/run/section_log.c of cargo-cprof reads them. Without it a mark costs
 * a test.
 */
#define CPROF_LOG_SIZE  ((size_t)256 << 20)
#define CPROF_LOG_MAGIC 0x3130474f4c435343ul
struct cprof_log_record {
    uint64_t time, name; /* ns of CLOCK_MONOTONIC; FNV-1a */
    uint32_t tid, kind;  /* 1: begins, 2: ends */
    uint64_t unused;
};
struct cprof_log_head {
    uint64_t magic, used, unused[2]; /* used: bytes behind the head */
};
/* One for all of the program. NULL: not looked for yet; itself: there is none. */
__attribute__((weak, visibility("hidden"))) void *cprof_log;

static __attribute__((noinline, unused)) struct cprof_log_head *cprof_log_open(void)
{
    /* Valgrind's own request: counts must not depend on the environment. */
    const unsigned long running[6] = {0x1001, 0, 0, 0, 0, 0};
    const char *path = cprof_ask(running) ? (char *)0 : getenv("CPROF_SECTION_LOG");
    int fd = path && *path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *found = &cprof_log, *old = (void *)0;
    void *log = fd < 0 ? MAP_FAILED
                       : mmap((void *)0, CPROF_LOG_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (log != MAP_FAILED && ((struct cprof_log_head *)log)->magic == CPROF_LOG_MAGIC)
        found = log;
    if (!__atomic_compare_exchange_n(&cprof_log, &old, found, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        found = old; /* another thread was faster */
    return (struct cprof_log_head *)found;
}

static __attribute__((noinline, unused)) void cprof_log_mark(struct cprof_log_head *log,
                                                             const char *name, uint32_t kind)
{
    uint64_t hash = 0xcbf29ce484222325ul, at;
    struct timespec now;
    struct cprof_log_record *record;

    if (!log)
        log = cprof_log_open();
    if ((void *)log == (void *)&cprof_log)
        return;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3ul;
    at = __atomic_fetch_add(&log->used, sizeof *record, __ATOMIC_RELAXED);
    if (at + sizeof *record > CPROF_LOG_SIZE - sizeof *log)
        return;
    record = (struct cprof_log_record *)((char *)(log + 1) + at);
    clock_gettime(CLOCK_MONOTONIC, &now);
    record->time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    record->name = hash;
    record->tid = (uint32_t)syscall(SYS_gettid);
    __atomic_store_n(&record->kind, kind, __ATOMIC_RELEASE);
}

static inline __attribute__((always_inline)) void cprof_log_note(const char *name, uint32_t kind)
{
    void *log = __atomic_load_n(&cprof_log, __ATOMIC_ACQUIRE);

    if (__builtin_expect(log != (void *)&cprof_log, 0))
        cprof_log_mark((struct cprof_log_head *)log, name, kind);
}

#define CPROF_ASK(request, mark, name, n)                                     \
    do {                                                                      \
        static const char cprof_name[] = mark name;                           \
        const unsigned long cprof_words[6] = {request,                        \
                                              (unsigned long)cprof_name + 16, \
                                              sizeof cprof_name - 17,         \
                                              (unsigned long)(n),             \
                                              0,                              \
                                              0};                             \
        cprof_ask(cprof_words);                                               \
    } while (0)
/* Both note the mark outside of the section. */
#define CPROF_BEGIN(name)                                            \
    do {                                                             \
        cprof_log_note(name, 1);                                     \
        CPROF_ASK(CPROF_REQUEST_BEGIN, CPROF_MARK_SECTION, name, 0); \
    } while (0)
#define CPROF_END(name)                                            \
    do {                                                           \
        CPROF_ASK(CPROF_REQUEST_END, CPROF_MARK_SECTION, name, 0); \
        cprof_log_note(name, 2);                                   \
    } while (0)
#define CPROF_EVENT(name, n) CPROF_ASK(CPROF_REQUEST_EVENT, CPROF_MARK_EVENT, name, n)

#else

#define CPROF_BEGIN(name)    ((void)0)
#define CPROF_END(name)      ((void)0)
#define CPROF_EVENT(name, n) ((void)sizeof(n))

#endif
#endif
