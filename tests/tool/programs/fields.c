/*
 * fields.c - misses of known members of known types, in caches of lines of 64 bytes: D1 of 32 KiB
 * and 8 ways. All that is walked is larger than that, so each walk misses anew.
 */
#include <stdlib.h>

#define N     4096
#define APART __attribute__((noinline, noclone))

/* A cold member between two hot ones, each of which has a line for itself; elements are 5 lines
 * apart, so that a walk fills all sets of D1. */
struct order {
    double price;
    char note[248];
    double amount;
    char more[56];
};

struct node {
    struct node *next;
    struct {
        long key, count;
    } entry;
    char rest[40];
};

typedef struct {
    int id;
    int flags[15];
} record_t;

static record_t records[N] __attribute__((aligned(64)));
static volatile double sink;

/* A wrapper, of which the callers know the type. */
APART static void *checked(size_t size)
{
    void *p = aligned_alloc(64, size);

    if (!p)
        abort();
    return p;
}

APART static struct order *make_orders(void)
{
    struct order *volatile orders = aligned_alloc(64, N * sizeof *orders); /* no tail call */

    return orders;
}

APART static void read_orders(volatile struct order *o)
{
    for (int i = 0; i < N; i++)
        sink += o[i].price * o[i].amount;
}

APART static struct node *make_nodes(void)
{
    struct node *head = NULL;

    for (int i = 0; i < N; i++) {
        struct node *new = checked(sizeof(struct node));

        new->next = head;
        head = new;
    }
    return head;
}

APART static void read_keys(volatile struct node *n)
{
    for (; n; n = n->next)
        n->entry.count++;
}

APART static void read_records(volatile record_t *r)
{
    for (int i = 0; i < N; i++)
        sink += r[i].flags[3];
}

int main(void)
{
    struct order *orders = make_orders();
    struct node *nodes = make_nodes();

    read_orders(orders);
    read_keys(nodes);
    read_records(records);
    free(orders);
    return 0;
}
