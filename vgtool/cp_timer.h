/*
 * cp_timer.h - timers of the program, by the fixed clock: their list, and three kinds of them.
 *
 * - those of setitimer() and alarm(), which send signals (cp_timer_own.c)
 * - those of timer_create(), which send signals, to one thread if they are to (cp_timer_made.c)
 * - those of timerfd_create(), which are read (cp_timer_file.c)
 */
#ifndef CP_TIMER_H
#define CP_TIMER_H

#include "cp_filter.h"

/* When the next one is due; False: none is set. */
Bool cp_timer_next(ULong *at);

/* Does what those that are due do. True: there were some. Call it with the guard of cp_turn.h. */
Bool cp_timer_fire(void);

/* In the child of a fork. */
void cp_timer_fork(void);

/*--- The kinds ---*/

/* Answer calls of these kinds. True: *result is set. Call them with the guard of cp_turn.h. */
Bool cp_timer_own_call(const Call *call, Word *result);
Bool cp_timer_made_call(const Call *call, Word *result);
Bool cp_timer_file_call(const Call *call, Word *result);

/* Call it after each call that has succeeded, with its result: it may have closed a timer. */
void cp_timer_file_after(const Call *call, Word result);

/*--- For them ---*/

typedef struct Timer {
    /* The timer is due, `times` intervals at once. Called with the guard. */
    void (*fire)(struct Timer *t, ULong times);
    UInt clock; /* of absolute times */
    Bool stays; /* in the child of a fork */
    Bool is_set;
    ULong deadline, interval; /* 0: it fires once */
    struct Timer *next;
} Timer;

/* As in the kernel's struct itimerspec. */
typedef struct {
    struct vki_timespec interval, value;
} TimerSetting;

void cp_timer_add(Timer *t);
void cp_timer_remove(Timer *t);

/* The time that is left, in ns; 0: it is not set. */
ULong cp_timer_left(const Timer *t);

/* Writes the time that is left. The result is that of a call. */
Word cp_timer_get(const Timer *t, TimerSetting *setting);

/* Sets the timer, and writes what it was to *before, unless that is NULL. The result is that of a
 * call. */
Word cp_timer_set(Timer *t, Bool is_absolute, const TimerSetting *wanted, TimerSetting *before);

#endif
