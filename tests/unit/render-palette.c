/* The colours of kinds of code, in pages, flame graphs and the browser: kinds stay apart for
 * readers who see no red, green or blue, and names and labels are readable in light and dark. */
#include <config.h>

#include "../tap.h"
#include "names/ownership.h"
#include "render/html/embedded.h"
#include "tui/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Linear light. */
struct color {
    double red, green, blue;
};

static double linear(unsigned value)
{
    double part = value / 255.0;

    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static struct color color_of(unsigned rgb)
{
    return (struct color){linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255)};
}

static double luminance(struct color c)
{
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
}

/* WCAG's contrast. */
static double contrast(struct color a, struct color b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

    return x > y ? x / y : y / x;
}

/*--- How others see it ---*/

static const struct sight {
    const char *name;
    double rows[3][3]; /* Machado, Oliveira and Fernandes 2009, of full severity */
} sights[] = {
    {"all colours", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"no red",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"no green",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"no blue",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};
enum { SIGHTS = sizeof sights / sizeof *sights };

static double seen_part(const double row[3], struct color c)
{
    return fmin(1, fmax(0, row[0] * c.red + row[1] * c.green + row[2] * c.blue));
}

static struct color seen(const struct sight *s, struct color c)
{
    return (struct color){seen_part(s->rows[0], c), seen_part(s->rows[1], c),
                          seen_part(s->rows[2], c)};
}

/* CIELAB. */
struct lab {
    double light, a, b;
};

static double root(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static struct lab lab_of(struct color c)
{
    double x = root((0.4124 * c.red + 0.3576 * c.green + 0.1805 * c.blue) / 0.95047);
    double y = root(luminance(c));
    double z = root((0.0193 * c.red + 0.1192 * c.green + 0.9505 * c.blue) / 1.08883);

    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(struct lab x, struct lab y)
{
    return sqrt(pow(x.light - y.light, 2) + pow(x.a - y.a, 2) + pow(x.b - y.b, 2));
}

/*--- Styles ---*/

/* The colour of a property of the rule with that selector, in the light or dark part of a style. */
static struct color css_color(const char *css, bool dark, const char *selector,
                              const char *property)
{
    const char *media = strstr(css, "@media (prefers-color-scheme:dark)");
    char *part = dark ? strdup(media) : strndup(css, (size_t)(media - css));
    char head[100];
    const char *rule, *at;
    unsigned rgb = 0;

    snprintf(head, sizeof head, "\n%s{", selector);
    rule = strstr(part, head);
    at = rule ? strstr(rule, property) : NULL;
    if (!at || at > strchr(rule, '}') || sscanf(at + strlen(property), ":#%6x", &rgb) != 1)
        ok(0, "%s of %s, %s", property, selector, dark ? "dark" : "light");
    if (at && strspn(at + strlen(property) + 2, "0123456789abcdef") == 3)
        rgb = (rgb >> 8) * 0x110000 + (rgb >> 4 & 15) * 0x1100 + (rgb & 15) * 0x11;
    free(part);
    return color_of(rgb);
}

static struct color area(bool dark, enum origin kind, unsigned shade)
{
    char selector[] = {'.', origin_letter(kind), (char)('0' + shade), '\0'};

    return css_color(embedded_palette_css, dark, selector, "fill");
}

/* The least distance, and the least difference of lightness, of any two kinds. */
static void find_nearest(bool dark, const struct sight *sight, double *near, double *light)
{
    *near = *light = 1000;
    for (unsigned i = 0; i < ORIGINS * ORIGIN_SHADES; i++)
        for (unsigned k = i; k < ORIGINS * ORIGIN_SHADES; k++) {
            struct lab x = lab_of(seen(sight, area(dark, i / ORIGIN_SHADES, i % ORIGIN_SHADES)));
            struct lab y = lab_of(seen(sight, area(dark, k / ORIGIN_SHADES, k % ORIGIN_SHADES)));

            if (i / ORIGIN_SHADES == k / ORIGIN_SHADES)
                continue;
            *near = fmin(*near, distance(x, y));
            *light = fmin(*light, fabs(x.light - y.light));
        }
}

static void test_areas(bool dark)
{
    const char *theme = dark ? "dark" : "light";

    for (int i = 0; i < SIGHTS; i++) {
        double near, light;

        find_nearest(dark, &sights[i], &near, &light);
        ok(near >= 5 && light >= 3.5, "%s, %s: areas of kinds are apart (%.1f, in lightness %.1f)",
           theme, sights[i].name, near, light);
    }
    for (unsigned i = 0; i < ORIGINS * ORIGIN_SHADES; i++) {
        /* Own code is bright in the dark, too: its labels are not. */
        struct color text =
            dark && i / ORIGIN_SHADES == ORIGIN_OWN
                ? css_color(embedded_palette_css, dark,
                            ".flame .frames .o0+text,.flame .frames .o1+text,.flame .frames "
                            ".o2+text",
                            "fill")
                : css_color(embedded_flamegraph_css, dark, ".flame text", "fill");
        double found = contrast(area(dark, i / ORIGIN_SHADES, i % ORIGIN_SHADES), text);

        ok(found >= 4.5, "%s: a label on %s, shade %u (%.1f)", theme,
           origin_title(i / ORIGIN_SHADES), i % ORIGIN_SHADES, found);
    }
}

static void test_names(bool dark)
{
    for (enum origin kind = 0; kind < ORIGINS; kind++) {
        char selector[] = {'[', 'd', 'a', 't', 'a', '-', 'k', '=', origin_letter(kind),
                           ']', '>', '.', 'n', 'a', 'm', 'e', '\0'};
        struct color name = css_color(embedded_palette_css, dark, selector, "color");
        struct color ground = css_color(embedded_report_css, dark, ":root", "--ground");
        struct color raised = css_color(embedded_report_css, dark, ":root", "--raised");

        ok(contrast(name, ground) >= 4.5 && contrast(name, raised) >= 4.5, "%s: a name of %s",
           dark ? "dark" : "light", origin_title(kind));
    }
}

/*--- The terminal ---*/

static struct color terminal_color(short n)
{
    static const unsigned steps[] = {0, 95, 135, 175, 215, 255};

    if (n >= 232) {
        unsigned grey = 8 + 10 * (unsigned)(n - 232);

        return color_of(grey << 16 | grey << 8 | grey);
    }
    n -= 16;
    return color_of(steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6]);
}

static void test_terminal(void)
{
    struct color black = color_of(0), white = color_of(0xffffff);

    for (int look = 0; look < N_LOOKS; look++) {
        bool name = look >= LOOK_OWN && look <= LOOK_SYSTEM_INLINED;
        struct color c;

        if (palette[look].many < 0)
            continue;
        c = terminal_color(palette[look].many);
        ok(fmin(contrast(c, black), contrast(c, white)) >= (name ? 4.3 : 3.8),
           "look %d is readable on black and on white", look);
    }
    for (int s = 0; s < SIGHTS; s++) {
        double near = 1000;

        for (int i = LOOK_OWN; i <= LOOK_SYSTEM; i++)
            for (int k = i + 1; k <= LOOK_SYSTEM; k++)
                near =
                    fmin(near, distance(lab_of(seen(&sights[s], terminal_color(palette[i].many))),
                                        lab_of(seen(&sights[s], terminal_color(palette[k].many)))));
        ok(near >= 5, "%s: names of kinds are apart on the terminal (%.1f)", sights[s].name, near);
    }
    for (int i = LOOK_OWN; i <= LOOK_SYSTEM; i++) {
        const struct palette_look *plain = &palette[i], *inlined = &palette[i + ORIGINS];

        ok(plain->many == inlined->many && inlined->style == (plain->style | STYLE_ITALIC),
           "inlined code differs by its style alone");
    }
    ok(palette[LOOK_OWN].style & STYLE_BOLD && palette[LOOK_STD].style & STYLE_DIM,
       "without colours own code is bold, the standard library dim");
}

int main(void)
{
    test_areas(false);
    test_areas(true);
    test_names(false);
    test_names(true);
    test_terminal();
    return tap_done();
}
