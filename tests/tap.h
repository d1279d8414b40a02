/*
 * tap.h - the Test Anything Protocol for C tests. Each program runs any number of ok() and ends
 * with `return tap_done();`.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3), unused)) static int ok(int pass, const char *format, ...)
{
    va_list ap;
    tap_count++;
    tap_failed += !pass;
    printf("%sok %d - ", pass ? "" : "not ", tap_count);
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    putchar('\n');
    fflush(stdout);
    return pass;
}

__attribute__((unused)) static void skip(const char *what, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
}

/* Equal strings, with both shown where they differ. */
__attribute__((unused)) static int is_text(const char *got, const char *want, const char *what)
{
    int same = got && want ? !strcmp(got, want) : got == want;
    ok(same, "%s", what);
    if (!same)
        printf("#  got: %s\n# want: %s\n", got ? got : "(null)", want ? want : "(null)");
    return same;
}

__attribute__((unused)) static int is_number(long long got, long long want, const char *what)
{
    ok(got == want, "%s", what);
    if (got != want)
        printf("#  got: %lld\n# want: %lld\n", got, want);
    return got == want;
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
