/* cp_vfork.c - copies of the parent's memory, and what is different from them at the child's end.
 */
#include "cp_vfork.h"

#include "cp_core.h"
#include "pub_tool_aspacehl.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_machine.h"

/* Constants of the kernel that Valgrind's headers lack. */
enum { FLAG_VFORK = 0x4000, CLOSE_EXEC = 02000000, DUPFD_CLOSE_EXEC = 1030 };

/* Bounds of what is copied: of the caller's stack from its stack pointer on, of one object's
 * variables, and of all that is sent. */
enum { STACK_MOST = 256 * 1024, SEGMENT_MOST = 1024 * 1024, SENT_MOST = 60 * 1024 };

typedef struct {
    Addr start;
    SizeT size;
    UChar *bytes; /* as they were at the fork */
} Stretch;

enum { STRETCHES = 256 };
static Stretch stretches[STRETCHES];
static UInt n_stretches;

static Bool is_vfork; /* the system call that is being made */
static Int ends[2];   /* of a pipe from the child to its parent */
static Bool is_child; /* of a vfork, and it has not ended */
static SizeT n_sent;

/* The head of a changed piece, as it is sent; its bytes stand behind it. */
typedef struct {
    Addr start;
    SizeT size;
} Piece;

static void copy(Addr start, SizeT size)
{
    Stretch *s = &stretches[n_stretches];

    if (n_stretches == STRETCHES || !size)
        return;
    *s = (Stretch){start, size, VG_(malloc)("cp.vfork.1", size)};
    VG_(memcpy)(s->bytes, (const void *)start, size);
    n_stretches++;
}

static void copy_stack(ThreadId tid)
{
    Addr start = VG_(get_SP)(tid);
    const NSegment *segment = VG_(am_find_nsegment)(start);
    SizeT size = segment && segment->hasW ? segment->end + 1 - start : 0;

    copy(start, size < STACK_MOST ? size : STACK_MOST);
}

/* Variables of objects: those with values in the file, and the zeros behind them. */
static void copy_variables(void)
{
    Int n = 0;
    Addr *starts = VG_(get_segment_starts)(SkFileC | SkAnonC, &n);
    Addr end = 0;

    for (Int i = 0; i < n; i++) {
        const NSegment *s = VG_(am_find_nsegment)(starts[i]);
        Bool is_of_object = s->hasW && (s->kind == SkFileC || s->start == end);

        if (!is_of_object || s->end - s->start >= SEGMENT_MOST)
            continue;
        copy(s->start, s->end + 1 - s->start);
        end = s->kind == SkFileC ? s->end + 1 : 0;
    }
    VG_(free)(starts);
}

static void forget(void)
{
    while (n_stretches)
        VG_(free)(stretches[--n_stretches].bytes);
}

static Int make_high(Int fd)
{
    SysRes high = VG_(do_syscall)(__NR_fcntl, (UWord)fd, DUPFD_CLOSE_EXEC,
                                  (UWord)VG_(fd_hard_limit), 0, 0, 0, 0, 0);

    if (sr_isError(high))
        return fd;
    VG_(close)(fd);
    return (Int)sr_Res(high);
}

void cp_vfork_begin(ThreadId tid)
{
    if (is_child) { /* it forks itself */
        VG_(close)(ends[1]);
        forget();
        is_child = False;
    }
    if (!is_vfork ||
        sr_isError(VG_(do_syscall)(__NR_pipe2, (UWord)ends, CLOSE_EXEC, 0, 0, 0, 0, 0, 0))) {
        is_vfork = False;
        return;
    }
    ends[0] = make_high(ends[0]);
    ends[1] = make_high(ends[1]);
    copy_stack(tid);
    copy_variables();
}

/* The child has ended, or has gone on as another program. */
void cp_vfork_parent(ThreadId tid)
{
    Piece piece;

    if (!is_vfork)
        return;
    VG_(close)(ends[1]);
    while (VG_(read)(ends[0], &piece, sizeof piece) == sizeof piece &&
           VG_(am_is_valid_for_client)(piece.start, piece.size, VKI_PROT_WRITE) &&
           VG_(read)(ends[0], (void *)piece.start, (Int)piece.size) == (Int)piece.size)
        ;
    VG_(close)(ends[0]);
    forget();
}

/* Sends what is different. An empty pipe takes SENT_MOST bytes without waiting. */
static void send_changes(const Stretch *s)
{
    for (SizeT at = 0; at < s->size; at++) {
        const UChar *now = (const UChar *)s->start;
        SizeT end = at;
        Piece piece;

        while (end < s->size && now[end] != s->bytes[end])
            end++;
        piece = (Piece){s->start + at, end - at};
        if (!piece.size)
            continue;
        n_sent += sizeof piece + piece.size;
        if (n_sent > SENT_MOST ||
            !VG_(am_is_valid_for_client)(piece.start, piece.size, VKI_PROT_READ))
            return;
        VG_(write)(ends[1], &piece, sizeof piece);
        VG_(write)(ends[1], now + at, (Int)piece.size);
        at = end;
    }
}

static void child_ends(void)
{
    n_sent = 0;
    for (UInt i = 0; i < n_stretches; i++)
        if (VG_(am_is_valid_for_client)(stretches[i].start, stretches[i].size, VKI_PROT_READ))
            send_changes(&stretches[i]);
    VG_(close)(ends[1]);
    is_child = False;
}

void cp_vfork_child(ThreadId tid)
{
    is_child = is_vfork;
    if (is_child)
        VG_(close)(ends[0]);
}

void cp_vfork_before(ThreadId tid, UInt number, const UWord *args)
{
    is_vfork = number == __NR_clone && args[0] & FLAG_VFORK;
#ifdef __NR_vfork
    is_vfork |= number == __NR_vfork;
#endif
    if (is_child && (number == __NR_exit_group || number == __NR_exit))
        child_ends();
}
