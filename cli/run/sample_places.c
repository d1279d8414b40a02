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
    struct code_place found = {.build_id = NULL};
    uint64_t offset = frame->is_relative ? code_places_offset(places, frame->object, frame->address)
                                         : frame->address;

    if (frame->object[0] == '/' &&
        code_places_find(places, frame->object, offset, frame->is_caller, &found)) {
        place->build_id = found.build_id;
        place->address = found.address;
        place->function = found.function;
        return;
    }
    /* A file that is gone is known by its path; perf's own maps are of generated code. */
    if (frame->object[0] == '/' && strncmp(frame->object, "/tmp/perf-", 10) != 0 &&
        strncmp(frame->object, "//", 2) != 0) {
        place->build_id = found.build_id;
        place->address = frame->address;
        return;
    }
    place->object = unnamed_object(frame->object);
    place->is_named = 1;
    place->function = frame->symbol_size ? frame->address - frame->offset : 0;
    place->address = place->function ? place->function : frame->address;
}

/* Functions that programs, threads and fibres begin with, or that the unwinder goes no further than
 * by frame pointers. */
static bool is_beginning(const char *name, size_t size)
{
    static const char *const names[] = {"_start",
                                        "_start_c",
                                        "_dl_start",
                                        "_dl_start_user",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "__libc_start_call_main",
                                        "generic_start_main",
                                        "libc_start_main_stage2",
                                        "main",
                                        "clone",
                                        "__clone",
                                        "clone3",
                                        "__clone3",
                                        "__clone_internal",
                                        "start_thread",
                                        "__start_context",
                                        "runtime.goexit",
                                        "runtime.goexit.abi0",
                                        "runtime.mstart",
                                        "runtime.mstart.abi0",
                                        "runtime.rt0_go",
                                        "runtime.rt0_go.abi0"};
    const char *version = memchr(name, '@', size); /* "clone@@GLIBC_2.2.5" */

    if (version && version > name)
        size = (size_t)(version - name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == size && !memcmp(names[i], name, size))
            return true;
    return false;
}

int sample_places_begin(void *places, const struct samples_frame *frame)
{
    return is_beginning(frame->symbol, frame->symbol_size) ||
           (frame->object[0] == '/' &&
            code_places_begin(places, frame->object, frame->address, frame->is_caller));
}

int sample_places_put(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size ? 0 : -1;
}
