/* How runs that differ are shown: what varies, the widest first, and what is said of it. */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "render/text/noise_table.h"

#include <stdlib.h>

static struct cprof_profile *make(int64_t f, int64_t g, int64_t h, int64_t dr)
{
    const struct {
        const char *name;
        int64_t counts[2];
    } items[] = {{"f", {f, 1}}, {"g", {g, 2}}, {"h", {h, dr}}, {"same", {7, 7}}};
    struct cprof_error error = {0};
    struct builder *b = builder_new(&error);

    builder_event(b, "Ir");
    builder_event(b, "Dr");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        struct cprof_cost cost = {
            builder_function(b, items[i].name, NULL, CPROF_NONE, CPROF_NONE, 0), CPROF_NONE, 1, 0};

        builder_cost(b, &cost, items[i].counts);
    }
    return builder_finish(b);
}

static void shows(struct cprof_profile *runs[], unsigned n, size_t n_shown, bool markdown,
                  const char *want, const char *what)
{
    struct noise noise;
    struct noise_table view = {.noise = &noise,
                               .n_shown = n_shown,
                               .markdown = markdown,
                               .screen = {.width = 80, .fixed = true}};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    noise_measure(&noise, (const struct cprof_profile *const *)runs, n, false);
    noise_table_write(&view, out);
    fclose(out);
    is_text(text, want, what);
    free(text);
    noise_free(&noise);
}

int main(void)
{
    struct cprof_profile *runs[] = {make(1000, 500, 30, 3), make(1003, 540, 30, 3),
                                    make(1001, 520, 30, 5)};

    shows(runs, 3, 0, false,
          "\n3 runs: total Ir varied by 43 (2.7215 %), 3 functions varied\n"
          "\n"
          "Least Ir  Most Ir  Spread       %  Varied\n"
          "   1,537    1,580      43   2.722  total Ir\n"
          "      13       15       2  13.333  total Dr\n"
          "     500      540      40   7.407  g\n"
          "   1,000    1,003       3   0.299  f\n"
          "      30       30       0   0.000  h\n",
          "the widest spread is first");
    shows(runs, 3, 1, true,
          "\n3 runs: total Ir varied by 43 (2.7215 %), 3 functions varied\n"
          "\n"
          "| Least Ir | Most Ir | Spread | % | Varied |\n"
          "| ---: | ---: | ---: | ---: | --- |\n"
          "| 1,537 | 1,580 | 43 | 2.722 | `total Ir` |\n"
          "| 13 | 15 | 2 | 13.333 | `total Dr` |\n"
          "| 500 | 540 | 40 | 7.407 | `g` |\n",
          "one function, as Markdown");
    shows(runs, 1, 0, false, "\n1 runs: every count of every function was the same\n", "one run");
    for (int i = 0; i < 3; i++)
        cprof_free(runs[i]);
    return tap_done();
}
