/* Fuzz target for the conditions of --fail-if: any text is read, or refused with a place in it. */
#include <config.h>

#include "diff/gate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gates gates = {0};
    struct gate_error error = {0};
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (gate_parse(&gates, text, &error) != 0 && (error.at > strlen(text) || !*error.text))
        abort();
    gates_free(&gates);
    free(text);
    return 0;
}
