#include <config.h>

/*
 * Files of DHAT, version 2, as Valgrind and the crate dhat write them: program points with counts,
 * and their frames, the innermost first, as texts: "0x10F2: name (file.c:12)".
 */
#include "error.h"
#include "json_file.h"
#include "sampled.h"

#include <stdlib.h>

/* Counts of the heap are called as in other profiles of the heap; `unit`: of what is no heap. */
static const struct count {
    const char *key, *name, *meaning;
    int blocks; /* only where lifetimes are known */
} counts[] = {{"tbk", "Allocs", "blocks allocated", 0},
              {"tb", "Bytes", "bytes allocated", 0},
              {"tl", "Life", "instructions that blocks lived for", 1},
              {"gb", "PeakBytes", "bytes that lived when most bytes did", 1},
              {"gbk", "PeakBlocks", "blocks that lived when most bytes did", 1},
              {"eb", "EndBytes", "bytes that lived at the end", 1},
              {"ebk", "EndBlocks", "blocks that lived at the end", 1}};
enum { N_COUNTS = sizeof counts / sizeof *counts };

struct dhat {
    struct json_file *j;
    int has_life;
    struct valgrind_frame *frames; /* of ftbl; their function is CPROF_NONE until they are read */
    size_t n;
};

static int read_frame(struct dhat *d, size_t i)
{
    const json_t *value = json_array_get(json_object_get(d->j->root, "ftbl"), i);
    const char *text = json_string_value(value);

    return text ? valgrind_frame_read(&d->j->s, text, text + strlen(text), &d->frames[i])
                : json_file_fail(d->j, "ftbl[%zu] is no text", i);
}

static int find_frames(struct dhat *d)
{
    const json_t *table = json_object_get(d->j->root, "ftbl");

    if (!json_is_array(table))
        return json_file_fail(d->j, "ftbl is missing");
    d->n = json_array_size(table);
    d->frames = calloc(d->n + 1, sizeof *d->frames);
    if (!d->frames)
        return error_memory(d->j->s.r.error);
    for (size_t i = 0; i < d->n; i++)
        d->frames[i].frame.function = CPROF_NONE;
    return 0;
}

/* The stack of a point. */
static uint32_t push_stack(struct dhat *d, const json_t *fs, size_t number)
{
    size_t n = json_array_size(fs), frame, outer = d->n;
    uint32_t node = CPROF_NONE;

    if (n > SAMPLED_MAX_FRAMES) {
        json_file_fail(d->j, "pps[%zu].fs is too deep", number);
        return CPROF_NONE;
    }
    for (size_t i = n; i-- > 0;) {
        struct stack_frame top;

        if (json_file_index(json_array_get(fs, i), d->n, &frame)) {
            json_file_fail(d->j, "pps[%zu].fs[%zu] is a frame that is not in the file", number, i);
            return CPROF_NONE;
        }
        if (d->frames[frame].frame.function == CPROF_NONE && read_frame(d, frame))
            return CPROF_NONE;
        top = d->frames[frame].frame;
        top.inlined =
            outer < d->n && valgrind_frame_is_inlined(&d->frames[frame], &d->frames[outer]);
        node = sampled_push(&d->j->s, node, &top);
        if (node == CPROF_NONE)
            return node;
        outer = frame;
    }
    return n ? node : sampled_push_none(&d->j->s, CPROF_NONE);
}

static int read_point(struct dhat *d, const json_t *point, size_t number)
{
    uint32_t node = push_stack(d, json_object_get(point, "fs"), number);

    if (node == CPROF_NONE)
        return -1;
    for (uint32_t i = 0, column = 0; i < N_COUNTS; i++) {
        const json_t *value = json_object_get(point, counts[i].key);

        if (counts[i].blocks && !d->has_life)
            continue;
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return json_file_fail(d->j, "pps[%zu].%s is no number from 0 to 2^63-1", number,
                                  counts[i].key);
        if (sampled_add(&d->j->s, node, column++, (uint64_t)json_integer_value(value), 1))
            return -1;
    }
    return 0;
}

/* Columns by the mode: blocks of the heap, or units of whatever the program counts. */
static int add_columns(struct dhat *d)
{
    const char *mode = json_string_value(json_object_get(d->j->root, "mode"));
    const char *unit = json_string_value(json_object_get(d->j->root, "tu"));
    int heap = mode && (!strcmp(mode, "heap") || !strcmp(mode, "rust-heap"));
    int ad_hoc = mode && (!strcmp(mode, "ad-hoc") || !strcmp(mode, "rust-ad-hoc"));

    d->has_life = json_is_true(json_object_get(d->j->root, "bklt"));
    for (size_t i = 0; i < N_COUNTS; i++) {
        const char *name = counts[i].name, *meaning = counts[i].meaning;

        if (counts[i].blocks && !d->has_life)
            continue;
        if (!heap && i == 0)
            name = ad_hoc ? "Events" : "Blocks", meaning = NULL;
        if (ad_hoc && i == 1)
            name = "Units", meaning = NULL;
        if (!strcmp(counts[i].key, "tl") && (!unit || strcmp(unit, "instrs") != 0)) {
            name = "Lifetime"; /* Life is in instructions */
            meaning = unit;
        }
        if (sampled_column(&d->j->s, name, "", meaning) == CPROF_NONE)
            return -1;
    }
    if (heap && d->has_life)
        builder_header(d->j->s.r.builder)->subject = CPROF_SUBJECT_HEAP;
    return 0;
}

static int read_header(struct dhat *d)
{
    struct cprof_profile *header = builder_header(d->j->s.r.builder);
    json_int_t version = json_integer_value(json_object_get(d->j->root, "dhatFileVersion"));
    const json_t *command = json_object_get(d->j->root, "cmd");
    const json_t *pid = json_object_get(d->j->root, "pid");

    if (version != 2)
        return error_set(d->j->s.r.error, CPROF_ERROR_VERSION,
                         "version %lld of DHAT's files is not supported, only 2",
                         (long long)version);
    if (json_is_string(command) && !(header->command = json_file_text(d->j, command, "")))
        return -1;
    if (json_is_integer(pid) && json_integer_value(pid) >= 0)
        header->pid = (long)json_integer_value(pid);
    return 0;
}

static int read_points(struct dhat *d)
{
    const json_t *points = json_object_get(d->j->root, "pps");

    if (read_header(d) || add_columns(d) || find_frames(d))
        return -1;
    if (!json_is_array(points))
        return json_file_fail(d->j, "pps is missing");
    for (size_t i = 0; i < json_array_size(points); i++)
        if (read_point(d, json_array_get(points, i), i))
            return -1;
    return sampled_finish(&d->j->s, 1);
}

int json_read_dhat(struct json_file *j)
{
    struct dhat d = {.j = j};
    int result = read_points(&d);

    free(d.frames);
    return result;
}
