#include <config.h>

#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT   16
#define FIRST_CHUNK ((size_t)4096)
#define LAST_CHUNK  ((size_t)1 << 20)

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    _Alignas(ALIGNMENT) char data[];
};

/* A chunk with room for `size` bytes; chunks double in size so that small profiles stay small. */
static int add_chunk(struct arena *a, size_t size)
{
    size_t room = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
    struct arena_chunk *chunk;

    if (room > LAST_CHUNK)
        room = LAST_CHUNK;
    if (room < size)
        room = size;
    if (room > SIZE_MAX - sizeof *chunk || !(chunk = malloc(sizeof *chunk + room)))
        return -1;
    chunk->older = a->chunks;
    chunk->size = room;
    a->chunks = chunk;
    a->next = chunk->data;
    a->left = room;
    return 0;
}

static void *take(struct arena *a, size_t size)
{
    char *memory;

    if (a->left < size && add_chunk(a, size))
        return NULL;
    memory = a->next;
    a->next += size;
    a->left -= size;
    return memory;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t skip = -(uintptr_t)a->next & (ALIGNMENT - 1);

    if (skip > a->left)
        skip = a->left;
    a->next += skip;
    a->left -= skip;
    return take(a, size);
}

char *arena_text(struct arena *a, const char *text, size_t size)
{
    char *copy;

    if (size == SIZE_MAX || !(copy = take(a, size + 1)))
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

void *arena_copy(struct arena *a, const void *data, size_t count, size_t size)
{
    void *copy;

    if (size && count > SIZE_MAX / size)
        return NULL;
    copy = arena_alloc(a, count * size);
    if (copy && count)
        memcpy(copy, data, count * size);
    return copy;
}

void arena_release(struct arena *a)
{
    while (a->chunks) {
        struct arena_chunk *chunk = a->chunks;
        a->chunks = chunk->older;
        free(chunk);
    }
    memset(a, 0, sizeof *a);
}

/*--- Arrays that grow ---*/

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
