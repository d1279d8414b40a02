/*
 * cp_patched.c - data structure: a list of memory that was mapped for execution and shared, or made
 * executable later, and so may be shared; the newest first. It stays when the memory is unmapped:
 * code that comes to lie there is looked at more often than it needs.
 */
#include "cp_patched.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vkiscnums.h"

typedef struct Shared {
    Addr start, end;
    struct Shared *next;
} Shared;

static Shared *shared;

static Bool is_shared(Addr address)
{
    const Shared *s = shared;

    while (s && (address < s->start || address >= s->end))
        s = s->next;
    return s != NULL;
}

Bool cp_patched_may_be(Addr address, SizeT size)
{
    const NSegment *s = VG_(am_find_nsegment)(address);
    Bool is_on = s && address + size - 1 > s->end;

    if (!s || s->kind != SkFileC)
        return False;
    return s->hasW || is_shared(address) || (is_on && cp_patched_may_be(s->end + 1, 1));
}

static void add(Addr start, SizeT size)
{
    Shared *s = shared;

    while (s && (s->start != start || s->end != start + size))
        s = s->next;
    if (s)
        return;
    s = VG_(malloc)("cp.patched.1", sizeof *s);
    *s = (Shared){.start = start, .end = start + size, .next = shared};
    shared = s;
}

/* Forgets translations of files' code in memory that has become writable: those made from now on
 * look whether it has changed. */
static void forget(Addr start, SizeT size)
{
    const NSegment *s;

    for (Addr at = start; at - start < size && (s = VG_(am_find_nsegment)(at)); at = s->end + 1)
        if (s->kind == SkFileC)
            VG_(discard_translations)(at, start + size - at, "cp_patched");
}

void cp_patched_syscall(UInt number, const UWord *args, UWord result)
{
    switch (number) {
    case __NR_mmap:
        if (args[2] & VKI_PROT_EXEC && args[3] & VKI_MAP_SHARED && !(args[3] & VKI_MAP_ANONYMOUS))
            add(result, VG_PGROUNDUP(args[1]));
        break;
    case __NR_mremap:
        if (is_shared(args[0]))
            add(result, VG_PGROUNDUP(args[2]));
        break;
    case __NR_mprotect:
    case __NR_pkey_mprotect:
        if (args[2] & VKI_PROT_WRITE)
            forget(args[0], args[1]);
        else if (args[2] & VKI_PROT_EXEC)
            add(args[0], args[1]);
        break;
    default:
        break;
    }
}
