/*
 * heap STEPS - allocates and frees: blocks of many sizes that live for short and for long, strings
 * that grow, and lists. For make bench.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096 };

struct item {
    struct item *next;
    int key;
};

static unsigned state = 1;

static unsigned draw(unsigned below)
{
    state = state * 1103515245 + 12345;
    return (state >> 8) % below;
}

/* Most blocks are small, and one in 64 is large. */
static size_t draw_size(void)
{
    unsigned kind = draw(64);
    if (kind == 0)
        return 1024 + draw(16000);
    return 8 + draw(kind < 40 ? 56 : 500);
}

static void *allocate(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

/* A slot's block goes, and another one comes. */
static void replace(char **slot)
{
    size_t size = draw_size();
    free(*slot);
    *slot = allocate(size);
    (*slot)[0] = (char)size;
    (*slot)[size - 1] = (char)(size >> 8);
}

/* A string that grows by pieces. */
static unsigned grow(void)
{
    char *text = NULL;
    unsigned length = 0, sum = 0;
    for (unsigned pieces = draw(12) + 1; pieces; pieces--) {
        unsigned piece = draw(24) + 1;
        text = realloc(text, length + piece);
        if (!text)
            abort();
        memset(text + length, (int)('a' + piece), piece);
        length += piece;
    }
    sum = (unsigned)text[length / 2] + length;
    free(text);
    return sum;
}

/* A list that is made, turned around and freed. */
static unsigned list(void)
{
    struct item *first = NULL, *turned = NULL, *next;
    unsigned sum = 0;
    for (unsigned i = draw(20); i; i--) {
        struct item *item = allocate(sizeof *item);
        *item = (struct item){first, (int)draw(100)};
        first = item;
    }
    for (struct item *item = first; item; item = next) {
        next = item->next;
        item->next = turned;
        turned = item;
    }
    for (; turned; turned = next) {
        next = turned->next;
        sum = sum * 3 + (unsigned)turned->key;
        free(turned);
    }
    return sum;
}

int main(int argc, char **argv)
{
    static char *slots[SLOTS];
    unsigned sum = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < steps; i++) {
        replace(&slots[draw(SLOTS)]);
        replace(&slots[draw(64)]);
        sum += i % 4 ? list() : grow();
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    printf("%u\n", sum);
    return 0;
}
