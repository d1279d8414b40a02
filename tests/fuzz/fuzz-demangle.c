/* Fuzz target for demangling: any name has a readable form of bounded size, or none, in bounded
 * time. */
#include <config.h>

#include "names/demangle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = malloc(size + 1), *readable;

    if (!name)
        return 0;
    memcpy(name, data, size);
    name[size] = '\0';
    readable = demangle(name);
    if (readable && strlen(readable) > DEMANGLE_MAX)
        abort();
    free(readable);
    free(name);
    return 0;
}
