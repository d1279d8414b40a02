/* cp_turn.c - the table of threads and the queue of a fixed schedule. */
#include "cp_turn.h"

#include "cp_core.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"

Turn *volatile cp_turn_running;
Turn *cp_turns;
UInt cp_turns_alive;

static UInt end; /* of the table, as far as it has been used */
static Turn *first, *last;
static volatile Int guard;
static ULong orders;

void cp_turn_lock(void)
{
    while (__sync_lock_test_and_set(&guard, 1))
        (void)VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
}

void cp_turn_unlock(void)
{
    __sync_lock_release(&guard);
}

/*--- Threads ---*/

void cp_turn_init(void)
{
    cp_turns = VG_(calloc)("cp.turn.1", VG_N_THREADS, sizeof *cp_turns);
    cp_turn_running = cp_turn_add(1);
    cp_turn_running->lwp = VG_(gettid)();
    cp_turn_running->state = TURN_RUNNING;
}

Turn *cp_turn_add(ThreadId tid)
{
    Turn *t = &cp_turns[tid];
    struct vki_pollfd *files = t->files;
    UInt room = t->room;

    *t = (Turn){.tid = tid, .files = files, .room = room};
    cp_turns_alive++;
    if (tid >= end)
        end = tid + 1;
    return t;
}

void cp_turn_remove(Turn *t)
{
    t->tid = 0;
    t->lwp = 0;
    cp_turns_alive--;
}

void cp_turn_fork(void)
{
    for (UInt i = 0; i < end; i++)
        if (&cp_turns[i] != cp_turn_running && cp_turns[i].tid)
            cp_turn_remove(&cp_turns[i]);
    cp_turn_running->lwp = VG_(gettid)();
    cp_turn_running->token = TOKEN_NONE;
    first = last = NULL;
    guard = 0;
}

Turn *cp_turn_of_lwp(Int lwp)
{
    for (UInt i = 0; i < end; i++)
        if (cp_turns[i].lwp == lwp)
            return &cp_turns[i];
    return NULL;
}

Turn *cp_turn_oldest(TurnTest *is, UWord subject, ULong order)
{
    Turn *best = NULL;

    for (UInt i = 0; i < end; i++) {
        Turn *t = &cp_turns[i];
        if (t->tid && t->order > order && (!best || t->order < best->order) && is(t, subject))
            best = t;
    }
    return best;
}

ULong cp_turn_order(void)
{
    return ++orders;
}

/*--- The queue ---*/

void cp_turn_ready(Turn *t)
{
    t->state = TURN_READY;
    t->futex = 0;
    t->n_files = 0;
    t->has_deadline = False;
    t->signals = 0;
    t->next = NULL;
    if (last)
        last->next = t;
    else
        first = t;
    last = t;
}

Bool cp_turn_is_idle(void)
{
    return !first;
}

/* A number below n, the same in each run with the seed: xorshift64 (G. Marsaglia, "Xorshift RNGs",
 * 2003). */
static UInt choose(UInt n)
{
    static ULong state;

    if (!state)
        state = 88172645463325252ULL ^ (ULong)clo_schedule_seed << 20;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (UInt)(state >> 33) % n;
}

/* Threads before the chosen one go to the end. */
static void turn_queue(void)
{
    UInt n = 0;

    for (const Turn *t = first; t; t = t->next)
        n++;
    for (UInt i = choose(n); i; i--) {
        Turn *t = first;
        first = t->next;
        cp_turn_ready(t);
    }
}

Turn *cp_turn_take(void)
{
    Turn *t;

    if (clo_schedule_seed && first != last)
        turn_queue();
    t = first;
    if (!t)
        return NULL;
    first = t->next;
    if (!first)
        last = NULL;
    return t;
}

/*--- Handing over ---*/

void cp_turn_tell(Turn *t, UInt token)
{
    t->token = token;
    (void)VG_(do_syscall)(__NR_futex, (UWord)&t->token, VKI_FUTEX_WAKE | VKI_FUTEX_PRIVATE_FLAG, 1,
                          0, 0, 0, 0, 0);
}

void cp_turn_give(Turn *t, const Turn *self)
{
    t->state = TURN_RUNNING;
    cp_turn_running = t;
    if (t != self)
        cp_turn_tell(t, TOKEN_TURN);
}
