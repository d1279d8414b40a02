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

/* The tool's own space of requests. */
#define CPROF_REQUEST_BASE  ((unsigned long)'C' << 24 | (unsigned long)'P' << 16)
#define CPROF_REQUEST_BEGIN CPROF_REQUEST_BASE
#define CPROF_REQUEST_END   (CPROF_REQUEST_BASE + 1)
#define CPROF_REQUEST_EVENT (CPROF_REQUEST_BASE + 2)

/* Stand before each name, so that it is found in the file of the program, too. */
#define CPROF_MARK_SECTION "\177cprof section:\0"
#define CPROF_MARK_EVENT   "\177cprof event:  \0"

/* Instructions that change nothing, but that Valgrind knows; `words` says what is asked. */
static inline __attribute__((always_inline)) void cprof_ask(const volatile void *words)
{
#if defined(__x86_64__)
    unsigned long answer = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(words)
                     : "cc", "memory");
#else
    register unsigned long answer __asm__("x3") = 0;
    register const volatile void *at __asm__("x4") = words;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\t"
                     "ror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
                     : "+r"(answer)
                     : "r"(at)
                     : "cc", "memory");
#endif
}

#define CPROF_ASK(request, mark, name, n)                                                        \
    do {                                                                                         \
        static const char cprof_name[] = mark name;                                              \
        const unsigned long cprof_words[6] = {request, (unsigned long)cprof_name + 16,           \
                                              sizeof cprof_name - 17, (unsigned long)(n), 0, 0}; \
        cprof_ask(cprof_words);                                                                  \
    } while (0)
#define CPROF_BEGIN(name)    CPROF_ASK(CPROF_REQUEST_BEGIN, CPROF_MARK_SECTION, name, 0)
#define CPROF_END(name)      CPROF_ASK(CPROF_REQUEST_END, CPROF_MARK_SECTION, name, 0)
#define CPROF_EVENT(name, n) CPROF_ASK(CPROF_REQUEST_EVENT, CPROF_MARK_EVENT, name, n)

#else

#define CPROF_BEGIN(name)    ((void)0)
#define CPROF_END(name)      ((void)0)
#define CPROF_EVENT(name, n) ((void)sizeof(n))

#endif
#endif
