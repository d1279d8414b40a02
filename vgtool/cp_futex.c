/* cp_futex.c - waiting for words of memory, and waking. */
#include "cp_futex.h"

#include "cp_arch.h"
#include "cp_clock.h"
#include "cp_core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_threadstate.h"

/* Operations that Valgrind's headers lack, and bits of the words of mutexes with priority
 * inheritance and of robust ones. */
enum { LOCK_PI2 = 13, CLOCK_OF_WALL = VKI_FUTEX_CLOCK_REALTIME };
enum { REALTIME, MONOTONIC };
#define HAS_WAITERS 0x80000000U
#define OWNER_DIED  0x40000000U
#define OWNER       0x3fffffffU
#define ANY_BIT     0xffffffffU

static UInt operation(const Call *call)
{
    return (UInt)call->args[1] & ~(UInt)(VKI_FUTEX_PRIVATE_FLAG | CLOCK_OF_WALL);
}

static Bool is_word(Addr at)
{
    return at % sizeof(UInt) == 0 && VG_(am_is_valid_for_client)(at, sizeof(UInt), VKI_PROT_READ);
}

static Bool is_writable(Addr at)
{
    return VG_(am_is_valid_for_client)(at, sizeof(UInt), VKI_PROT_WRITE);
}

/*--- Shared memory ---*/

typedef struct {
    Addr start, end;
    Bool is_named; /* a file or a segment, which other processes may have as well */
} Shared;

static Shared *shared;
static UInt n_shared, room_shared;
static Bool has_forked;

static void share(Addr start, SizeT size, Bool is_named)
{
    if (n_shared == room_shared) {
        room_shared = 2 * room_shared + 16;
        shared = VG_(realloc)("cp.futex.1", shared, room_shared * sizeof *shared);
    }
    shared[n_shared++] = (Shared){start, start + size, is_named};
}

void cp_futex_after(ThreadId tid, const Call *call)
{
    Addr at = cp_arch_result(tid);
    const NSegment *segment;

    if (call->number == __NR_mmap && call->args[3] & VKI_MAP_SHARED) {
        share(at, call->args[1], !(call->args[3] & VKI_MAP_ANONYMOUS));
    } else if (call->number == __NR_shmat) {
        segment = VG_(am_find_nsegment)(at);
        share(at, segment ? segment->end + 1 - at : VKI_PAGE_SIZE, True);
    }
}

static Bool is_shared(Addr at)
{
    for (UInt i = 0; i < n_shared; i++)
        if (at >= shared[i].start && at < shared[i].end && (shared[i].is_named || has_forked))
            return True;
    return False;
}

/* The thread waits here for a word that is another process's, too, from now on. */
static Bool waits_for_others(const Turn *t, UWord unused)
{
    UInt op = operation(&t->call);

    return t->state == TURN_WAITING && t->futex && op != VKI_FUTEX_LOCK_PI && op != LOCK_PI2 &&
           !(t->call.args[1] & VKI_FUTEX_PRIVATE_FLAG) && is_shared(t->futex);
}

/* Threads look at the word again, as a wait may end for no reason, and then wait in the kernel. */
Bool cp_futex_fork(void)
{
    Bool waited = False;

    has_forked = True;
    cp_turn_lock();
    for (Turn *t; (t = cp_turn_oldest(waits_for_others, 0, 0)); waited = True)
        cp_turn_ready(t);
    cp_turn_unlock();
    return waited;
}

Bool cp_futex_is_own(const Call *call)
{
    return call->number == __NR_futex && is_word(call->args[0]) &&
           (call->args[1] & VKI_FUTEX_PRIVATE_FLAG || !is_shared(call->args[0]));
}

/*--- Waking ---*/

static Bool waits_at(const Turn *t, UWord at)
{
    return t->state == TURN_WAITING && t->futex == at;
}

static UInt wake(Addr at, UInt most, UInt bits)
{
    UInt woken = 0;
    ULong order = 0;

    for (Turn *t; woken < most && (t = cp_turn_oldest(waits_at, at, order));) {
        order = t->order;
        if (!(t->bitset & bits))
            continue;
        cp_turn_ready(t);
        woken++;
    }
    return woken;
}

