/*
 * no-landlock.c - to preload under programs that shut themselves in by Landlock, as xz does since
 * 5.6: stock cachegrind could not write its file then. Ours tells them so itself, which takes other
 * instructions than this does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>

enum { LANDLOCK_CREATE_RULESET = 444 };

long syscall(long number, ...)
{
    register long r10 __asm__("r10"), r8 __asm__("r8"), r9 __asm__("r9");
    long first, second, third, result;
    va_list list;

    va_start(list, number);
    first = va_arg(list, long);
    second = va_arg(list, long);
    third = va_arg(list, long);
    r10 = va_arg(list, long);
    r8 = va_arg(list, long);
    r9 = va_arg(list, long);
    va_end(list);
    if (number == LANDLOCK_CREATE_RULESET) {
        errno = ENOSYS;
        return -1;
    }
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
