/*
 * cp_turn.h - the threads of a fixed schedule, and whose turn it is.
 *
 * The core has one lock, and the kernel chooses who gets it next. With a fixed schedule the thread
 * that gives up its *turn* names the next one, and each thread waits at a word of its own. This
 * file has the table of threads, the queue of those that can go on, and the handing over;
 * cp_schedule.h decides.
 *
 * Threads that wait run code of the tool at the same time as the one that has the turn, when what
 * they wait for comes from outside of the process. So whoever looks at the table holds its guard.
 */
#ifndef CP_TURN_H
#define CP_TURN_H

#include "cp_filter.h"

typedef enum {
    TURN_READY,   /* in the queue; at first, not yet */
    TURN_RUNNING, /* it has the turn */
    TURN_WAITING, /* for what `Turn` says */
    TURN_OUTSIDE, /* in a system call that the kernel ends whenever it likes */
    TURN_BACK     /* out of that call, but not yet in the queue */
} TurnState;

/* A thread that waits for its turn is told one of these. */
enum { TOKEN_NONE, TOKEN_TURN, TOKEN_LOOK };

typedef struct Turn {
    volatile Int lwp; /* the number that the kernel has for the thread; 0: it is not known yet */
    ThreadId tid;     /* 0: no thread */
    volatile TurnState state;
    volatile UInt token;
    Bool is_deferred;  /* it has given up the core's lock for a call, but not its turn */
    ULong order;       /* of the beginning of its wait */
    struct Turn *next; /* in the queue */

    /* The wait; all of this is forgotten when it ends. */
    Addr futex; /* 0: none */
    UInt bitset;
    UInt n_files;
    Bool is_outside; /* what it waits for may come from outside of the process */
    Bool has_deadline;
    ULong deadline;
    ULong signals; /* of rt_sigtimedwait, as a mask */
    struct vki_pollfd *files;
    UInt room; /* of `files` */

    /* The call that waits, for signals. */
    Bool in_wait;
    Bool restarts;               /* after a handler with SA_RESTART */
    const vki_sigset_t *blocked; /* signals that do not come through; NULL: all */
    Call call;
    Addr ip;                   /* behind it */
    struct vki_timespec limit; /* of a wait in the kernel, by the machine's clock */
    Addr left;                 /* where to put the time that is left; 0: nowhere */

    /* How the wait ended. */
    Bool timed_out;
    Bool interrupted;      /* by a signal */
    volatile Bool is_sent; /* a signal that its host thread has yet to take */
    Bool has_taken;        /* a signal; others come through when it runs again */

    Addr cleared; /* a word that is to be 0 when the thread has ended; 0: none */
    Addr robust;  /* the head of its list of robust mutexes; 0: none */
} Turn;

/* Who has the turn; NULL: nobody can run. */
extern Turn *volatile cp_turn_running;

/* All threads, by ThreadId, and how many there are. */
extern Turn *cp_turns;
extern UInt cp_turns_alive;

/* Call it at the start, in the first thread. */
void cp_turn_init(void);

void cp_turn_lock(void);
void cp_turn_unlock(void);

/* A thread that is not in the queue yet. */
Turn *cp_turn_add(ThreadId tid);
void cp_turn_remove(Turn *t);

/* In the child of a fork: the running thread is the only one. */
void cp_turn_fork(void);

/* NULL: there is none. */
Turn *cp_turn_of_lwp(Int lwp);

/* Puts the thread at the end of the queue. Its wait has ended. */
void cp_turn_ready(Turn *t);

/* True: nobody is in the queue. */
Bool cp_turn_is_idle(void);

/* Takes one from the queue: the first, or with --schedule-seed any. NULL: it is empty. */
Turn *cp_turn_take(void);

/* Gives the turn to the thread, which `self` may be. */
void cp_turn_give(Turn *t, const Turn *self);

/* Tells a thread that waits. */
void cp_turn_tell(Turn *t, UInt token);

/* The thread for which `is` holds that has waited longest, but began after `order`; NULL: none. */
typedef Bool TurnTest(const Turn *t, UWord subject);
Turn *cp_turn_oldest(TurnTest *is, UWord subject, ULong order);

/* The number of the wait that begins. */
ULong cp_turn_order(void);

#endif
