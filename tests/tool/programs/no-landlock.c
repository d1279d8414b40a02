/*
 * no-landlock.c - to preload under programs that shut themselves in by Landlock, as xz does since
 * 5.6: stock cachegrind could not write its file then. Ours tells them so itself, which takes other
 * instructions than this does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>

enum { LANDLOCK_CREATE_RULESET = 444 };

/* The system call itself; a negative error. */
#ifdef __aarch64__
static long call(long number, const long *arguments)
{
    register long x0 __asm__("x0") = arguments[0], x1 __asm__("x1") = arguments[1];
    register long x2 __asm__("x2") = arguments[2], x3 __asm__("x3") = arguments[3];
    register long x4 __asm__("x4") = arguments[4], x5 __asm__("x5") = arguments[5];
    register long x8 __asm__("x8") = number;

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8)
                     : "memory");
    return x0;
}
#else
static long call(long number, const long *arguments)
{
    register long r10 __asm__("r10") = arguments[3], r8 __asm__("r8") = arguments[4];
    register long r9 __asm__("r9") = arguments[5];
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
                       "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#endif

long syscall(long number, ...)
{
    long arguments[6], result;
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == LANDLOCK_CREATE_RULESET) {
        errno = ENOSYS;
        return -1;
    }
    result = call(number, arguments);
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
