#include <config.h>

#include "../tap.h"
#include "bench/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take(struct harness_output *output, const char *const *lines)
{
    for (; *lines; lines++)
        harness_output_line(output, *lines);
}

static void test_lines(void)
{
    static const char *const early[] = {"", "running 52 tests", "test a ... ok", NULL};
    static const char *const whole[] = {"running 1 test",
                                        "test b ... FAILED",
                                        "",
                                        "failures:",
                                        "",
                                        "---- b stdout ----",
                                        "    no name",
                                        "",
                                        "failures:",
                                        "    b",
                                        "    m::c",
                                        "",
                                        "    nor this",
                                        "test result: FAILED. 0 passed; 2 failed",
                                        NULL};
    static const char *const odd[] = {"running tests", "running 3 testsuites", "running 4 miles",
                                      "", NULL};
    struct harness_output a = HARNESS_OUTPUT_INIT, b = HARNESS_OUTPUT_INIT, c = HARNESS_OUTPUT_INIT;

    take(&a, early);
    take(&b, whole);
    take(&c, odd);
    ok(a.announced == 52 && !a.has_result && !a.failed.n, "a harness that ended early");
    ok(b.announced == 1 && b.has_result, "one that has a result");
    ok(b.failed.n == 2 && !strcmp(b.failed.items[0], "b") && !strcmp(b.failed.items[1], "m::c"),
       "a list of tests that failed");
    ok(c.announced == -1 && !c.has_result, "lines that announce nothing");
    harness_output_free(&a);
    harness_output_free(&b);
    harness_output_free(&c);
}

/* Standard output arrives, and was looked at; a writer that goes on does not hold us up. */
static void test_passing(void)
{
    struct harness_output output = HARNESS_OUTPUT_INIT;
    FILE *file = tmpfile();
    int before = dup(STDOUT_FILENO), left;
    struct passing *passing;
    char text[64] = "";
    bool written;

    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    passing = passing_begin(&output, false);
    left = dup(STDOUT_FILENO);
    written = write(STDOUT_FILENO, "running 3 tests\nend", 19) == 19;
    passing_end(passing);
    written &= write(STDOUT_FILENO, "!", 1) == 1;
    dup2(before, STDOUT_FILENO);
    close(before);
    close(left);
    rewind(file);
    ok(passing && written && fread(text, 1, sizeof text - 1, file) == 20, "bytes are passed on");
    is_text(text, "running 3 tests\nend!", "bytes are passed on, all of them and at once");
    is_number(output.announced, 3, "bytes that are passed on were looked at");
    fclose(file);
    harness_output_free(&output);
}

int main(void)
{
    test_lines();
    test_passing();
    return tap_done();
}