static UInt requeue(Addr from, Addr to, UInt most)
{
    UInt moved = 0;

    for (Turn *t; moved < most && (t = cp_turn_oldest(waits_at, from, 0)); moved++)
        t->futex = to;
    return moved;
}

/* The kernel's operation on the second word: what it is changed by, and what has to hold for it to
 * wake. */
static Word wake_two(const Call *call)
{
    UInt code = (UInt)call->args[5], *word = (UInt *)call->args[4];
    UInt kind = code >> 28 & 7, test = code >> 24 & 15;
    Int by = (Int)(code << 8) >> 20, with = (Int)(code << 20) >> 20, old;
    Bool holds;
    Word woken;

    if (!is_word((Addr)word) || !is_writable((Addr)word))
        return -VKI_EFAULT;
    if (code >> 31)
        by = (Int)(1U << (by & 31));
    old = (Int)*word;
    *word = kind == 0   ? (UInt)by
            : kind == 1 ? (UInt)old + (UInt)by
            : kind == 2 ? (UInt)old | (UInt)by
            : kind == 3 ? (UInt)old & ~(UInt)by
                        : (UInt)old ^ (UInt)by;
    holds = test == 0   ? old == with
            : test == 1 ? old != with
            : test == 2 ? old < with
            : test == 3 ? old <= with
            : test == 4 ? old > with
                        : old >= with;
    woken = wake(call->args[0], (UInt)call->args[2], ANY_BIT);
    if (holds)
        woken += wake((Addr)word, (UInt)call->args[3], ANY_BIT);
    return woken;
}

static Word requeue_call(const Call *call)
{
    const UWord *a = call->args;
    UInt woken;

    if (operation(call) == VKI_FUTEX_CMP_REQUEUE && *(const UInt *)a[0] != (UInt)a[5])
        return -VKI_EAGAIN;
    woken = wake(a[0], (UInt)a[2], ANY_BIT);
    return woken + requeue(a[0], a[4], (UInt)a[3]);
}

/*--- Mutexes with priority inheritance ---*/

/* The mutex goes to the thread that has waited longest. */
static void hand_over(UInt *word, UInt died)
{
    Turn *t = cp_turn_oldest(waits_at, (UWord)word, 0);

    if (!t) {
        *word = died;
        return;
    }
    cp_turn_ready(t);
    *word = (UInt)t->lwp | died | (cp_turn_oldest(waits_at, (UWord)word, 0) ? HAS_WAITERS : 0);
}

static Word unlock(UInt *word)
{
    if ((*word & OWNER) != (UInt)cp_turn_running->lwp)
        return -VKI_EPERM;
    hand_over(word, 0);
    return 0;
}

/* False: the thread has to wait. */
static Bool lock(UInt *word, const Turn *me, Bool tries, Word *result)
{
    UInt owner = *word & OWNER;

    *result = owner == (UInt)me->lwp ? -CP_EDEADLK : owner ? -VKI_EAGAIN : 0;
    if (!owner)
        *word |= (UInt)me->lwp;
    else if (owner != (UInt)me->lwp && !tries)
        *word |= HAS_WAITERS;
    return !owner || owner == (UInt)me->lwp || tries;
}

/*--- Calls ---*/

static Bool answer(const Call *call, Word *result)
{
    const UWord *a = call->args;

    switch (operation(call)) {
    case VKI_FUTEX_WAKE:
        *result = wake(a[0], (UInt)a[2], ANY_BIT);
        return True;
    case VKI_FUTEX_WAKE_BITSET:
        *result = a[5] ? (Word)wake(a[0], (UInt)a[2], (UInt)a[5]) : -VKI_EINVAL;
        return True;
    case VKI_FUTEX_WAKE_OP:
        *result = wake_two(call);
        return True;
    case VKI_FUTEX_REQUEUE:
    case VKI_FUTEX_CMP_REQUEUE:
        *result = requeue_call(call);
        return True;
    case VKI_FUTEX_TRYLOCK_PI:
        return is_writable(a[0]) && lock((UInt *)a[0], cp_turn_running, True, result);
    case VKI_FUTEX_UNLOCK_PI:
        *result = is_writable(a[0]) ? unlock((UInt *)a[0]) : -VKI_EFAULT;
        return True;
    case VKI_FUTEX_WAIT_REQUEUE_PI: /* no library of today makes these two */
    case VKI_FUTEX_CMP_REQUEUE_PI:
        *result = -VKI_ENOSYS;
        return True;
    default:
        return False;
    }
}

