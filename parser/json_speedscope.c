#include <config.h>

/*
 * Files of speedscope: frames, and profiles that are samples with weights, or events that open and
 * close frames. What cargo-cprof exports has a profile for each event; others have one for each
 * thread.
 */
#include "error.h"
#include "json_file.h"

#include <stdlib.h>

struct speedscope {
    struct json_file *j;
    int own; /* written by cargo-cprof */
    const json_t *frame_values;
    struct stack_frame *frames; /* of these */
    size_t n_frames;
    /* The profile at hand: */
    size_t number;
    struct vector stack; /* struct open */
    struct sampled_unit unit;
    uint32_t column;
    struct json_sum sum;
};

/* A frame that is open, and the stack up to it. */
struct open {
    size_t frame;
    uint32_t node;
};

/* Takes " (inlined)" off a name of our own. */
static const char *own_name(struct speedscope *p, const char *name, struct stack_frame *frame)
{
    static const char inlined[] = " (inlined)";
    size_t size = strlen(name), end = sizeof inlined - 1;

    frame->inlined = p->own && size > end && !strcmp(name + size - end, inlined);
    return frame->inlined ? builder_text(p->j->s.r.builder, name, size - end) : name;
}

static int read_frame(struct speedscope *p, size_t i)
{
    const json_t *value = json_array_get(p->frame_values, i);
    const char *name, *file = json_string_value(json_object_get(value, "file"));
    uint32_t line = json_file_line(json_object_get(value, "line"));
    struct stack_frame *new = &p->frames[i];

    *new = (struct stack_frame){.function = CPROF_NONE, .file = CPROF_NONE};
    if (!json_is_object(value))
        return json_file_fail(p->j, "shared.frames[%zu] is no frame", i);
    if (!(name = json_file_text(p->j, json_object_get(value, "name"), "???")) ||
        !(name = own_name(p, name, new)))
        return -1;
    file = file && *file ? file : NULL;
    /* Others give the line that ran, we the one where the function begins. */
    new->function = json_file_function(p->j, name, file, p->own ? line : 0, NULL);
    if (!p->own && file) {
        new->file = json_file_source(p->j, file);
        new->line = line;
    }
    return new->function == CPROF_NONE ? -1 : 0;
}

static int find_frames(struct speedscope *p)
{
    p->frame_values = json_object_get(json_object_get(p->j->root, "shared"), "frames");
    if (!json_is_array(p->frame_values))
        return json_file_fail(p->j, "shared.frames is missing");
    p->n_frames = json_array_size(p->frame_values);
    p->frames = json_file_frames(p->j, p->n_frames);
    return p->frames ? 0 : -1;
}

/* The stack with the frame of this number on top. */
static uint32_t push(struct speedscope *p, uint32_t node, const json_t *number, size_t *frame)
{
    if (json_file_index(number, p->n_frames, frame)) {
        json_file_fail(p->j, "profiles[%zu] has a frame that is not in the file", p->number);
        return CPROF_NONE;
    }
    if (p->frames[*frame].function == CPROF_NONE && read_frame(p, *frame))
        return CPROF_NONE;
    return sampled_push(&p->j->s, node, &p->frames[*frame]);
}

static int fail_weight(struct speedscope *p, size_t i)
{
    return json_file_fail(p->j, "profiles[%zu].weights[%zu] is no number from 0 to 2^63-1",
                          p->number, i);
}

static int read_samples(struct speedscope *p, const json_t *profile, uint32_t root)
{
    const json_t *samples = json_object_get(profile, "samples");
    const json_t *weights = json_object_get(profile, "weights");
    struct fraction weight;

    if (!json_is_array(samples) || !json_is_array(weights) ||
        json_array_size(samples) != json_array_size(weights))
        return json_file_fail(p->j, "profiles[%zu] has not one weight for each sample", p->number);
    for (size_t i = 0; i < json_array_size(samples); i++) {
        const json_t *stack = json_array_get(samples, i);
        size_t n = json_array_size(stack), frame;
        uint32_t node = root;

        if (n > SAMPLED_MAX_FRAMES)
            return json_file_fail(p->j, "profiles[%zu].samples[%zu] is too deep", p->number, i);
        if (json_file_add(p->j, &p->sum, json_array_get(weights, i), &p->unit, &weight))
            return fail_weight(p, i);
        for (size_t k = 0; k < n; k++)
            if ((node = push(p, node, json_array_get(stack, k), &frame)) == CPROF_NONE)
                return -1;
        if (!n && (node = sampled_push_none(&p->j->s, root)) == CPROF_NONE)
            return -1;
        if (sampled_add_fraction(&p->j->s, node, p->column, &weight))
            return -1;
    }
    return 0;
}

static struct open *top_of(struct speedscope *p)
{
    return p->stack.count ? (struct open *)p->stack.data + p->stack.count - 1 : NULL;
}

static int open_frame(struct speedscope *p, const json_t *number, uint32_t root)
{
    const struct open *top = top_of(p);
    struct open next;

    if (p->stack.count >= SAMPLED_MAX_FRAMES)
        return json_file_fail(p->j, "profiles[%zu] has too many frames open", p->number);
    next.node = push(p, top ? top->node : root, number, &next.frame);
    if (next.node == CPROF_NONE)
        return -1;
    return vector_add(&p->stack, &next, sizeof next) ? error_memory(p->j->s.r.error) : 0;
}

