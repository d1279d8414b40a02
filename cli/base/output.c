#include <config.h>

#include "base/output.h"

#include "base/message.h"
#include "base/pager.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The first error of writing; stdio forgets it. */
static int first_error;

void output_flush(void)
{
    if (fflush(stdout) && !first_error)
        first_error = errno;
}

int output_failed(FILE *out)
{
    if (!ferror(out))
        return message_error("cannot write all of the output: %s", strerror(errno));
    if (out == stdout && !first_error)
        first_error = errno;
    return STATUS_OK;
}

int output_refused(const char *path)
{
    int error = errno;
    char target[PATH_MAX];
    ssize_t size = error == ENOENT ? readlink(path, target, sizeof target - 1) : -1;

    if (size > 0) {
        target[size] = '\0';
        return message_error("cannot write '%s': it is a link to '%s', whose folder is not there; "
                             "make that first, or name another file",
                             path, target);
    }
    errno = error;
    return message_error("cannot write '%s': %s; %s", path, strerror(errno), file_advice(errno));
}

static int refuse_dash(void)
{
    return message_usage("'-' is no file to write: leave the option out for standard output, or "
                         "name './-'");
}

static bool is_dash(const char *path)
{
    return !strcmp(path, "-");
}

int output_check(const char *path)
{
    if (is_dash(path))
        return refuse_dash();
    return file_check(path) == 0 ? STATUS_OK : output_refused(path);
}

int output_begin(struct output_file *file, const char *path)
{
    *file = (struct output_file){.stream = stdout};
    if (path && is_dash(path)) {
        file->stream = NULL;
        return refuse_dash();
    }
    if (path && file_begin(file, path) != 0) {
        file->stream = NULL;
        return output_refused(path);
    }
    return STATUS_OK;
}

int output_end(struct output_file *file, const char *path, int status)
{
    if (!path || !file->stream)
        return status;
    if (status != STATUS_OK) {
        file_abort(file);
        return status;
    }
    if (file_is_input(path)) {
        file_abort(file);
        return message_error("'%s' is what was read, and is left as it is; name another file for "
                             "the output",
                             path);
    }
    if (file_commit(file) != 0)
        return message_error("cannot write '%s': %s; nothing was left of it, %s", path,
                             strerror(errno), file_advice(errno));
    return STATUS_OK;
}

int output_close(int status)
{
    int failed;

    output_flush();
    failed = ferror(stdout);
    errno = 0;
    if ((fclose(stdout) || failed) && !first_error)
        first_error = errno ? errno : EIO;
    pager_end();
    if (!first_error || first_error == EPIPE)
        return status;
    message_error("cannot write to standard output: %s; %s", strerror(first_error),
                  file_advice(first_error));
    return status ? status : STATUS_ERROR;
}
