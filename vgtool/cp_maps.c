/*
 * cp_maps.c - where the program opens its own maps, a descriptor of a file in memory replaces its
 * own. The program can read, seek and close it as it likes. The kernel makes the text when it is
 * read, not when it is opened; so here, too, each reading from the beginning makes it anew.
 */
#include "cp_maps.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "cp_fixed.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#define FILE_NAME   "maps-of-program"
#define MEMFD_TITLE "/memfd:" FILE_NAME

/* Constants of the kernel that Valgrind's headers lack. */
#define CLOSE_EXEC   1 /* MFD_CLOEXEC, and FD_CLOEXEC */
#define O_CLOSE_EXEC 02000000
#define LIMIT_FSIZE  1
#define AT_FDCWD     (-100)

/* Replaced descriptors. The texts of further ones are not renewed. */
enum { MAX_OPEN = 16 };
static Int replaced[MAX_OPEN];
static UInt n_replaced;

/*--- Text ---*/

typedef struct {
    HChar *bytes;
    SizeT n, room;
} Text;

static void make_room(Text *t, SizeT size)
{
    if (t->n + size <= t->room)
        return;
    t->room = 2 * (t->n + size);
    t->bytes = VG_(realloc)("cp.maps.1", t->bytes, t->room);
}

static void put(Text *t, const HChar *bytes, SizeT size)
{
    make_room(t, size);
    VG_(memcpy)(t->bytes + t->n, bytes, size);
    t->n += size;
}

/* Reads the whole file, and puts a '\0' behind it. The text is empty if the file cannot be read. */
static Text read_all(const HChar *path)
{
    enum { PIECE = 16 * 1024 };
    Text t = {NULL, 0, 0};
    SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
    Int size = 0;

    if (sr_isError(file))
        return t;
    do {
        make_room(&t, PIECE + 1);
        size = VG_(read)((Int)sr_Res(file), t.bytes + t.n, PIECE);
        t.n += size > 0 ? (SizeT)size : 0;
    } while (size > 0);
    VG_(close)((Int)sr_Res(file));
    t.bytes[t.n] = '\0';
    return t;
}

/*--- Lines ---*/

/* A line, "START-END PERMISSIONS OFFSET DEVICE INODE NAME". Pointers lead to the fields that are
 * only copied. */
typedef struct {
    Addr start, end;
    ULong offset;
    const HChar *permissions, *device; /* and inode, up to a blank before the name */
    SizeT n_device;
    const HChar *name;
    SizeT n_name;
} Line;

enum { PERMISSIONS = 5, NAME_COLUMN = 73 };

/* Reads the line up to the newline at `end`. False if it is no such line. */
static Bool read_line(const HChar *at, const HChar *end, Line *line)
{
    HChar *next;

    line->start = VG_(strtoull16)(at, &next);
    if (*next++ != '-')
        return False;
    line->end = VG_(strtoull16)(next, &next);
    if (*next++ != ' ' || next + PERMISSIONS >= end)
        return False;
    line->permissions = next;
    line->offset = VG_(strtoull16)(next + PERMISSIONS, &next);
    if (*next++ != ' ')
        return False;
    line->device = next;
    while (next < end && *next != ' ')
        next++;
    do
        next++;
    while (next < end && *next != ' ');
    if (next > end)
        return False;
    line->n_device = (SizeT)(next - line->device);
    while (next < end && *next == ' ')
        next++;
    line->name = next;
    line->n_name = (SizeT)(end - next);
    return line->start < line->end;
}

/* Writes the line as the kernel does. */
static void put_line(Text *t, const Line *line)
{
    HChar head[80];
    SizeT start = t->n;

    put(t, head, VG_(sprintf)(head, "%08lx-%08lx ", line->start, line->end));
    put(t, line->permissions, PERMISSIONS);
    put(t, head, VG_(sprintf)(head, "%08llx ", line->offset));
    put(t, line->device, line->n_device);
    put(t, " ", 1);
    while (line->n_name && t->n - start < NAME_COLUMN)
        put(t, " ", 1);
    put(t, line->name, line->n_name);
    put(t, "\n", 1);
}

static void name(Line *line, const HChar *text)
{
    line->name = text;
    line->n_name = VG_(strlen)(text);
}

