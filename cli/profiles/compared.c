#include <config.h>

#include "profiles/compared.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "profiles/load.h"
#include "render/text/text.h"
#include "run/saved_profile.h"
#include "table/share.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/*--- Keeping ---*/

static int put_bytes(void *to, const void *data, size_t size)
{
    return fwrite(data, 1, size, to) == size ? 0 : -1;
}

static int write_plain(const struct cprof_profile *profile, FILE *out)
{
    return cprof_write(profile, put_bytes, out, NULL);
}

static int put_packed(void *to, const void *data, size_t size)
{
    return gzfwrite(data, 1, size, to) == size ? 0 : -1;
}

static int write_packed(const struct cprof_profile *profile, FILE *out)
{
    int fd = dup(fileno(out)), failed;
    gzFile packed = fd < 0 ? NULL : gzdopen(fd, "wb");

    if (!packed) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    failed = cprof_write(profile, put_packed, packed, NULL) != 0;
    return gzclose(packed) != Z_OK || failed ? -1 : 0;
}

static int save_by(int (*write)(const struct cprof_profile *, FILE *),
                   const struct cprof_profile *profile, const char *path)
{
    struct output_file file;
    int failed = file_begin(&file, path);

    if (!failed)
        failed = file_end(&file, write(profile, file.stream) != 0);
    return failed ? message_error("cannot write '%s': %s; %s", path, strerror(errno),
                                  file_advice(errno))
                  : 0;
}

int save_profile(const struct cprof_profile *profile, const char *path)
{
    return save_by(write_plain, profile, path);
}

int save_noise(const struct noise *noise, const char *profile)
{
    char *path = baseline_noise_path(profile), why[256] = "";
    int status = 0;

    if (!noise && unlink(path) < 0 && errno != ENOENT)
        status = message_error("cannot remove '%s': %s; remove it by hand", path, strerror(errno));
    if (noise && noise_write(noise, path, why, sizeof why) != 0)
        status = message_error("cannot write '%s': %s; save the baseline again", path, why);
    free(path);
    return status;
}

static int save_packages(const struct packages *packages, const char *profile)
{
    return packages_keep(packages, profile) == 0
               ? 0
               : message_error("cannot keep the packages of '%s': %s; %s", profile, strerror(errno),
                               file_advice(errno));
}

int save_packed(const struct cprof_profile *profile, const struct packages *packages,
                const char *path)
{
    int status = save_by(write_packed, profile, path);

    return status ? status : save_packages(packages, path);
}

/* The program of an older profile must not stay with a new one. */
static int drop_program(const char *profile)
{
    return baseline_keep_program(NULL, profile) == 0
               ? 0
               : message_error("cannot remove the program of '%s': %s; remove it by hand", profile,
                               strerror(errno));
}

/* A baseline is good for all else without it. */
static void save_program(const struct program *program, const char *profile, const char *name)
{
    if (baseline_keep_program(program->path, profile) < 0)
        message_note("the baseline '%s' has no copy of its program, which 'time' of --fail-if "
                     "needs: %s",
                     name, strerror(errno));
}

int save_baseline(const struct cprof_profile *profile, const struct noise *noise,
                  const struct program *program, const char *name)
{
    char *path = baseline_path(program->target, name);
    int status;

    if (!path)
        return message_error("cannot keep the baseline '%s': %s; %s", name, strerror(errno),
                             file_advice(errno));
    status = save_noise(NULL, path);
    if (!status)
        status = save_packages(NULL, path);
    if (!status)
        status = drop_program(path);
    if (!status)
        status = save_profile(profile, path);
    if (!status && noise)
        status = save_noise(noise, path);
    if (!status)
        status = save_packages(&program->packages, path);
    if (!status)
        save_program(program, path, name);
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
            status = message_error("cannot read '%s': %s; save the baseline again", file, why);
    }
    free(file);
    return status;
}

/*--- Loading ---*/

int diff_input_load(struct diff_input *input, const char *name,
                    const struct resolve_settings *names)
{
    enum name_quality *qualities;
    char *path = saved_profile_find(name);

    if (!path)
        return load_unknown(name);
    input->profile = load_named_profile(path, names, &qualities);
    packages_find(&input->packages, path);
    free(path);
    if (input->profile && input->profile->n_events) {
        if (!input->told)
            (void)profile_warnings_again(input->profile, false);
        load_warn_names(input->profile, qualities);
        load_note_end(input->profile);
    }
    free(qualities);
    if (!input->profile)
        return STATUS_ERROR;
    if (input->profile->n_events == 0)
        return message_error("no events in '%s', so there is nothing to show; name another profile",
                             input->profile->source);
    if (load_check_whole(input->profile))
        return STATUS_ERROR;
    return load_noise(&input->noise, input->profile->source, &input->has_noise);
}

const struct noise *diff_input_noise(const struct diff_input *input)
{
    return input->has_noise ? &input->noise : NULL;
}

void diff_input_free(struct diff_input *input)
{
    if (input->has_noise)
        noise_free(&input->noise);
    packages_free(&input->packages);
    cprof_free(input->profile);
    *input = (struct diff_input){.profile = NULL};
}

/*--- Spread ---*/

enum { WIDEST = 20 }; /* per cent of the largest total */

/* How far numbers of samples differ by chance alone: five times the deviation of one. */
static double chance(const struct cprof_profile *p, double most)
{
    return share_is_sampled(p) && p->totals[0] > 0 ? 5 * most / sqrt((double)p->totals[0]) : 0;
}

static bool is_too_wide(const struct noise *noise, size_t event, const struct cprof_profile *p)
{
    double most = (double)noise->total.most[event];
    double spread = (double)noise_spread(&noise->total, event);

    return spread > most * WIDEST / 100 && spread > chance(p, most);
}

char *spread_problem(const struct noise *noise, const struct cprof_profile *p,
                     const struct gate *gate)
{
    size_t event = noise && gate ? noise_event(noise, gate->column) : SIZE_MAX;
    char percent[TEXT_NUMBER];

    if (!noise || !noise->n_events || noise->orders)
        return NULL;
    if (is_too_wide(noise, 0, p))
        event = 0;
    if (event == SIZE_MAX || !is_too_wide(noise, event, p))
        return NULL;
    text_percent(percent, noise_spread(&noise->total, event), noise->total.most[event], 2);
    return xasprintf("total %s of %u runs varied by %s %%, and over %d %% is no noise",
                     noise->events[event], noise->runs, percent, WIDEST);
}

char *orders_problem(unsigned old_orders, unsigned new_orders)
{
    if (!old_orders || !new_orders || old_orders == new_orders)
        return NULL;
    if (old_orders == 1)
        return xasprintf("the old counts are of one order of threads, the new ones of %u; keep the "
                         "baseline anew, or take --orders 1",
                         new_orders);
    if (new_orders == 1)
        return xasprintf("the old counts are of %u orders of threads, the new ones of one; run "
                         "without --schedule free, --repeat and --orders, as for the baseline",
                         old_orders);
    return xasprintf("the old counts are of %u orders of threads, the new ones of %u; take "
                     "--orders %u for both",
                     old_orders, new_orders, old_orders);
}