/* Opens or closes a frame. */
static int take_event(struct speedscope *p, const json_t *event, size_t i, uint32_t root)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    const json_t *number = json_object_get(event, "frame");
    const struct open *top = top_of(p);
    size_t frame;

    if (type && !strcmp(type, "O"))
        return open_frame(p, number, root);
    if (!type || strcmp(type, "C") != 0)
        return json_file_fail(p->j, "profiles[%zu].events[%zu] neither opens nor closes a frame",
                              p->number, i);
    if (!top || json_file_index(number, p->n_frames, &frame) || frame != top->frame)
        return json_file_fail(p->j, "profiles[%zu].events[%zu] closes a frame that is not on top",
                              p->number, i);
    p->stack.count--;
    return 0;
}

/* Puts the time from `*last` to `at` to the stack that is open, if one is. */
static int pass_time(struct speedscope *p, double *last, double at)
{
    const struct open *top = top_of(p);
    struct fraction passed = {0};

    if (p->unit.is_time ? json_file_add_time(p->j, &p->sum, (at - *last) * (double)p->unit.factor,
                                             &passed.digits)
                        : fraction_of_number(at - *last, &passed))
        return -1;
    *last = at;
    return top ? sampled_add_fraction(&p->j->s, top->node, p->column, &passed) : 0;
}

static int read_events(struct speedscope *p, const json_t *profile, uint32_t root)
{
    const json_t *events = json_object_get(profile, "events");
    const json_t *end = json_object_get(profile, "endValue");
    double last = json_number_value(json_object_get(profile, "startValue"));

    if (!json_is_array(events))
        return json_file_fail(p->j, "profiles[%zu].events is missing", p->number);
    p->stack.count = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i), *at = json_object_get(event, "at");

        if (!i && json_is_number(at))
            last = json_number_value(at);
        if (!json_is_number(at) || pass_time(p, &last, json_number_value(at)))
            return json_file_fail(p->j, "profiles[%zu].events[%zu] is not in the order of time",
                                  p->number, i);
        if (take_event(p, event, i, root))
            return -1;
    }
    if (!p->stack.count)
        return 0;
    if (json_is_number(end) && json_number_value(end) > last &&
        pass_time(p, &last, json_number_value(end)))
        return json_file_fail(p->j, "profiles[%zu].endValue is out of range", p->number);
    return reader_warn(&p->j->s.r, "frames are still open at the end of a profile");
}

/* Finds the column that the profile's counts belong to; made if new. */
static int find_column(struct speedscope *p, const json_t *profile, const char *name)
{
    const char *unit = json_string_value(json_object_get(profile, "unit"));
    const struct sampled_column *columns = p->j->s.columns.data;

    unit = unit ? unit : "none";
    p->unit = sampled_unit(unit);
    if (!p->own)
        name = p->unit.is_time ? "time" : p->unit.meaning ? "bytes" : "Samples";
    for (p->column = 0; p->column < p->j->s.columns.count; p->column++)
        if (!p->own && !strcmp(columns[p->column].name, name))
            return 0;
    p->column = sampled_column(&p->j->s, name, unit, p->unit.meaning);
    return p->column == CPROF_NONE ? -1 : 0;
}

static int read_profile(struct speedscope *p, const json_t *profile, int several)
{
    const char *type = json_string_value(json_object_get(profile, "type"));
    const char *name = json_file_text(p->j, json_object_get(profile, "name"), "???");
    uint32_t root = CPROF_NONE;

    p->sum = (struct json_sum){0};
    if (!name || find_column(p, profile, name))
        return -1;
    if (several && !p->own && (root = sampled_thread(&p->j->s, name)) == CPROF_NONE)
        return -1;
    if (type && !strcmp(type, "sampled"))
        return read_samples(p, profile, root);
    if (type && !strcmp(type, "evented"))
        return read_events(p, profile, root);
    return json_file_fail(p->j, "profiles[%zu] is neither 'sampled' nor 'evented'", p->number);
}

static int read_profiles(struct speedscope *p)
{
    const json_t *profiles = json_object_get(p->j->root, "profiles");
    const char *exporter = json_string_value(json_object_get(p->j->root, "exporter"));
    size_t n = json_array_size(profiles), first = 0;

    p->own = exporter && LEX_STARTS(exporter, exporter + strlen(exporter), "cargo-cprof@");
    if (!n)
        return json_file_fail(p->j, "there are no profiles in the file");
    if (find_frames(p))
        return -1;
    for (p->number = 0; p->number < n; p->number++)
        if (read_profile(p, json_array_get(profiles, p->number), n > 1))
            return -1;
    if (!p->own || json_file_index(json_object_get(p->j->root, "activeProfileIndex"), n, &first))
        first = 0;
    return sampled_finish(&p->j->s, (uint32_t)first);
}

int json_read_speedscope(struct json_file *j)
{
    struct speedscope p = {.j = j};
    int result = read_profiles(&p);

    free(p.frames);
    free(p.stack.data);
    return result;
}