/* Gives a stack and a heap without a name those that the kernel gives to its own. */
static void name_memory(Line *line)
{
    if (line->n_name)
        return;
    if (line->start <= VG_(clstk_end) && VG_(clstk_end) < line->end)
        name(line, "[stack]");
    else if (line->start <= VG_(brk_base) && VG_(brk_base) < line->end)
        name(line, "[heap]");
}

/* The tool's own image, as the linker marks it. The core lends a page of it to the program, for its
 * return from signal handlers. */
extern const HChar __executable_start[], _end[];

/* The end of the segment of `at`. *is_program: it is the program's. */
static Addr segment_end(Addr at, Bool *is_program)
{
    const NSegment *segment = VG_(am_find_nsegment)(at);

    *is_program = segment && segment->kind & (SkAnonC | SkFileC | SkShmC) &&
                  (at < (Addr)__executable_start || at >= (Addr)_end);
    return segment ? segment->end + 1 : 0;
}

/* Puts the line of a fixed machine: files have neither places nor devices of this one. */
static void put_fixed(Text *t, const Line *line)
{
    static const HChar device[] = "00:01 1000000";
    HChar path[VKI_PATH_MAX];
    Line fixed = *line;

    if (line->n_name && line->name[0] == '/') {
        cp_fixed_put_name(path, line->name, line->n_name);
        name(&fixed, path);
        fixed.device = device;
        fixed.n_device = sizeof device - 1;
    }
    put_line(t, &fixed);
}

/* Writes the stretches of the line that are the program's. The kernel would join neighbours of one
 * kind, and knows of no tool. */
static void put_stretches(Text *t, const Line *line)
{
    /* The kernel's own page, where no process maps anything; not each machine has it. Others are
     * left out: [vvar] lies at random, and the core keeps [vdso] from the program. */
    if (!VG_(strncmp)(line->name, "[vsyscall]", 10)) {
        if (!clo_fixed_machine)
            put_line(t, line);
        return;
    }
    for (Addr at = line->start, start = at; at < line->end;) {
        Bool is_program, goes_on = False;
        Addr end = segment_end(at, &is_program);

        if (end <= at || end > line->end)
            end = line->end;
        if (is_program && end < line->end)
            segment_end(end, &goes_on);
        if (is_program && !goes_on) {
            Line stretch = *line;

            stretch.start = start;
            stretch.end = end;
            if (line->offset)
                stretch.offset += start - line->start;
            name_memory(&stretch);
            (clo_fixed_machine ? put_fixed : put_line)(t, &stretch);
        }
        at = end;
        if (!goes_on)
            start = at;
    }
}

/* Makes the maps for the program. */
static Text make_text(void)
{
    Text all = read_all("/proc/self/maps"), seen = {NULL, 0, 0};
    const HChar *end;
    Line line;

    for (const HChar *at = all.bytes; at && *at; at = end + 1) {
        end = VG_(strchr)(at, '\n');
        if (!end)
            break;
        if (read_line(at, end, &line))
            put_stretches(&seen, &line);
    }
    VG_(free)(all.bytes);
    return seen;
}

/*--- Descriptors ---*/

static SysRes system_call(UInt number, UWord a, UWord b, UWord c)
{
    return VG_(do_syscall)(number, a, b, c, 0, 0, 0, 0, 0);
}

/* True if the kernel's name for the descriptor's file is wanted. */
static Bool is_named(Int fd, Bool (*is_wanted)(const HChar *name))
{
    HChar name[64];

    return cp_core_file_name(fd, name, sizeof name) && is_wanted(name);
}

/* True for "/proc/PID/maps" and a thread's "/proc/PID/task/TID/maps". */
static Bool is_own_maps(const HChar *name)
{
    HChar own[32];
    UInt size = VG_(sprintf)(own, "/proc/%d/", VG_(getpid)());

    if (VG_(strncmp)(name, own, size))
        return False;
    name += size;
    if (!VG_(strncmp)(name, "task/", 5))
        for (name += 5; *name && *name++ != '/';)
            ;
    return !VG_(strcmp)(name, "maps");
}

static Bool is_replacement(const HChar *name)
{
    return !VG_(strncmp)(name, MEMFD_TITLE, VG_(strlen)(MEMFD_TITLE));
}

/* Writing more than the program may write would end it. */
static Bool may_write(SizeT size)
{
    struct vki_rlimit limit;

    return VG_(getrlimit)(LIMIT_FSIZE, &limit) == 0 && size <= limit.rlim_cur;
}

