#include <config.h>

#include "perf_processes.h"

#include "lex.h"

/* The process in "42:42)"; 0: that is a thread of one, or no number. */
static uint64_t process_of(const char *at, const char *end)
{
    uint64_t pid, tid;

    if (lex_decimal(&at, end, &pid) != LEX_OK || at == end || *at++ != ':' ||
        lex_decimal(&at, end, &tid) != LEX_OK)
        return 0;
    return pid == tid ? pid : 0;
}

static void leave_out(struct vector *running, uint64_t pid)
{
    uint64_t *pids = running->data;

    for (size_t i = 0; i < running->count; i++)
        if (pids[i] == pid) {
            pids[i] = pids[--running->count];
            return;
        }
}

int perf_processes_take(struct vector *running, struct perf_text event)
{
    static const char begins[] = "PERF_RECORD_FORK(", ends[] = "PERF_RECORD_EXIT(";
    int is_begin = LEX_STARTS(event.at, event.end, begins);
    uint64_t pid, *new;

    if (!is_begin && !LEX_STARTS(event.at, event.end, ends))
        return 0;
    pid = process_of(event.at + sizeof begins - 1, event.end);
    if (!pid)
        return 0;
    if (!is_begin) {
        leave_out(running, pid);
        return 0;
    }
    new = vector_push(running, sizeof *new);
    if (!new)
        return -1;
    *new = pid;
    return 0;
}
