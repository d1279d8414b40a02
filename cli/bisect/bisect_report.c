#include <config.h>

#include "bisect/bisect_report.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/json/json_value.h"
#include "render/text/diff.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA "cprof-bisect/1"

static const char *const verdict_words[] = {"good", "bad", "skipped"};

/* The step of a commit; NULL: it was not looked at. */
static const struct bisect_step *find_step(const struct bisect_report *report, const char *commit)
{
    for (size_t i = 0; i < report->n; i++)
        if (!strcmp(report->steps[i].commit, commit))
            return &report->steps[i];
    return NULL;
}

char *bisect_step_text(const struct bisect_report *report, const struct bisect_step *step)
{
    char percent[TEXT_NUMBER];

    if (step->verdict == VERDICT_SKIPPED)
        return NULL;
    if (step == report->steps)
        return xasprintf("%s %s", report->measure, TEXT_COUNT(step->count));
    diff_percent_text(percent, report->steps[0].count, step->count);
    return xasprintf("%s %s (%s%s)", report->measure, TEXT_COUNT(step->count), percent,
                     diff_percent_unit(percent));
}

void bisect_report_free(struct bisect_report *report)
{
    for (size_t i = 0; i < report->n; i++) {
        free(report->steps[i].commit);
        free(report->steps[i].note);
        commit_name_free(&report->steps[i].name);
    }
    free(report->steps);
    free(report->measure);
    free(report->before);
}

/*--- Text ---*/

enum column_id { COUNT, PERCENT, VERDICT, COMMIT, SUBJECT };

static struct cell percent_cell(const struct bisect_report *report, const struct bisect_step *step)
{
    char percent[TEXT_NUMBER];

    if (step == report->steps)
        return cell_blank();
    diff_percent_text(percent, report->steps[0].count, step->count);
    return cell_text(percent);
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct bisect_step *step = row;

    if (c->id <= PERCENT && step->verdict == VERDICT_SKIPPED)
        return cell_blank();
    switch ((enum column_id)c->id) {
    case COUNT:
        return cell_count(step->count);
    case PERCENT:
        return percent_cell(subject, step);
    case VERDICT:
        return cell_text(verdict_words[step->verdict]);
    case COMMIT:
        return cell_text(step->name.brief);
    default:
        return step->note ? cell_take(xasprintf("%s; %s", step->name.subject, step->note))
                          : cell_text(step->name.subject);
    }
}

static void fill_steps(const struct bisect_report *report, struct table *table)
{
    const struct table_column columns[] = {
        {report->measure, TABLE_VALUE, .cell = cell_of, .id = COUNT},
        {"% of good", TABLE_VALUE, .cell = cell_of, .id = PERCENT},
        {"Verdict", TABLE_NAME, .cell = cell_of, .id = VERDICT},
        {"Commit", TABLE_NAME, .cell = cell_of, .id = COMMIT},
        {"Subject", TABLE_NOTE, .cell = cell_of, .id = SUBJECT}};

    table_begin(table, report);
    table_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < report->n; i++)
        table_put(table, &report->steps[i], CELL_PLAIN);
}

/* "'ir>+2%' or 'd1mr>+1%'". The caller frees it. */
static char *conditions_text(const struct string_list *conditions)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < conditions->n; i++) {
        char *quoted = xasprintf("'%s'", conditions->items[i]);

        strbuf_add_item(&text, " or ", quoted);
        free(quoted);
    }
    return strbuf_take(&text);
}

/* The caller frees it. */
static char *found_text(const struct bisect_report *report, const struct bisect_step *first)
{
    char *conditions = conditions_text(report->conditions), *text;

    if (report->left.n == 1)
        text = xasprintf("%s is the first of %s commit%s at which %s holds: %s", first->name.brief,
                         TEXT_COUNT(report->n_range), report->n_range == 1 ? "" : "s", conditions,
                         first->name.subject);
    else
        text = xasprintf("%s holds from one of these %s commits on; which one, skipped ones hide:",
                         conditions, TEXT_COUNT(report->left.n));
    free(conditions);
    return text;
}

/* Commits that may be the first bad one, where more than one is left. */
static void write_left(const struct bisect_report *report, const struct text_screen *screen,
                       FILE *out)
{
    for (size_t i = 0; i < report->left.n && report->left.n > 1; i++) {
        const struct bisect_step *step = find_step(report, report->left.items[i]);

        table_take_line(
            xasprintf("%s%s  %s", screen ? "    " : "- ", step->name.brief, step->name.subject), "",
            "\n", screen, out);
    }
}

void bisect_report_write(const struct bisect_report *report, const struct text_screen *screen,
                         FILE *out)
{
    const struct bisect_step *first = find_step(report, report->left.items[0]);
    struct table table;

    table_line(report->command_line, STYLE_BOLD, "\n", screen, out);
    table_take_line(found_text(report, first), "", "\n", screen, out);
    write_left(report, screen, out);
    if (report->left.n == 1)
        table_take_line(
            xasprintf("%s, %s, %s", first->commit, first->name.author, first->name.date), STYLE_DIM,
            "\n", screen, out);
    fputc('\n', out);
    fill_steps(report, &table);
    table_take(&table, screen, out);
}

/*--- JSON ---*/

static json_t *commit_json(const struct bisect_step *step)
{
    return json_members(json_object(), "commit", json_text(step->commit), "subject",
                        json_text(step->name.subject), "author", json_text(step->name.author),
                        "date", json_text(step->name.date), NULL);
}

static json_t *steps_json(const struct bisect_report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < report->n; i++) {
        const struct bisect_step *step = &report->steps[i];

        json_array_append_new(
            array,
            json_members(commit_json(step), "verdict", json_text(verdict_words[step->verdict]),
                         "count", step->verdict == VERDICT_SKIPPED ? NULL : json_count(step->count),
                         "note", step->note ? json_text(step->note) : NULL, NULL));
    }
    return array;
}

static json_t *texts_json(const struct string_list *texts)
{
    json_t *array = json_array();

    for (size_t i = 0; i < texts->n; i++)
        json_array_append_new(array, json_text(texts->items[i]));
    return array;
}

int bisect_json_write(const struct bisect_report *report, const char *comparison, FILE *out)
{
    json_t *document = json_members(
        json_object(), "schema", json_text(SCHEMA), "command", json_text(report->command_line),
        "conditions", texts_json(report->conditions), "measure", json_text(report->measure),
        "range", json_count((int64_t)report->n_range), "steps", steps_json(report), "first",
        report->left.n == 1 ? commit_json(find_step(report, report->left.items[0])) : NULL, "left",
        report->left.n > 1 ? texts_json(&report->left) : NULL, "before",
        report->before ? json_text(report->before) : NULL, "comparison",
        comparison ? json_loads(comparison, 0, NULL) : NULL, NULL);

    return json_finish(document, out);
}
