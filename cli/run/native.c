#include <config.h>

#include "run/native.h"

#include "base/memory.h"

struct string_list native_words(const struct program *program, char **arguments)
{
    struct string_list words = STRING_LIST(program->path);

    string_list_append(&words, (const char *const *)arguments);
    if (program->is_bench)
        string_list_add(&words, "--bench");
    return words;
}

void native_surroundings(struct process_spec *spec, const struct program *program,
                         const struct measure *measure, struct string_list *environment)
{
    measure_environment(measure, environment);
    if (program->libraries)
        string_list_add(environment, xstrdup(program->libraries));
    for (size_t i = 0; i < program->environment.n && !measure->deterministic; i++)
        measure_default(environment, program->environment.items[i]);
    spec->environment = environment;
    spec->only_environment = measure->deterministic;
    spec->folder = program->folder;
}
