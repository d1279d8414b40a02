/*
 * getattr-fails.c - to preload under Rust programs: std asks for the main thread's stack, for which
 * glibc reads /proc/self/maps, and that shows Valgrind's own mappings, which differ from tool to
 * tool.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    (void)thread;
    (void)attributes;
    return ENOSYS;
}
