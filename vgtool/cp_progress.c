/*
 * cp_progress.c - the file holds one line, "PROCESS INSTRUCTIONS FUNCTION": the number of
 * instructions so far, and the function that executes at this moment, as Valgrind names it ("?" if
 * it cannot). Programs that this one started write to the same file. Each write opens the file: a
 * descriptor that stays open would be the program's to close.
 */
#include "cp_progress.h"

#include "cp_context.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"

#define INTERVAL 100 /* milliseconds */
enum { LINE = 160 };

static Bool stopped;
static UInt last; /* time of the last write, in milliseconds since the start */

void cp_progress_stop(void)
{
    stopped = True;
}

/* Writing more than the program may write would end it. */
static Bool may_write(SizeT size)
{
    const Int file_size = 1; /* RLIMIT_FSIZE, which Valgrind does not name */
    struct vki_rlimit limit;

    return VG_(getrlimit)(file_size, &limit) == 0 && size <= limit.rlim_cur;
}

static void write_line(ThreadId tid)
{
    HChar line[LINE];
    const HChar *name;
    SysRes result = VG_(open)(clo_progress_file, VKI_O_WRONLY | VKI_O_TRUNC, 0);
    UInt n;

    if (sr_isError(result)) {
        stopped = True;
        return;
    }
    if (!VG_(get_fnname)(VG_(current_DiEpoch)(), VG_(get_IP)(tid), &name))
        name = "?";
    n = VG_(snprintf)(line, sizeof line - 1, "%d %llu %s", VG_(getpid)(), cp_context_ir(), name);
    if (n > sizeof line - 2)
        n = sizeof line - 2;
    line[n++] = '\n';
    (void)VG_(write)((Int)sr_Res(result), line, (Int)n);
    VG_(close)((Int)sr_Res(result));
}

void cp_progress_tick(ThreadId tid)
{
    UInt now;

    if (!clo_progress_file || stopped)
        return;
    now = VG_(read_millisecond_timer)();
    if (now - last < INTERVAL)
        return;
    last = now;
    if (may_write(LINE))
        write_line(tid);
}
