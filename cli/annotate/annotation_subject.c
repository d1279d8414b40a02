#include <config.h>

#include "annotate/annotation_subject.h"

#include "base/memory.h"
#include "names/location.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

bool *annotation_functions(const struct cprof_profile *p, const struct row *row)
{
    const struct cprof_function *of = &p->functions[row->function];
    bool *functions = xcalloc(p->n_functions, sizeof *functions);

    functions[row->function] = true;
    for (uint32_t i = 0; p->format == CPROF_FORMAT_CACHEGRIND && i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        functions[i] |= f->object == of->object && same_text(f->name, of->name) &&
                        same_text(f->mangled, of->mangled);
    }
    return functions;
}

/* Returns true where `path` ends with whole segments that are `text`. */
static bool ends_with(const char *path, const char *text)
{
    size_t size = strlen(path), end = strlen(text);

    return end && size >= end && !strcmp(path + size - end, text) &&
           (size == end || path[size - end - 1] == '/' || *text == '/');
}

enum how { BY_PATH, BY_END, BY_SHORT, N_HOWS };

/* Returns true where `text` means a file of this path, which is shown as `shown`. */
static bool fits(const char *path, const char *shown, const char *text, const char *root,
                 enum how how)
{
    char *brief;
    bool does;

    if (how == BY_PATH)
        return !strcmp(path, text) || !strcmp(shown, text);
    if (how == BY_END)
        return ends_with(path, text) || ends_with(shown, text);
    brief = location_short(path, root);
    does = ends_with(brief, text);
    free(brief);
    return does;
}

size_t annotation_files(const struct cprof_profile *p, const char *text, const char *root,
                        bool **files)
{
    char **shown = xcalloc(p->n_files, sizeof *shown);
    size_t n = 0;

    *files = xcalloc(p->n_files, sizeof **files);
    for (uint32_t i = 0; i < p->n_files; i++)
        shown[i] = location_path(p->files[i], root);
    while (!strncmp(text, "./", 2))
        text += 2;
    for (enum how how = 0; how < N_HOWS && n == 0 && *text; how++)
        for (uint32_t i = 0; i < p->n_files; i++) {
            bool known = false;

            if (!fits(p->files[i], shown[i], text, root, how))
                continue;
            (*files)[i] = true;
            for (uint32_t j = 0; j < i && !known; j++)
                known = (*files)[j] && !strcmp(shown[j], shown[i]);
            n += !known;
        }
    for (uint32_t i = 0; i < p->n_files; i++)
        free(shown[i]);
    free(shown);
    return n;
}
