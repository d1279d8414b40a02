/*
 * cp_random.c - watches system calls and instructions that give random bytes, and replaces the
 * bytes.
 */
#include "cp_random.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_vkiscnums.h"

#define AT_NULL   0
#define AT_RANDOM 25

/* The key of glibc's malloc has this size and flag, GRND_NONBLOCK (malloc/malloc.c,
 * tcache_key_initialize). */
#define KEY_SIZE  8
#define KEY_FLAGS 1

static Bool used;
static Bool device_opened; /* from then on reads may come from a random device */

/* xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003). Any fixed sequence would do. */
static ULong state = 88172645463325252ULL;

static ULong next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void fill(Addr at, UWord size)
{
    for (UWord i = 0; i < size; i++)
        ((UChar *)at)[i] = (UChar)(next() >> 24);
}

static Bool is_random_device(UWord fd)
{
    HChar name[32];

    return cp_core_file_name((Int)fd, name, sizeof name) &&
           (!VG_(strcmp)(name, "/dev/urandom") || !VG_(strcmp)(name, "/dev/random"));
}

void cp_random_init(void)
{
    HChar **environment = VG_(client_envp);
    const UWord *auxv;

    device_opened = is_random_device(0);
    if (!clo_deterministic)
        return;
    while (*environment)
        environment++;
    /* The auxiliary vector lies behind the environment. */
    for (auxv = (const UWord *)(environment + 1); auxv[0] != AT_NULL; auxv += 2)
        if (auxv[0] == AT_RANDOM)
            fill(auxv[1], 16);
}

/* Fills the pieces of `vector` with the n bytes that a random device gave. */
static void fill_vector(const struct vki_iovec *vector, UWord pieces, UWord n)
{
    for (UWord i = 0; i < pieces && n; i++) {
        UWord size = vector[i].iov_len < n ? vector[i].iov_len : n;
        fill((Addr)vector[i].iov_base, size);
        n -= size;
    }
}

static void after_read(UInt number, const UWord *args, UWord n)
{
    if (!device_opened || !n || !is_random_device(args[0]))
        return;
    used = True;
    if (!clo_deterministic)
        return;
    if (number == __NR_readv || number == __NR_preadv)
        fill_vector((const struct vki_iovec *)args[1], args[2], n);
    else
        fill(args[1], n);
}

void cp_random_syscall(UInt number, const UWord *args, UWord result)
{
    switch (number) {
    case __NR_getrandom:
        if (args[1] != KEY_SIZE || args[2] != KEY_FLAGS)
            used = True;
        if (clo_deterministic)
            fill(args[0], result);
        break;
    case __NR_read:
    case __NR_readv:
    case __NR_pread64:
    case __NR_preadv:
        after_read(number, args, result);
        break;
    default:
        if (!device_opened && cp_arch_opens(number))
            device_opened = is_random_device(result);
        break;
    }
}

/* The result of VEX's helpers: 32 bits, and 1 in bit 32, since there were any. */
static ULong fixed_bits(void)
{
    return (next() & 0xffffffffULL) | 1ULL << 32;
}

void cp_random_instruction(IRDirty *d)
{
    if (!cp_arch_is_random(d->cee->name))
        return;
    used = True;
    if (clo_deterministic)
        d->cee->addr = VG_(fnptr_to_fnentry)(fixed_bits);
}

Bool cp_random_used(void)
{
    return used;
}

static UInt n_threads;

void cp_random_thread(void)
{
    n_threads++;
}

UInt cp_random_threads(void)
{
    return n_threads;
}

void cp_random_restart(void)
{
    n_threads = 1;
}
