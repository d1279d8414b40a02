/*
 * cp_near_marks.c - data structure: marks, in the order of the code. Those made last are a plain
 * array. Groups of earlier ones are bytes: of each mark the numbers that differ from those of the
 * mark before it, 0 in front of a group's first. A mark takes 4 bytes, not 32. A group is found by
 * the address of its code, and read through.
 */
#include "cp_near.h"
#include "cp_pieces.h"

enum {
    GROUP = 64, /* marks of it */
    NUMBERS = sizeof(((NearMark *)0)->numbers) / sizeof(UInt),
    MOST_BYTES = 5 * (1 + NUMBERS) /* of a mark */
};

typedef struct {
    const UChar *bytes;
    UInt host; /* of the first mark */
} Group;

static Pool groups = {.size = sizeof(Group), .tag = "cp.near.6"};
static NearMark recent[GROUP];
static UInt n_recent;

/*--- Bytes ---*/

/* Seven bits a byte, the lowest first. */
static UChar *put_number(UChar *to, UInt n)
{
    for (; n >= 128; n >>= 7)
        *to++ = (UChar)(n | 128);
    *to++ = (UChar)n;
    return to;
}

static const UChar *get_number(const UChar *from, UInt *n)
{
    UInt shift = 0;

    *n = 0;
    do {
        *n |= (UInt)(*from & 127) << shift;
        shift += 7;
    } while (*from++ & 128);
    return from;
}

/* The sign of a difference is the lowest bit, so that small ones have few bits. */
static UInt fold(UInt difference)
{
    return difference << 1 ^ (UInt)((Int)difference >> 31);
}

static UInt unfold(UInt n)
{
    return n >> 1 ^ -(n & 1);
}

static UChar *put_mark(UChar *to, const NearMark *m, const NearMark *before)
{
    UInt changed = 0;

    for (UInt i = 0; i < NUMBERS; i++)
        changed |= (UInt)(m->numbers[i] != before->numbers[i]) << i;
    to = put_number(to, changed);
    for (; changed; changed &= changed - 1) {
        UInt i = (UInt)__builtin_ctz(changed);
        to = put_number(to, fold(m->numbers[i] - before->numbers[i]));
    }
    return to;
}

/* `m`: the mark before. */
static const UChar *get_mark(const UChar *from, NearMark *m)
{
    UInt changed, difference;

    for (from = get_number(from, &changed); changed; changed &= changed - 1) {
        from = get_number(from, &difference);
        m->numbers[__builtin_ctz(changed)] += unfold(difference);
    }
    return from;
}

/*--- Marks ---*/

/* Makes a group of the recent marks. */
static void pack(void)
{
    static UChar bytes[GROUP * MOST_BYTES];
    static const NearMark none;
    const NearMark *before = &none;
    UChar *end = bytes;
    SizeT size;
    void *piece;

    for (const NearMark *m = recent; m < recent + n_recent; before = m++)
        end = put_mark(end, m, before);
    size = (SizeT)(end - bytes);
    piece = VG_(memcpy)(cp_piece(size), bytes, size);
    *(Group *)cp_pool_add(&groups) = (Group){.bytes = piece, .host = recent[0].host};
    n_recent = 0;
}

void cp_near_mark(const NearMark *m)
{
    if (n_recent == GROUP)
        pack();
    recent[n_recent] = *m;
    recent[n_recent++].host = cp_low(cp_code);
}

static UInt host_of_group(UInt i)
{
    return ((const Group *)cp_pool_at(&groups, i))->host;
}

/* The last one of the group at or before the address. */
static NearMark find_in_group(const Group *g, UInt host)
{
    const UChar *from = g->bytes;
    NearMark m = {.numbers = {0}}, next = m;

    for (UInt i = 0; i < GROUP; i++) {
        from = get_mark(from, &next);
        if (next.host > host)
            break;
        m = next;
    }
    return m;
}

NearMark cp_near_mark_of(Addr host)
{
    UInt low = 0, high = groups.n;

    for (UInt i = n_recent; i-- > 0;)
        if (recent[i].host <= host)
            return recent[i];
    while (high - low > 1) {
        UInt middle = (low + high) / 2;
        if (host_of_group(middle) <= host)
            low = middle;
        else
            high = middle;
    }
    return find_in_group(cp_pool_at(&groups, low), (UInt)host);
}
