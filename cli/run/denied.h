/*
 * denied.h - system calls that a filter (seccomp: containers, sandboxes) or a security module
 * denies, of those that the Valgrind tool makes.
 *
 * The tool makes calls itself that a C library of today makes no more, such as open and pipe, so
 * that a filter may deny them and hardly anybody notice. Those without which no program starts are
 * not tried. ptrace, personality and process_vm_readv, which containers deny often, the tool does
 * not need.
 */
#ifndef RUN_DENIED_H
#define RUN_DENIED_H

#define DENIED_ADVICE \
    "allow them where the filter is set up (docker run --security-opt seccomp=unconfined)"

/* "system calls are denied: open, pipe", for the caller to free; NULL: none is. Tries them in
 * another process, which a filter may kill. */
char *denied_calls(void);

#endif
