#include <config.h>

#include "vector.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_ROOM 16

int vector_grow(struct vector *v, size_t n, size_t size)
{
    size_t room = v->room ? v->room * 2 : FIRST_ROOM;
    void *data;

    if (room < v->count + n)
        room = v->count + n;
    data = room <= SIZE_MAX / 2 / size ? realloc(v->data, room * size) : NULL;
    if (!data)
        return -1;
    v->data = data;
    v->room = room;
    return 0;
}
