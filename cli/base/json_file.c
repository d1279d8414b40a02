#include <config.h>

#include "base/json_file.h"

#include "base/file.h"

int json_file_write(const json_t *document, const char *path)
{
    struct output_file file;

    if (file_begin(&file, path))
        return -1;
    if (json_dumpf(document, file.stream, JSON_INDENT(1)) == 0)
        return file_commit(&file);
    file_abort(&file);
    return -1;
}
