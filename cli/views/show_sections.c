#include <config.h>

/* Sections, and what went wrong with them. */
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "derive/sections.h"
#include "diff/section_pairs.h"
#include "render/html/html.h"
#include "render/text/section_table.h"
#include "views/view_form.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WARNINGS_MOST = 5,
    NOTHING_MOST = 10, /* Ir of an entry with nothing in it: what is left is of the requests */
    NAMES_MOST = 5,
    NAME_MOST = 255 /* bytes */
};

/*--- The table ---*/

static void fill(const struct view_input *input, struct next_views *next, struct table *filled)
{
    const struct section_table sections = {input->profile, input->selection->measure};

    (void)next;
    section_table_fill(&sections, &input->selection->columns, filled);
}

static void page(const struct view_input *input, const struct function_table *functions, FILE *out)
{
    (void)input;
    html_sections(functions, out);
}

const struct view_form sections_form = {.fill = fill, .page = page};

/*--- Warnings ---*/

/* Entries that neither ended nor are known to be lost are open at the end of the program. That of a
 * part which was written on the way is not known. */
static uint64_t never_ended(const struct cprof_profile *p, const struct cprof_section *s)
{
    uint64_t open = s->began > s->ended ? s->began - s->ended : 0;

    return p->exit == CPROF_EXIT_UNKNOWN ? s->lost : open;
}

static const char *plural(uint64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

/* The warning of a section, or NULL: the worst that there is. The caller frees it. */
static char *warning_of(const struct cprof_profile *p, const struct cprof_section *s)
{
    uint64_t open = never_ended(p, s);
    const char *name = s->name;

    if (s->foreign)
        return xasprintf("section '%s' overlaps threads: it was ended %s time%s in a thread where "
                         "it had not begun, while it was open in another; a section belongs to the "
                         "thread that begins it",
                         name, TEXT_COUNT(s->foreign), plural(s->foreign, "", "s"));
    if (s->stray && !s->began)
        return xasprintf("section '%s' never began: it was ended %s time%s, and nothing was "
                         "counted for it",
                         name, TEXT_COUNT(s->stray), plural(s->stray, "", "s"));
    if (open)
        return xasprintf("section '%s' never ended %s of %s time%s: what it cost goes on to where "
                         "its function was left by longjmp, or its thread or the program ended",
                         name, TEXT_COUNT(open), TEXT_COUNT(s->began), plural(s->began, "", "s"));
    if (s->stray)
        return xasprintf("section '%s' was ended %s time%s without having begun", name,
                         TEXT_COUNT(s->stray), plural(s->stray, "", "s"));
    if (s->crossed)
        return xasprintf("section '%s' ended %s time%s while one that began later was open; "
                         "sections nest: each has the cost of its own time, but call paths show "
                         "only one within the other",
                         name, TEXT_COUNT(s->crossed), plural(s->crossed, "", "s"));
    if (s->n_spreads && s->greatest <= NOTHING_MOST)
        return xasprintf("section '%s' caught nothing: no entry cost more than %s instructions, "
                         "and those are the request's; a guard ends where it is dropped: 'let "
                         "_guard = section!(...)' keeps it, 'let _ = ' does not",
                         name, TEXT_COUNT(s->greatest));
    return NULL;
}

void section_warnings(const struct cprof_profile *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_sections; i++) {
        char *warning = warning_of(p, &p->sections[i]);

        if (warning && n++ < WARNINGS_MOST)
            message_warning("%s", warning);
        free(warning);
    }
    if (n > WARNINGS_MOST)
        message_warning("%s more sections have something wrong with them",
                        TEXT_COUNT(n - WARNINGS_MOST));
}

/*--- Names in the program's file ---*/

/* Stands before each name there, as the crate cprof and cprof-sections.h put it. */
static const char mark[16] = "\177cprof section:";

void section_warn_vanished(const struct cprof_profile *old, const struct cprof_profile *new)
{
    uint32_t n = 0;

    /* Other tools know no sections. */
    if (new->format != CPROF_FORMAT_RAW &&new->format != CPROF_FORMAT_NAMED)
        return;
    for (uint32_t i = 0; i < old->n_sections; i++) {
        const struct cprof_section *s = &old->sections[i];

        if (s->began && section_find(new, s->name) == CPROF_NONE && n++ < WARNINGS_MOST)
            message_warning(
                "section '%s' began %s time%s in the old profile, and never in the new one",
                s->name, TEXT_COUNT(s->began), plural(s->began, "", "s"));
    }
    if (n > WARNINGS_MOST)
        message_warning("%s more sections never began in the new profile",
                        TEXT_COUNT(n - WARNINGS_MOST));
}

/* Names that were found, in memory of their own. */
struct names {
    char **items;
    size_t n, room;
};

/* The tool takes no other names, so that bytes which merely look like a mark name nothing. */
static bool is_name(const char *name, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    return size > 0 && size <= NAME_MOST;
}

static void add_name(struct names *names, const struct cprof_profile *p, const char *name,
                     size_t size)
{
    char *copy = xstrndup(name, size);

    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->items[i], copy)) {
            free(copy);
            return;
        }
    if (section_find(p, copy) != CPROF_NONE) {
        free(copy);
        return;
    }
    APPEND(names->items, names->n, names->room) = copy;
}

static void find_names(struct names *names, const struct cprof_profile *p, const char *data,
                       size_t size)
{
    const char *end = data + size, *at = data;

    while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark))) {
        const char *stop;

        at += sizeof mark;
        stop = memchr(at, '\0', (size_t)(end - at));
        if (!stop)
            return;
        if (is_name(at, (size_t)(stop - at)))
            add_name(names, p, at, (size_t)(stop - at));
        at = stop;
    }
}

static void read_names(struct names *names, const struct cprof_profile *p)
{
    int file = p->program ? open(p->program, O_RDONLY | O_CLOEXEC) : -1;
    struct stat facts;
    void *data;

    if (file < 0)
        return;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        data = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            find_names(names, p, data, (size_t)facts.st_size);
            munmap(data, (size_t)facts.st_size);
        }
    }
    close(file);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* True where the profile is of the paths in sections alone (--section): which others began is not
 * known then. */
static bool is_part(const struct cprof_profile *p)
{
    size_t n;

    free(section_roots(p, &n));
    return n > 0;
}

void section_note_unused(const struct cprof_profile *p)
{
    struct names names = {.n = 0};
    struct strbuf text = {.text = NULL};

    if (is_part(p))
        return;
    read_names(&names, p);
    sort_items(names.items, names.n, sizeof *names.items, by_bytes);
    for (size_t i = 0; i < names.n; i++) {
        if (i < NAMES_MOST)
            strbuf_addf(&text, "%s'%s'", i ? ", " : "", names.items[i]);
        free(names.items[i]);
    }
    if (names.n > NAMES_MOST)
        strbuf_addf(&text, " and %s more", TEXT_COUNT(names.n - NAMES_MOST));
    if (names.n && p->n_sections)
        message_note("section%s %s did not begin in this run: no code that names %s ran",
                     names.n == 1 ? "" : "s", text.text, names.n == 1 ? "it" : "them");
    else if (names.n)
        message_warning("no section began: the program names %s, and no code that does ran",
                        text.text);
    free(names.items);
    strbuf_free(&text);
}