Bool cp_futex_call(ThreadId tid, const Call *call)
{
    Word result;
    Bool is_answered;

    cp_turn_lock();
    is_answered = answer(call, &result);
    cp_turn_unlock();
    if (is_answered)
        cp_arch_set_result(tid, result);
    return is_answered;
}

static UInt clock_of(const Call *call)
{
    return operation(call) == VKI_FUTEX_LOCK_PI || call->args[1] & CLOCK_OF_WALL ? REALTIME
                                                                                 : MONOTONIC;
}

Bool cp_futex_limit(const Call *call, ULong *at)
{
    const struct vki_timespec *limit = (const struct vki_timespec *)call->args[3];

    if (!clo_fixed_clock || operation(call) == VKI_FUTEX_WAIT ||
        !VG_(am_is_valid_for_client)((Addr)limit, sizeof *limit, VKI_PROT_READ))
        return False;
    *at = cp_clock_of_machine(clock_of(call), cp_clock_span(limit));
    return True;
}

Bool cp_futex_waits(Turn *me, const Call *call, Word *result)
{
    const UWord *a = call->args;
    const struct vki_timespec *limit = (const struct vki_timespec *)a[3];
    UInt op = operation(call);
    Bool is_lock = op == VKI_FUTEX_LOCK_PI || op == LOCK_PI2;

    if (is_lock ? lock((UInt *)a[0], me, False, result) : *(const UInt *)a[0] != (UInt)a[2]) {
        if (!is_lock)
            *result = -VKI_EAGAIN;
        return False;
    }
    me->futex = a[0];
    me->bitset = op == VKI_FUTEX_WAIT_BITSET ? (UInt)a[5] : ANY_BIT;
    me->restarts = is_lock || !limit;
    me->has_deadline = limit != NULL;
    if (limit)
        me->deadline = op == VKI_FUTEX_WAIT ? cp_clock_now() + cp_clock_span(limit)
                                            : cp_clock_moment(clock_of(call), cp_clock_span(limit));
    return True;
}

/*--- The end of a thread ---*/

/* A list of robust mutexes, as glibc and the kernel have it. */
typedef struct {
    Addr next;   /* its lowest bit: a mutex with priority inheritance */
    Word offset; /* of a mutex's word from its entry */
    Addr pending;
} Robust;

static void give_up(const Turn *t, Addr entry, Word offset)
{
    UInt *word = (UInt *)((entry & ~1UL) + (UWord)offset), waiters;

    if (!is_word((Addr)word) || !is_writable((Addr)word) || (*word & OWNER) != (UInt)t->lwp)
        return;
    if (entry & 1) {
        hand_over(word, OWNER_DIED);
        return;
    }
    waiters = *word & HAS_WAITERS;
    *word = waiters | OWNER_DIED;
    if (waiters)
        (void)wake((Addr)word, 1, ANY_BIT);
}

static void give_up_all(const Turn *t)
{
    enum { MOST = 2048 }; /* the kernel's own limit */
    const Robust *list = (const Robust *)t->robust;
    Addr entry, pending;

    if (!list || !VG_(am_is_valid_for_client)((Addr)list, sizeof *list, VKI_PROT_READ))
        return;
    entry = list->next;
    pending = list->pending;
    for (UInt i = 0; i < MOST && (entry & ~1UL) != (Addr)list; i++) {
        const Addr this = entry;

        if (!VG_(am_is_valid_for_client)(this & ~1UL, sizeof this, VKI_PROT_READ))
            break;
        entry = *(const Addr *)(this & ~1UL);
        if ((this & ~1UL) != (pending & ~1UL))
            give_up(t, this, list->offset);
    }
    if (pending)
        give_up(t, pending, list->offset);
}

void cp_futex_exit(const Turn *t)
{
    give_up_all(t);
    if (!t->cleared || !is_word(t->cleared) || !is_writable(t->cleared))
        return;
    *(Int *)t->cleared = 0;
    (void)wake(t->cleared, ANY_BIT, ANY_BIT);
}
