/*
 * cp_fixed_stack.c - the initial stack, as it is on every machine.
 *
 * The system and the core put there what depends on the machine, the checkout and the tool: paths,
 * entries of the auxiliary vector, the core's library to be preloaded. Their lengths move the stack
 * pointer and the texts, and code for texts counts by their alignment. So all of it is written
 * anew: the stack pointer lies at a fixed distance from the stack's end, each text begins a line of
 * 64 bytes, and other entries are left out.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_fixed.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_xarray.h"

enum { ALIGNMENT = 64, PAGE = 4096, ROOM = 128 << 10, RANDOM_BYTES = 16 };
enum { LIMIT_STACK = 3 };

/* Entries of the auxiliary vector (elf.h). */
enum {
    AT_NULL = 0,
    AT_PHDR = 3,
    AT_PHENT = 4,
    AT_PHNUM = 5,
    AT_PAGESZ = 6,
    AT_BASE = 7,
    AT_FLAGS = 8,
    AT_ENTRY = 9,
    AT_UID = 11,
    AT_EUID = 12,
    AT_GID = 13,
    AT_EGID = 14,
    AT_PLATFORM = 15,
    AT_HWCAP = 16,
    AT_CLKTCK = 17,
    AT_SECURE = 23,
    AT_RANDOM = 25,
    AT_EXECFN = 31
};

/* A word of the new stack. */
typedef struct {
    UWord value;
    SizeT size; /* bytes that it points to, which lie on the stack too; 0: it is a number */
} Item;

static void put(XArray *items, UWord value, SizeT size)
{
    const Item item = {value, size};

    VG_(addToXA)(items, &item);
}

static void put_text(XArray *items, const HChar *text)
{
    put(items, (UWord)text, VG_(strlen)(text) + 1);
}

/*--- Names ---*/

static SizeT folder_size(const HChar *path)
{
    const HChar *slash = VG_(strrchr)(path, '/');

    return slash ? (SizeT)(slash - path) : 0;
}

/* The program's own file is in the folder of `path`. */
static Bool is_beside_program(const HChar *path)
{
    HChar own[VKI_PATH_MAX], folder[VKI_PATH_MAX];
    struct vg_stat a, b;

    if (!cp_fixed_find(own, cp_fixed_program()) || VG_(strlen)(path) + 3 > sizeof folder)
        return False;
    own[folder_size(own)] = '\0';
    VG_(strcpy)(folder, path);
    VG_(strcpy)(folder + folder_size(path), "/.");
    return !sr_isError(VG_(stat)(*own ? own : "/", &a)) && !sr_isError(VG_(stat)(folder, &b)) &&
           a.dev == b.dev && a.ino == b.ino;
}

/* The name by which the program was called, with its folder's name fixed. */
static const HChar *called(const HChar *path)
{
    HChar name[VKI_PATH_MAX], whole[VKI_PATH_MAX];
    SizeT size = 0;

    if (!VG_(strchr)(path, '/') || VG_(strlen)(path) >= VKI_PATH_MAX / 2)
        return path;
    if (is_beside_program(path)) {
        VG_(strcpy)(name, cp_fixed_program());
        VG_(strncpy)(name + folder_size(name), path + folder_size(path), VKI_PATH_MAX / 2);
        return VG_(strdup)("cp.fixed.stack.1", name);
    }
    if (*path != '/' && VG_(get_startup_wd)())
        size = VG_(snprintf)(whole, VKI_PATH_MAX / 2, "%s/", VG_(get_startup_wd)());
    VG_(strcpy)(whole + size, path);
    cp_fixed_put_name(name, whole, VG_(strlen)(whole));
    return VG_(strdup)("cp.fixed.stack.2", name);
}

/*--- The environment ---*/

static Bool is_variable(const HChar *entry, const HChar *name)
{
    SizeT size = VG_(strlen)(name);

    return !VG_(strncmp)(entry, name, size) && entry[size] == '=';
}

/* The entry without the library that the core preloads, which stands in front of the program's own;
 * NULL: nothing is left. */