/* Writes the maps into an empty file. */
static Bool write_text(Int fd)
{
    Text text = make_text();
    SizeT done = 0;
    Int n = 1;

    while (text.n && may_write(text.n) && done < text.n && n > 0) {
        n = VG_(write)(fd, text.bytes + done, (Int)(text.n - done));
        done += n > 0 ? (SizeT)n : 0;
    }
    VG_(free)(text.bytes);
    return done && done == text.n;
}

static SysRes reopen(Int fd, UInt flags)
{
    HChar link[40];

    VG_(sprintf)(link, "/proc/self/fd/%d", fd);
    return VG_(open)(link, flags, 0);
}

/* Replaces `fd` by a descriptor that reads `file`; keeps its flag to be closed at exec. */
static void replace_by(Int fd, Int file)
{
    SysRes flags = system_call(__NR_fcntl, fd, VKI_F_GETFD, 0), reader = reopen(file, VKI_O_RDONLY);
    Bool closes = !sr_isError(flags) && sr_Res(flags) & CLOSE_EXEC;

    if (sr_isError(reader))
        return;
    if (!sr_isError(system_call(__NR_dup3, sr_Res(reader), fd, closes ? O_CLOSE_EXEC : 0)) &&
        n_replaced < MAX_OPEN)
        replaced[n_replaced++] = fd;
    VG_(close)((Int)sr_Res(reader));
}

static void replace(Int fd)
{
    SysRes file = system_call(__NR_memfd_create, (UWord)FILE_NAME, CLOSE_EXEC, 0);

    if (sr_isError(file))
        return;
    if (write_text((Int)sr_Res(file)))
        replace_by(fd, (Int)sr_Res(file));
    VG_(close)((Int)sr_Res(file));
}

/* Makes the text anew, if the descriptor still is the replacement. */
static void renew(UInt i)
{
    SysRes file;

    if (!is_named(replaced[i], is_replacement)) {
        replaced[i] = replaced[--n_replaced];
        return;
    }
    file = reopen(replaced[i], VKI_O_WRONLY | VKI_O_TRUNC);
    if (sr_isError(file))
        return;
    write_text((Int)sr_Res(file));
    VG_(close)((Int)sr_Res(file));
}

void cp_maps_before(UInt number, const UWord *args)
{
    Bool reads = number == __NR_read || number == __NR_readv;

    if (!n_replaced || (!reads && number != __NR_pread64 && number != __NR_preadv))
        return;
    for (UInt i = 0; i < n_replaced; i++) {
        if (replaced[i] != (Int)args[0])
            continue;
        if (reads ? VG_(lseek)(replaced[i], 0, VKI_SEEK_CUR) == 0 : args[3] == 0)
            renew(i);
        return;
    }
}

/* True if the call is about the descriptor alone, by an empty path. */
static Bool is_of_descriptor(const UWord *args)
{
    const HChar *path = (const HChar *)args[1];

    return path && !*path;
}

/* Puts the kernel's own file in the place of the replacement: libraries choose buffers by what they
 * read of a file's kind and of its blocks. */
static void stat_own(UInt number, const UWord *args)
{
    const UWord path = (UWord) "/proc/self/maps", here = (UWord)AT_FDCWD;

    if (number == __NR_fstat)
        VG_(do_syscall)(__NR_newfstatat, here, path, args[1], 0, 0, 0, 0, 0);
    else if (number == __NR_newfstatat && is_of_descriptor(args))
        VG_(do_syscall)(__NR_newfstatat, here, path, args[2], 0, 0, 0, 0, 0);
    else if (number == __NR_statx && is_of_descriptor(args))
        VG_(do_syscall)(__NR_statx, here, path, 0, args[3], args[4], 0, 0, 0);
}

void cp_maps_after(UInt number, const UWord *args, UWord result)
{
    for (UInt i = 0; i < n_replaced; i++)
        if (replaced[i] == (Int)args[0] && is_named(replaced[i], is_replacement))
            stat_own(number, args);
    if ((cp_arch_opens(number) || number == CP_NR_OPENAT2) && is_named((Int)result, is_own_maps))
        replace((Int)result);
}

void cp_maps_forget(void)
{
    n_replaced = 0;
}
