#include <config.h>

#include "run/sample_places.h"

#include <stdio.h>
#include <string.h>

/* Code that is in no file: generated, on a stack. */
static const char *unnamed_object(const char *object)
{
    return object[0] == '[' && strncmp(object, "[anon", 5) != 0 && strcmp(object, "[heap]") != 0 &&
                   strcmp(object, "[stack]") != 0 && strcmp(object, "[unknown]") != 0
               ? object
               : "[anonymous]";
}

void sample_places_find(void *places, const struct samples_frame *frame,
                        struct samples_place *place)
{
    struct code_place found;

    if (frame->object[0] == '/' &&
        code_places_find(places, frame->object, frame->address, frame->is_caller, &found)) {
        place->build_id = found.build_id;
        place->address = found.address;
        place->function = found.function;
        return;
    }
    /* A file that is gone is known by its path; perf's own maps are of generated code. */
    if (frame->object[0] == '/' && strncmp(frame->object, "/tmp/perf-", 10) != 0 &&
        strncmp(frame->object, "//", 2) != 0) {
        place->address = frame->address;
        return;
    }
    place->object = unnamed_object(frame->object);
    place->is_named = 1;
    place->function = frame->symbol_size ? frame->address - frame->offset : 0;
    place->address = place->function ? place->function : frame->address;
}

int sample_places_put(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size ? 0 : -1;
}