static const HChar *without_preload(const HChar *entry)
{
    static const HChar library[] = "/vgpreload_core-";
    const HChar *at = VG_(strstr)(entry, library);
    HChar *text;

    if (!at)
        return entry;
    at = VG_(strchr)(at, ':');
    if (!at || !at[1])
        return NULL;
    text = VG_(malloc)("cp.fixed.stack.3", VG_(strlen)(entry) + 1);
    VG_(sprintf)(text, "LD_PRELOAD=%s", at + 1);
    return text;
}

/* The entry with names for the folders in its list: ld.so looks at each byte of it. */
static const HChar *with_names(const HChar *entry)
{
    HChar name[VKI_PATH_MAX], *text;
    const HChar *at = VG_(strchr)(entry, '=') + 1, *end;
    SizeT size = (SizeT)(at - entry), folders = 1;

    for (end = at; *end; end++)
        folders += *end == ':';
    text = VG_(malloc)("cp.fixed.stack.7", VG_(strlen)(entry) + folders * 16 + 1);
    VG_(memcpy)(text, entry, size);
    for (;; at = end + 1) {
        for (end = at; *end && *end != ':'; end++)
            ;
        cp_fixed_put_name(name, at, (SizeT)(end - at));
        size += VG_(sprintf)(text + size, "%s%s", name, *end ? ":" : "");
        if (!*end)
            return text;
    }
}

/* The variable as the program gets it; NULL: not at all. Tunables would choose other code in libc,
 * by the machine that somebody set them for. */
static const HChar *variable(const HChar *entry)
{
    if (is_variable(entry, "VALGRIND_LIB") || is_variable(entry, "GLIBC_TUNABLES"))
        return NULL;
    if (is_variable(entry, "LD_LIBRARY_PATH"))
        return with_names(entry);
    return is_variable(entry, "LD_PRELOAD") ? without_preload(entry) : entry;
}

/*--- The auxiliary vector ---*/

static void put_entry(XArray *items, UWord type, UWord value)
{
    put(items, type, 0);
    if (type == AT_PLATFORM)
        put_text(items, (const HChar *)value);
    else if (type == AT_EXECFN)
        put_text(items, called((const HChar *)value));
    else if (type == AT_RANDOM)
        put(items, value, RANDOM_BYTES);
    else
        put(items, type == AT_HWCAP ? cp_arch_hardware() : value, 0);
}

/* Entries that every system has, in a fixed order. */
static void put_vector(XArray *items, const UWord *vector)
{
    static const UChar types[] = {AT_HWCAP, AT_PAGESZ, AT_CLKTCK, AT_PHDR,     AT_PHENT, AT_PHNUM,
                                  AT_BASE,  AT_FLAGS,  AT_ENTRY,  AT_UID,      AT_EUID,  AT_GID,
                                  AT_EGID,  AT_SECURE, AT_RANDOM, AT_PLATFORM, AT_EXECFN};

    for (UInt i = 0; i < sizeof types; i++)
        for (const UWord *entry = vector; entry[0] != AT_NULL; entry += 2)
            if (entry[0] == types[i])
                put_entry(items, entry[0], entry[1]);
    put(items, AT_NULL, 0);
    put(items, 0, 0);
}

/*--- The stack ---*/

static const UWord *vector_of(const UWord *stack)
{
    const UWord *at = stack + 1 + stack[0] + 1;

    while (*at++)
        ;
    return at;
}

static void put_all(XArray *items, const UWord *stack)
{
    const HChar *const *at = (const HChar *const *)(stack + 1);

    put(items, stack[0], 0);
    for (UWord i = 0; i < stack[0]; i++, at++)
        put_text(items, i ? *at : called(*at));
    put(items, 0, 0);
    for (at++; *at; at++) {
        const HChar *entry = variable(*at);

        if (entry)
            put_text(items, entry);
    }
    put(items, 0, 0);
    put_vector(items, vector_of(stack));
}

