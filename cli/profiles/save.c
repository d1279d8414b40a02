#include <config.h>

#include "profiles/save.h"

#include "base/file.h"
#include "base/message.h"
#include "run/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int put_bytes(void *to, const void *data, size_t size)
{
    return fwrite(data, 1, size, to) == size ? 0 : -1;
}

int save_profile(const struct cprof_profile *profile, const char *path)
{
    struct output_file file;
    int failed = file_begin(&file, path);

    if (!failed && cprof_write(profile, put_bytes, file.stream, NULL) != 0) {
        file_abort(&file);
        failed = -1;
    } else if (!failed) {
        failed = file_commit(&file);
    }
    return failed ? message_error("cannot write '%s': %s; %s", path, strerror(errno),
                                  file_advice(errno))
                  : 0;
}

/* The noise of an older profile must not stay with a new one, nor its packages. */
static int save_noise(const struct noise *noise, const char *profile)
{
    char *path = baseline_noise_path(profile), why[256] = "";
    int status = 0;

    if (!noise && unlink(path) < 0 && errno != ENOENT)
        status = message_error("cannot remove '%s': %s", path, strerror(errno));
    if (noise && noise_write(noise, path, why, sizeof why) != 0)
        status = message_error("cannot write '%s': %s", path, why);
    free(path);
    return status;
}

static int save_packages(const struct packages *packages, const char *profile)
{
    return packages_keep(packages, profile) == 0
               ? 0
               : message_error("cannot keep the packages of '%s': %s", profile, strerror(errno));
}

int save_baseline(const struct cprof_profile *profile, const struct noise *noise,
                  const struct packages *packages, const char *target, const char *name)
{
    char *path = baseline_path(target, name);
    int status;

    if (!path)
        return message_error("cannot keep the baseline '%s': %s", name, strerror(errno));
    status = save_noise(NULL, path);
    if (!status)
        status = save_packages(NULL, path);
    if (!status)
        status = save_profile(profile, path);
    if (!status && noise)
        status = save_noise(noise, path);
    if (!status)
        status = save_packages(packages, path);
    if (!status)
        message_status("Saved", "baseline '%s' (%s)", name, path);
    free(path);
    return status;
}

int load_noise(struct noise *noise, const char *path, bool *has)
{
    char *file = baseline_noise_path(path), why[256] = "";
    int status = 0;

    *has = false;
    if (file && access(file, F_OK) == 0) {
        *has = noise_read(noise, file, why, sizeof why) == 0;
        if (!*has)
            status = message_error("cannot read '%s': %s; save the baseline anew", file, why);
    }
    free(file);
    return status;
}
