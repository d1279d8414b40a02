#include <config.h>

#include "cmd/load.h"

#include "base/memory.h"
#include "base/message.h"

struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *read = cprof_load(path, 0, &error), *named = NULL;

    *qualities = NULL;
    if (read && read->format != CPROF_FORMAT_RAW) {
        named = resolve_names(read, settings, &error);
        read = NULL;
    }
    if (read) {
        *qualities = xcalloc(read->n_objects, sizeof **qualities);
        named = resolve_profile(read, settings, *qualities, &error);
        cprof_free(read);
    }
    if (!named)
        message_library_error(&error);
    return named;
}