/* Puts the texts behind the words, and has the words point to where they will lie. */
static void lay_out(XArray *items, UChar *image, Addr at)
{
    SizeT next = VG_ROUNDUP((SizeT)VG_(sizeXA)(items) * sizeof(UWord), PAGE);

    for (Word i = 0; i < VG_(sizeXA)(items); i++) {
        const Item *item = VG_(indexXA)(items, i);
        UWord value = item->size ? at + next : item->value;

        VG_(memcpy)(image + (SizeT)i * sizeof value, &value, sizeof value);
        if (item->size)
            VG_(memcpy)(image + next, (const void *)item->value, item->size);
        next += VG_ROUNDUP(item->size, ALIGNMENT);
    }
}

static SizeT room_for(XArray *items)
{
    SizeT size = VG_ROUNDUP((SizeT)VG_(sizeXA)(items) * sizeof(UWord), PAGE);

    for (Word i = 0; i < VG_(sizeXA)(items); i++)
        size += VG_ROUNDUP(((const Item *)VG_(indexXA)(items, i))->size, ALIGNMENT);
    return VG_ROUNDUP(size + ALIGNMENT, ROOM);
}

/* The core's copy of what the kernel shows of the stack: /proc/self/auxv, cmdline. */
static void write_copy(Int fd, const void *bytes, SizeT size)
{
    if (fd < 0 || sr_isError(VG_(do_syscall)(__NR_ftruncate, (UWord)fd, 0, 0, 0, 0, 0, 0, 0)))
        return;
    VG_(lseek)(fd, 0, VKI_SEEK_SET);
    VG_(write)(fd, bytes, (Int)size);
}

static void write_copies(const UWord *stack)
{
    const UWord *vector = vector_of(stack), *end = vector;
    const HChar *first = (const HChar *)stack[1], *name;
    XArray *line = VG_(newXA)(VG_(malloc), "cp.fixed.stack.4", VG_(free), 1);

    while (end[0] != AT_NULL)
        end += 2;
    write_copy(VG_(cl_auxv_fd), vector, (SizeT)(end + 2 - vector) * sizeof *vector);
    for (UWord i = 0; i < stack[0]; i++) {
        name = i ? (const HChar *)stack[1 + i] : first;
        VG_(addBytesToXA)(line, name, (Word)VG_(strlen)(name) + 1);
    }
    if (VG_(sizeXA)(line))
        write_copy(VG_(cl_cmdline_fd), VG_(indexXA)(line, 0), (SizeT)VG_(sizeXA)(line));
    VG_(deleteXA)(line);
}

/* False: there is no room, and the stack is as it was. */
static Bool move_stack(ThreadId tid, XArray *items)
{
    SizeT room = room_for(items);
    Addr end = VG_(clstk_end) + 1, sp = end - room, old = VG_(get_SP)(tid);
    UChar *image;

    if (!VG_(extend_stack)(tid, sp - PAGE))
        return False;
    image = VG_(calloc)("cp.fixed.stack.5", 1, room);
    lay_out(items, image, sp);
    if (old < sp)
        VG_(memset)((void *)old, 0, sp - old);
    VG_(memcpy)((void *)sp, image, room);
    VG_(free)(image);
    VG_(set_SP)(tid, sp);
    return True;
}

/* Threads' stacks are as large as the limit says. A larger one than usual may be needed. */
static void fix_limit(void)
{
    const struct vki_rlimit usual = {8 << 20, ~0UL};

    if (VG_(client_rlimit_stack).rlim_cur <= usual.rlim_cur ||
        VG_(client_rlimit_stack).rlim_cur == usual.rlim_max)
        VG_(client_rlimit_stack) = usual;
}

void cp_fixed_start(ThreadId tid)
{
    static Bool is_done;
    XArray *items;
    UWord *stack;

    if (is_done || !clo_fixed_machine)
        return;
    is_done = True;
    fix_limit();
    items = VG_(newXA)(VG_(malloc), "cp.fixed.stack.6", VG_(free), sizeof(Item));
    put_all(items, (const UWord *)VG_(get_SP)(tid));
    if (!move_stack(tid, items))
        VG_(umsg)("no room to fix the stack\n");
    VG_(deleteXA)(items);
    stack = (UWord *)VG_(get_SP)(tid);
    VG_(client_envp) = (HChar **)(stack + 1 + stack[0] + 1);
    VG_(client_auxv) = (UWord *)vector_of(stack);
    write_copies(stack);
}
