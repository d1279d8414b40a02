/* cp_descriptor.c - pipes, sockets and events of the program, and which of them others have too. */
#include "cp_descriptor.h"

#include "cp_core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"

/* Kinds of files, and constants of sockets that Valgrind's headers lack. */
enum { KIND = 0170000, FIFO = 0010000, DEVICE = 0020000, SOCKET = 0140000, NO_KIND = 0 };
enum { MEMORY_DEVICES = 1, MAJOR_SHIFT = 8, MAJOR_MASK = 0xfff };
enum { UNIX = 1, INET = 2, INET6 = 10, SOL_SOCKET = 1, SO_PEERCRED = 17 };
enum { EPOLL_DELETE = 2, DUPFD_CLOEXEC = 1030 };

/* When a descriptor came to be: 1 and the number of forks before; 0: it is not known. */
enum { BY_OTHERS = ~0U };
static UInt *born;
static UInt n_born;
static UInt forks;

static void note(Int fd, UInt when)
{
    if (fd < 0)
        return;
    if ((UInt)fd >= n_born) {
        UInt n = 2 * (UInt)fd + 64;
        born = VG_(realloc)("cp.descriptor.1", born, n * sizeof *born);
        VG_(memset)(born + n_born, 0, (n - n_born) * sizeof *born);
        n_born = n;
    }
    born[fd] = when;
}

static UInt birth(Int fd)
{
    return fd >= 0 && (UInt)fd < n_born ? born[fd] : 0;
}

/* Others have it, if a fork came after it. */
static Bool is_others(Int fd)
{
    UInt when = birth(fd);

    return when == BY_OTHERS || (when ? when - 1 : 0) < forks;
}

void cp_descriptor_init(void)
{
    enum { LOOKED_AT = 256 };
    struct vg_stat st;

    for (Int fd = 0; fd < LOOKED_AT && fd < VG_(fd_hard_limit); fd++)
        if (VG_(fstat)(fd, &st) == 0)
            note(fd, BY_OTHERS);
}

void cp_descriptor_fork(void)
{
    forks++;
}

/*--- Kinds ---*/

static Bool is_called(Int fd, const HChar *start)
{
    HChar name[64];

    return cp_core_file_name(fd, name, sizeof name) &&
           !VG_(strncmp)(name, start, VG_(strlen)(start));
}

static FileKind kind_without_name(Int fd)
{
    if (is_called(fd, "anon_inode:[eventfd]") || is_called(fd, "anon_inode:[eventpoll]"))
        return birth(fd) == BY_OTHERS ? FILE_OUTSIDE : FILE_INSIDE;
    return FILE_OUTSIDE;
}

FileKind cp_descriptor_kind(Int fd)
{
    struct vg_stat st;

    if (VG_(fstat)(fd, &st) != 0)
        return FILE_READY;
    switch (st.mode & KIND) {
    case FIFO:
        return is_others(fd) || !is_called(fd, "pipe:") ? FILE_OUTSIDE : FILE_INSIDE;
    case SOCKET:
        return is_others(fd) ? FILE_OUTSIDE : FILE_INSIDE;
    case DEVICE:
        return (st.rdev >> MAJOR_SHIFT & MAJOR_MASK) == MEMORY_DEVICES ? FILE_READY : FILE_OUTSIDE;
    case NO_KIND:
        return kind_without_name(fd);
    default:
        return FILE_READY;
    }
}

/*--- Connections ---*/

/* Ports of this machine at which the process listens, or from which it has connected. */
static UShort *ports;
static UInt n_ports;

/* An address as the kernel has it: family, and for the two of the Internet the port. */
typedef struct {
    UShort family, port;
    UChar rest[124];
} Address;

static Bool name_of(UInt call, Int fd, Address *a)
{
    UInt size = sizeof *a;

    VG_(memset)(a, 0, sizeof *a);
    return !sr_isError(VG_(do_syscall)(call, (UWord)fd, (UWord)a, (UWord)&size, 0, 0, 0, 0, 0));
}

static void note_port(Int fd)
{
    Address a;

    if (!name_of(__NR_getsockname, fd, &a) || (a.family != INET && a.family != INET6))
        return;
    ports = VG_(realloc)("cp.descriptor.2", ports, (n_ports + 1) * sizeof *ports);
    ports[n_ports++] = a.port;
}

/* The other end is in this process. */
static Bool is_own_peer(Int fd, const Address *peer)
{
    struct {
        Int pid;
        UInt user, group;
    } who = {0, 0, 0};
    UInt size = sizeof who;

    if (peer->family == UNIX)
        return !sr_isError(VG_(do_syscall)(__NR_getsockopt, (UWord)fd, SOL_SOCKET, SO_PEERCRED,
                                           (UWord)&who, (UWord)&size, 0, 0, 0)) &&
               who.pid == VG_(getpid)();
    for (UInt i = 0; i < n_ports; i++)
        if (ports[i] == peer->port)
            return True;
    return False;
}

static void note_connection(Int fd, const Call *call)
{
    const Address *to = (const Address *)call->args[1];

    if (!VG_(am_is_valid_for_client)((Addr)to, 4, VKI_PROT_READ))
        return;
    if (to->family == INET || to->family == INET6)
        note_port(fd);
    if ((to->family == UNIX || to->family == INET || to->family == INET6) && !is_own_peer(fd, to))
        note(fd, BY_OTHERS);
}

static void note_accepted(Int fd)
{
    Address peer;

    note(fd, 1 + forks);
    if (name_of(__NR_getpeername, fd, &peer) && !is_own_peer(fd, &peer))
        note(fd, BY_OTHERS);
}

/*--- Calls ---*/

static void note_pair(Addr at)
{
    const Int *pair = (const Int *)at;

    note(pair[0], 1 + forks);
    note(pair[1], 1 + forks);
}

/* An epoll that has something from outside comes from there itself. */
static void note_watched(const Call *call)
{
    if (call->args[1] != EPOLL_DELETE && cp_descriptor_kind((Int)call->args[2]) == FILE_OUTSIDE)
        note((Int)call->args[0], BY_OTHERS);
}

void cp_descriptor_after(const Call *call, Word result)
{
    const UWord *a = call->args;

    if (call->number == __NR_connect && (result == 0 || result == -CP_EINPROGRESS))
        note_connection((Int)a[0], call);
    if (result < 0)
        return;
    switch (call->number) {
#ifdef __NR_pipe
    case __NR_pipe:
#endif
    case __NR_pipe2:
        note_pair(a[0]);
        break;
    case __NR_socketpair:
        note_pair(a[3]);
        break;
    case __NR_socket:
    case __NR_eventfd2:
    case __NR_epoll_create1:
        note((Int)result, 1 + forks);
        break;
    case __NR_accept:
    case __NR_accept4:
        note_accepted((Int)result);
        break;
    case __NR_listen:
        note_port((Int)a[0]);
        break;
    case __NR_epoll_ctl:
        note_watched(call);
        break;
    case __NR_fcntl:
        if (a[1] != VKI_F_DUPFD && a[1] != DUPFD_CLOEXEC)
            break; /* fall through */
    case __NR_dup:
#ifdef __NR_dup2
    case __NR_dup2:
#endif
    case __NR_dup3:
        note((Int)result, birth((Int)a[0]));
        break;
    default:
        break;
    }
}
