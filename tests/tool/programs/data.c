/*
 * data.c - data whose misses are known, in caches of lines of 64 bytes: D1 of 32 KiB, 8 ways, LL of
 * 1 MiB, 16 ways. Each part is a function that fetches its data anew. Arguments name parts.
 */
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define N     4096
#define APART __attribute__((noinline, noclone))

typedef struct {
    double x, y, z, vx, vy, vz, mass;
    int id, flag;
} Particle; /* 64 bytes */

static volatile long sink;

/* Each line is one particle's: N misses at x, which bring the rest. */
APART static Particle *make_particles(void)
{
    return aligned_alloc(64, N * sizeof(Particle));
}

APART static void set_x(volatile Particle *p)
{
    for (int i = 0; i < N; i++)
        p[i].x = i;
}

/* A quarter of the particles, too many for D1: 1024 misses at id. */
APART static void read_id(volatile Particle *p)
{
    for (int i = 0; i < N; i += 4)
        sink += p[i].id;
}

static void particles(void)
{
    Particle *p = make_particles();

    set_x(p);
    read_id(p);
    free(p);
}

/* Nodes of a line each, in an order that goes everywhere. */
typedef struct Node {
    struct Node *next;
    long value;
    char rest[48];
} Node;

APART static Node *make_list(void)
{
    Node *all = aligned_alloc(64, N * sizeof(Node));

    for (long i = 0; i < N; i++) {
        all[i].next = i + 1 < N ? &all[(i + 1) * 1021 % N] : NULL;
        all[i].value = 1;
    }
    return &all[0];
}

/* Each node lies where no other one of the last N - 1 did. */
APART static void walk(const volatile Node *l)
{
    for (; l; l = l->next)
        sink += l->value;
}

static void list(void)
{
    Node *all[N];
    Node *head = NULL;

    for (int i = 0; i < N; i++)
        all[i] = aligned_alloc(64, sizeof(Node));
    for (long i = 0; i < N; i++) {
        Node *n = all[i * 1021 % N];
        n->value = 1;
        n->next = head;
        head = n;
    }
    walk(head);
    free(make_list());
}

/* A variable: each row is 64 lines, and each step down a column is a miss. */
double matrix[512][512] __attribute__((aligned(64)));
extern double matrix[512][512];

APART static void transposed(void)
{
    double sum = 0;

    for (int j = 0; j < 512; j++)
        for (int i = 0; i < 512; i++)
            sum += ((volatile double(*)[512])matrix)[i][j];
    sink = (long)sum;
}

/* A table of 16-byte entries, of which each 64th is read. */
typedef struct {
    uint64_t key, value;
} Entry;

APART static Entry *make_table(void)
{
    return calloc(65536, sizeof(Entry));
}

APART static void look_up(const volatile Entry *table)
{
    for (int i = 0; i < 65536; i += 64)
        sink += (long)table[i].value;
}

static void hash(void)
{
    Entry *table = make_table();

    look_up(table);
    free(table);
}

APART static void on_stack(void)
{
    volatile char big[256 * 1024];

    for (size_t i = 0; i < sizeof big; i += 64)
        big[i] = 1;
}

/* The array is this function's, whoever writes it. */
APART static void writes(volatile char *p)
{
    for (int i = 0; i < 256 * 1024; i += 64)
        p[i] = 1;
}

APART static void owner(void)
{
    volatile char big[256 * 1024] __attribute__((aligned(64)));

    writes(big);
    sink += big[0];
}

static void stack(void)
{
    on_stack();
    owner();
}

/* Other memory. */
static void mapped(void)
{
    volatile char *p =
        mmap(NULL, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < 1 << 18; i += 64)
        p[i] = 1;
}

/* A file that is no code: this program's own source, whatever its length. */
static void file(const char *name)
{
    FILE *f = fopen(name, "r");
    volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(f), 0);

    for (int i = 0; i < 4096; i += 64)
        sink += p[i];
    fclose(f);
}

/* Reads what was freed, but for the allocator's own words at its beginning. */
APART static void read_freed(volatile char *p)
{
    for (int i = 0; i < 65536; i += 64)
        sink += p[i + 32];
}

/* The allocator keeps what is freed: the block is no mapping of its own, the heap is not cut. */
static void freed(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 22);
    mallopt(M_TRIM_THRESHOLD, 1 << 22);
    char *p = aligned_alloc(65536, 65536), *guard = malloc(16);

    matrix[0][0] = guard != NULL;
    uintptr_t at = (uintptr_t)p;
    free(p);
    transposed();
    read_freed((volatile char *)at);
}

/* A block that has moved is its last allocation's. */
APART static char *moved(char *p)
{
    return realloc(p, 1 << 19);
}

APART static void touch_all(volatile char *p)
{
    for (int i = 0; i < 1 << 19; i += 64)
        p[i] = 1;
}

static void resized(void)
{
    char *p = malloc(1 << 18);

    p = moved(p);
    touch_all(p);
    free(p);
}

/* A forked child knows the blocks that it has inherited. */
static void forked(void)
{
    Particle *p = make_particles();

    set_x(p);
    fflush(stdout);
    if (!fork()) {
        read_id(p);
        _exit(0);
    }
    wait(NULL);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *part = argv[i];

        if (!strcmp(part, "particles"))
            particles();
        else if (!strcmp(part, "list"))
            list();
        else if (!strcmp(part, "matrix"))
            transposed();
        else if (!strcmp(part, "hash"))
            hash();
        else if (!strcmp(part, "stack"))
            stack();
        else if (!strcmp(part, "mapped"))
            mapped();
        else if (!strcmp(part, "file") && i + 1 < argc)
            file(argv[++i]);
        else if (!strcmp(part, "freed"))
            freed();
        else if (!strcmp(part, "resized"))
            resized();
        else if (!strcmp(part, "forked"))
            forked();
    }
    return 0;
}
