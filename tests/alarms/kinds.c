/* kinds.c - a program in C of one KIND, that counts some millions of instructions and prints what
 * it found. COMMIT is the commit that it was built from, as it prints it when asked. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY, STRINGS, SORT, HASH, FLOATS, ALLOCATE, TREE, ARENAS };
void fail(int code, const char *where); /* cold.c */
void count(void);

static uint32_t state = 1;
static uint32_t next(void)
{
    return state = state * 1664525 + 1013904223;
}

/* Copies, moves and fills of 1 byte to 64 KB. */
static uint64_t memory(void)
{
    char *from = malloc(1 << 17), *to = malloc(1 << 17);
    uint64_t sum = 0;

    memset(from, 3, 1 << 17);
    for (int i = 0; i < 6000; i++) {
        size_t n = next() >> (16 + next() % 16), at = next() % 4096;

        memcpy(to + at, from, n);
        memmove(from + at % 64, from, n);
        memset(to, i, n / 4);
        sum += (uint64_t)(unsigned char)to[n] + (uint64_t)(memcmp(from, to, n) > 0);
    }
    free(from);
    free(to);
    return sum;
}

static uint64_t strings(void)
{
    char text[400], *end = text;
    uint64_t sum = 0;

    for (int i = 0; i < 4000; i++) {
        end = text + snprintf(text, sizeof text, "%d %s %g %08x", i, "some words to look for",
                              i / 3.0, next());
        sum += strlen(text) + (uint64_t)(strchr(text, 'l') - text) +
               (uint64_t)(strstr(text, "look") - text);
        sum += strcspn(text, "xyz") + (uint64_t)(strrchr(text, ' ') - text) +
               strtoul(end - 8, NULL, 16);
        if (!strcmp(text, "never"))
            fail(i, text);
    }
    return sum;
}

static int less(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static uint64_t sort(void)
{
    enum { N = 20000 };
    uint32_t *items = malloc(N * sizeof *items);
    uint64_t sum = 0;

    for (int i = 0; i < N; i++)
        items[i] = next();
    qsort(items, N, sizeof *items, less);
    for (int i = 0; i < N; i += 100)
        sum += items[i];
    free(items);
    return sum;
}

static uint64_t hash(void)
{
    enum { ROOM = 1 << 14 };
    uint32_t *keys = calloc(ROOM, sizeof *keys);
    uint64_t found = 0;

    for (int i = 0; i < 60000; i++) {
        uint32_t key = (next() >> 18) | 1, at = key * 2654435761u >> 18;

        while (keys[at % ROOM] && keys[at % ROOM] != key)
            at++;
        found += keys[at % ROOM] == key;
        keys[at % ROOM] = key;
    }
    free(keys);
    return found;
}

static uint64_t floats(void)
{
    enum { N = 64 };
    static double a[N][N], b[N][N], c[N][N];
    double sum = 0;

    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = sin(i);
        b[i / N][i % N] = exp(-i / 1000.0) + pow(i, 0.3);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < N; i++)
        sum += c[i][i];
    return (uint64_t)fabs(sum);
}

static uint64_t allocate(void)
{
    enum { N = 512 };
    char *blocks[N] = {NULL};
    uint64_t sum = 0;

    for (int i = 0; i < 30000; i++) {
        uint32_t at = next() % N, size = (next() >> 8) % (i % 50 ? 600 : 200000);

        blocks[at] = i % 3 ? realloc(blocks[at], size + 1) : (free(blocks[at]), malloc(size + 1));
        blocks[at][size] = 1;
        sum += size;
    }
    for (int i = 0; i < N; i++)
        free(blocks[i]);
    return sum;
}

struct node {
    struct node *child[2];
    uint32_t key;
};

static uint64_t tree(void)
{
    struct node *root = NULL;
    uint64_t depth = 0;

    for (int i = 0; i < 12000; i++) {
        uint32_t key = next();
        struct node **at = &root;

        for (; *at; depth++)
            at = &(*at)->child[key > (*at)->key];
        *at = calloc(1, sizeof **at);
        (*at)->key = key;
    }
    return depth;
}

static void *thread(void *seed)
{
    char *blocks[64] = {NULL};
    uint32_t x = (uint32_t)(intptr_t)seed;

    for (int i = 0; i < 4000; i++) {
        x = x * 1664525 + 1013904223;
        free(blocks[x >> 26]);
        blocks[x >> 26] = malloc(x >> 8 & 4095);
    }
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    return seed;
}

/* More threads that allocate than small machines have processors. */
static uint64_t arenas(void)
{
    pthread_t threads[12];

    for (intptr_t i = 0; i < 12; i++)
        if (pthread_create(&threads[i], NULL, thread, (void *)(i + 1)))
            fail((int)i, "pthread_create");
    for (int i = 0; i < 12; i++)
        pthread_join(threads[i], NULL);
    return 12;
}

int main(int argc, char **argv)
{
    static uint64_t (*const kinds[])(void) = {memory, strings,  sort, hash,
                                              floats, allocate, tree, arenas};

    if (argc > 1)
        return printf("%s: commit %s\n", argv[0], COMMIT) < 0;
    count();
    printf("%llu\n", (unsigned long long)kinds[KIND]());
    return 0;
}
