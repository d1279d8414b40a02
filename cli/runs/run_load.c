#include <config.h>

#include "runs/run_load.h"

#include "base/memory.h"
#include "base/message.h"
#include "cprof_internal.h"
#include "profiles/load.h"
#include "views/show_own.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void run_warn_names(const struct cprof_profile *profile, const enum name_quality *qualities)
{
    if (load_lost_names(profile, qualities))
        message_warning("the profile has no names: '%s' cannot be read any more, or is another one "
                        "since the run",
                        profile->program);
}

struct cprof_profile *run_add_names(struct cprof_profile *raw, const struct show_settings *show,
                                    enum name_quality **qualities)
{
    struct resolve_settings names = show->names;
    struct cprof_error error;
    struct cprof_profile *profile;

    names.inlined_contexts = show_own_is_wanted(show);
    *qualities = xcalloc(raw->n_objects, sizeof **qualities);
    profile = load_resolve(raw, &names, *qualities, &error);
    cprof_free(raw);
    if (!profile)
        message_library_error(&error);
    return profile;
}

struct cprof_profile *run_load_pieces(const struct rawset *set, size_t first, size_t n)
{
    const struct raw_piece *begin = &set->items[first], *last = &set->items[first + n - 1];
    size_t end = last->offset + last->size;
    struct cprof_profile *profile = NULL;
    struct cprof_error error = {.code = CPROF_OK};
    char *bytes = MAP_FAILED;
    int fd = open(set->path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && end)
        bytes = mmap(NULL, end, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        message_error("cannot read '%s': %s", set->path, strerror(errno));
    } else {
        profile = profile_read_blocks(bytes + begin->offset, end - begin->offset,
                                      set->name ? set->name : "this run", 0, &error);
        munmap(bytes, end);
        if (!profile)
            message_library_error(&error);
    }
    if (fd >= 0)
        close(fd);
    return profile;
}

size_t run_count_left(const struct rawset *set)
{
    size_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        size_t last = i;
        struct cprof_profile *p;

        /* The piece of a program's end comes before its parts. */
        while (i + 1 < set->n && set->items[i + 1].pid == set->items[i].pid)
            if (!raw_piece_same_program(&set->items[++i], &set->items[last]))
                last = i;
        p = run_load_pieces(set, last, 1);
        n += p && p->exit == CPROF_EXIT_EXEC;
        cprof_free(p);
    }
    return n;
}

struct cprof_profile *run_load(const struct run_outcome *outcome, const struct show_settings *show,
                               enum name_quality **qualities)
{
    struct cprof_profile *profile = run_load_pieces(&outcome->raw, 0, outcome->raw.n);

    *qualities = NULL;
    return profile ? run_add_names(profile, show, qualities) : NULL;
}
