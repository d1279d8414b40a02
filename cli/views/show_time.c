#include <config.h>

#include "views/show_time.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/words.h"
#include "render/json/json.h"
#include "render/text/style.h"
#include "render/text/time_table.h"
#include "views/browse_profile.h"
#include "views/html_output.h"
#include "views/screen.h"
#include "views/show.h"
#include "views/show_own.h"

#include <stdlib.h>
#include <unistd.h>

/*--- Loading ---*/

static void load_own(struct show_time *shown, const struct diff_input inputs[DIFF_SIDES],
                     bool by_line)
{
    struct crates crates[DIFF_SIDES];

    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++)
        crates_load(&crates[side], inputs[side].profile, &inputs[side].packages, NULL);
    time_table_load_own(&shown->own, inputs[DIFF_OLD].profile, inputs[DIFF_NEW].profile,
                        (const struct crates *[DIFF_SIDES]){&crates[DIFF_OLD], &crates[DIFF_NEW]},
                        by_line);
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++)
        crates_free(&crates[side]);
    shown->has_own = shown->own.n > 0;
}

static void prepare(struct time_table *t, const struct filters *filters, enum name_style style)
{
    time_table_name(t, style);
    if (filters->has_function)
        time_table_filter(t, &filters->function);
}

static void load_tables(struct show_time *shown, const struct diff_input inputs[DIFF_SIDES],
                        const struct time_settings *s, const struct filters *filters)
{
    enum name_style style = (enum name_style)s->show.names.style;
    bool by_line = s->by == TIME_BY_LINE;

    if (s->show.parts != VIEW_FUNCTIONS)
        load_own(shown, inputs, by_line);
    show_own_note_none(&s->show, shown->has_own);
    if (shown->has_own)
        prepare(&shown->own, filters, style);
    if (shown->has_own && s->show.parts == VIEW_OWN)
        return;
    shown->has_functions = true;
    time_table_load(&shown->functions, inputs[DIFF_OLD].profile, inputs[DIFF_NEW].profile, by_line);
    prepare(&shown->functions, filters, style);
}

int show_time_load(struct show_time *shown, const struct diff_input inputs[DIFF_SIDES],
                   const char *const names[DIFF_SIDES], const struct time_settings *s)
{
    struct filters filters;
    char *problem = time_problem(inputs[DIFF_OLD].profile, inputs[DIFF_NEW].profile);
    int status = problem ? message_error("%s", problem) : 0;

    *shown = (struct show_time){.names = {names[DIFF_OLD], names[DIFF_NEW]}};
    free(problem);
    if (status)
        return status;
    status = filters_compile(&filters, &s->show);
    if (!status)
        load_tables(shown, inputs, s, &filters);
    filters_free(&filters);
    return status;
}

void show_time_free(struct show_time *shown)
{
    time_table_free(&shown->own);
    time_table_free(&shown->functions);
    *shown = (struct show_time){.has_own = false};
}

/*--- Writing ---*/

static size_t limit_of(const struct show_time *shown, const struct show_settings *show)
{
    if (show->limit != SHOW_LIMIT_DEFAULT)
        return (size_t)show->limit;
    if (show->json)
        return 0;
    return shown->has_own && shown->has_functions ? SHOW_LIMIT_BELOW : SHOW_LIMIT_TABLE;
}

/* The tables that are shown, own code first. */
static size_t tables_of(const struct show_time *shown, const struct time_table *tables[2])
{
    size_t n = 0;

    if (shown->has_own)
        tables[n++] = &shown->own;
    if (shown->has_functions)
        tables[n++] = &shown->functions;
    return n;
}

static void write_tables(const struct show_time *shown, const struct show_settings *show,
                         struct text_screen *screen, FILE *out)
{
    const struct time_table *tables[2];
    size_t n = tables_of(shown, tables);
    char *root = getcwd(NULL, 0);

    for (size_t i = 0; i < n; i++) {
        struct time_view view = {.table = tables[i],
                                 .limit = limit_of(shown, show),
                                 .brief = show->limit == SHOW_LIMIT_DEFAULT,
                                 .below = i > 0,
                                 .root = root};
        struct table filled;
        struct links links;

        if (i)
            fputc('\n', out);
        time_view_fill(&view, &filled);
        if (screen)
            show_links(&links, screen, tables[i]->profile[DIFF_NEW]);
        table_take(&filled, screen, out);
        if (screen)
            links_free(&links);
    }
    free(root);
}

/* The command that looks at the lines; the profiles have to have names that find them again. */
static char *next_text(const struct show_time *shown, const struct time_settings *s)
{
    char *words[DIFF_SIDES], *text;

    if (s->by == TIME_BY_LINE || !shown->names[DIFF_OLD] || !shown->names[DIFF_NEW])
        return NULL;
    for (enum diff_side side = DIFF_OLD; side < DIFF_SIDES; side++)
        words[side] = shell_word(shown->names[side]);
    text = xasprintf("next: cargo cprof time --by line %s %s", words[DIFF_OLD], words[DIFF_NEW]);
    free(words[DIFF_OLD]);
    free(words[DIFF_NEW]);
    return text;
}

static char *unseen_text(const struct show_time *shown)
{
    return time_unseen_text(shown->has_functions ? &shown->functions : &shown->own);
}

static void write_below(const struct show_time *shown, const struct time_settings *s,
                        const struct text_screen *screen, FILE *out)
{
    char *unseen = unseen_text(shown);
    char *next = next_text(shown, s);

    fputc('\n', out);
    style_line(out, screen->color, STYLE_DIM, unseen, screen->width);
    if (next)
        style_line(out, screen->color, STYLE_BOLD, next, 0);
    free(unseen);
    free(next);
}

int show_time_write(const struct show_time *shown, const struct time_settings *s, FILE *out)
{
    const struct show_settings *show = &s->show;
    struct text_screen screen = show_screen(show);
    FILE *summary;

    if (show->json)
        return json_write_time(shown->has_own ? &shown->own : NULL,
                               shown->has_functions ? &shown->functions : NULL,
                               s->by == TIME_BY_LINE, limit_of(shown, show), out)
                   ? output_failed(out)
                   : 0;
    summary = show->summary ? summary_open() : NULL;
    if (summary)
        write_tables(shown, show, NULL, summary);
    summary_close(summary);
    if (show->format == FORMAT_MARKDOWN) {
        write_tables(shown, show, NULL, out);
        return 0;
    }
    write_tables(shown, show, &screen, out);
    write_below(shown, s, &screen, out);
    return 0;
}

/*--- A page ---*/

int show_time_page(const struct show_time *shown, const struct diff_input *sampled,
                   const struct time_settings *s)
{
    struct table grids[HTML_TIMES] = {{.heading = NULL}, {.heading = NULL}};
    const struct show_context context = {.packages = &sampled->packages,
                                         .quiet = true,
                                         .command = "time",
                                         .files = 1,
                                         .time = grids};
    struct show_settings show = s->show;
    const struct time_table *tables[HTML_TIMES];
    size_t n = tables_of(shown, tables);
    char *root = getcwd(NULL, 0);
    struct output_file file;
    int status;

    for (size_t i = 0; i < n; i++) {
        struct time_view view = {
            .table = tables[i], .limit = HTML_LIMIT, .below = i > 0, .root = root};

        time_view_fill(&view, &grids[i]);
    }
    grids[0].findings[1] = unseen_text(shown);
    show.html = true;
    show.json = NULL;
    show.summary = false;
    show.format = FORMAT_TABLE;
    show.filter = NULL;
    show.parts = VIEW_UNSAID;
    show.limit = SHOW_LIMIT_DEFAULT;
    show.output = s->html;
    status = output_begin(&file, s->html);
    if (!status)
        status = show_write(sampled->profile, &show, &context, file.stream);
    status = output_end(&file, s->html, status);
    if (!status)
        message_status("Wrote", "%s", s->html);
    for (size_t i = 0; i < n; i++)
        table_free(&grids[i]);
    free(root);
    return status;
}

/*--- The browser ---*/

int show_time_browse(const struct diff_input inputs[DIFF_SIDES], const struct time_settings *s)
{
    return browse_profile(inputs[DIFF_NEW].profile,
                          &(struct browse_settings){.old = inputs[DIFF_OLD].profile,
                                                    .names = s->show.names,
                                                    .packages = &inputs[DIFF_NEW].packages});
}
