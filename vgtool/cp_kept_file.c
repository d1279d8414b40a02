/*
 * cp_kept_file.c - data structure: the file, mapped: a header, translations, and an index of them.
 */
#include "cp_kept_file.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "cp_file.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#define MAGIC "cprofT2" /* of 8 bytes */

/* Constants of the kernel that Valgrind's headers lack. */
#define O_CLOSE_EXEC   02000000
#define LIMIT_FILE     1   /* RLIMIT_FSIZE */
#define WRITE_OTHERS   022 /* S_IWGRP and S_IWOTH */
#define LOCK_EXCLUSIVE 2
#define LOCK_NO_WAIT   4

/* A translation goes when the file was written so often without its use. */
#define UNUSED_WRITES 20

/* Another process that writes is waited for: so often, so long. */
#define LOCK_TRIES 200
#define LOCK_PAUSE 10 /* ms */

typedef struct {
    HChar magic[8];
    ULong checksum; /* of the rest of the header, and the index */
    KeptKey key;
    ULong size; /* of the file */
    ULong index;
    ULong n;
} FileHeader;

typedef enum { UNSEEN, SOUND, DAMAGED } State;

/*--- Checksums ---*/

static inline void mix(ULong sums[4], const ULong words[4])
{
    for (UInt i = 0; i < 4; i++) {
        sums[i] = (sums[i] ^ words[i]) * 0x9E3779B97F4A7C15ULL;
        sums[i] ^= sums[i] >> 32;
    }
}

ULong cp_kept_checksum(ULong sum, const void *bytes, SizeT size)
{
    const UChar *at = bytes;
    ULong sums[4] = {sum, 1, 2, 3}, words[4];

    for (; size >= sizeof words; at += sizeof words, size -= sizeof words) {
        __builtin_memcpy(words, at, sizeof words);
        mix(sums, words);
    }
    VG_(memset)(words, 0, sizeof words);
    VG_(memcpy)(words, at, size);
    mix(sums, words);
    for (UInt i = 1; i < 4; i++) {
        sums[0] = (sums[0] ^ sums[i]) * 0xBB67AE8584CAA73BULL;
        sums[0] ^= sums[0] >> 29;
    }
    return sums[0];
}

/*--- Pieces of a translation ---*/

static UInt round_up(UInt size)
{
    return (size + 7) & ~7u;
}

Recipe cp_kept_recipe(const Kept *k)
{
    return (Recipe){.parts = (const UChar *)(k + 1), .size = k->parts_size, .n = k->n_parts};
}

const Hole *cp_kept_holes(const Kept *k)
{
    return (const Hole *)((const UChar *)(k + 1) + k->parts_size);
}

const UChar *cp_kept_guest(const Kept *k)
{
    return (const UChar *)(cp_kept_holes(k) + k->n_holes);
}

const UChar *cp_kept_host(const Kept *k)
{
    return cp_kept_guest(k) + k->guest_size;
}

UInt cp_kept_size(const Kept *k)
{
    return round_up((UInt)sizeof *k + k->parts_size + k->n_holes * (UInt)sizeof(Hole) +
                    k->guest_size + k->host_size);
}

/* True if it is one, in `size` bytes. */
static Bool is_sound(const Kept *k, const KeptEntry *e)
{
    Recipe recipe;

    if (e->size < sizeof *k || k->size != e->size || k->parts_size > e->size || k->parts_size % 8 ||
        cp_kept_size(k) != e->size || k->address != e->address || k->is_cold != e->is_cold ||
        !k->guest_size || !k->host_size)
        return False;
    recipe = cp_kept_recipe(k);
    return cp_recipe_is_sound(&recipe, cp_kept_holes(k), k->n_holes, k->host_size);
}

/*--- Looking for translations ---*/

UInt cp_kept_file_first(const KeptFile *file, Addr address)
{
    UInt low = 0, high = file->n_entries;

    while (low < high) {
        UInt middle = low + (high - low) / 2;
        if (file->entries[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const Kept *cp_kept_file_at(KeptFile *file, UInt i)
{
    const KeptEntry *e = &file->entries[i];
    const Kept *k = (const Kept *)(file->bytes + e->offset);

    if (file->states[i] == UNSEEN)
        file->states[i] =
            cp_kept_checksum(0, k, e->size) == e->checksum && is_sound(k, e) ? SOUND : DAMAGED;
    return file->states[i] == SOUND ? k : NULL;
}

/*--- Opening the file ---*/

static Bool is_trusted(const struct vg_stat *st)
{
    return VKI_S_ISREG(st->mode) && st->uid == (UInt)VG_(geteuid)() && !(st->mode & WRITE_OTHERS) &&
           st->size >= (Long)sizeof(FileHeader);
}

/* Everything but the translations. */
static Bool is_whole(const FileHeader *h, ULong size, const KeptKey *key)
{
    if (VG_(memcmp)(h->magic, MAGIC, sizeof h->magic) || h->size != size ||
        VG_(memcmp)(&h->key, key, sizeof *key) || h->index > size || h->index % 8 ||
        h->n > (size - h->index) / sizeof(KeptEntry) || h->index + h->n * sizeof(KeptEntry) != size)
        return False;
    return h->checksum ==
           cp_kept_checksum(cp_kept_checksum(0, &h->key, sizeof *h - offsetof(FileHeader, key)),
                            (const UChar *)h + h->index, h->n * sizeof(KeptEntry));
}

/* The index's order, and that its translations lie in front of it. */
static Bool is_in_order(const KeptEntry *e, ULong n, ULong index)
{
    for (ULong i = 0; i < n; i++)
        if ((i && e[i].address < e[i - 1].address) || e[i].offset % 8 ||
            e[i].offset < sizeof(FileHeader) || e[i].offset > index ||
            e[i].size > index - e[i].offset)
            return False;
    return True;
}

static void take(KeptFile *file, const UChar *bytes, ULong size)
{
    const FileHeader *h = (const FileHeader *)bytes;

    if (!is_whole(h, size, file->key) ||
        !is_in_order((const KeptEntry *)(bytes + h->index), h->n, h->index))
        return;
    file->bytes = bytes;
    file->entries = (const KeptEntry *)(bytes + h->index);
    file->n_entries = (UInt)h->n;
    file->states = VG_(calloc)("cp.kept.3", file->n_entries + 1, sizeof *file->states);
    file->used = VG_(calloc)("cp.kept.4", file->n_entries + 1, sizeof *file->used);
}

static void map(KeptFile *file, Int fd, const struct vg_stat *st)
{
    SysRes mapped;

    /* The time of the last use: the oldest files go first. */
    VG_(do_syscall)(__NR_utimensat, (UWord)fd, 0, 0, 0, 0, 0, 0, 0);
    mapped = VG_(am_mmap_file_float_valgrind)((SizeT)st->size, VKI_PROT_READ, fd, 0);
    if (!sr_isError(mapped))
        take(file, (const UChar *)sr_Res(mapped), (ULong)st->size);
}

void cp_kept_file_open(KeptFile *file)
{
    /* Opening a pipe would wait for its writer. */
    SysRes opened =
        VG_(open)(file->path, VKI_O_RDONLY | CP_O_NO_FOLLOW | O_CLOSE_EXEC | VKI_O_NONBLOCK, 0);
    struct vg_stat st;

    if (sr_isError(opened))
        return;
    if (VG_(fstat)((Int)sr_Res(opened), &st) == 0 && is_trusted(&st) &&
        (st.dev != file->device || st.ino != file->inode)) {
        file->device = st.dev;
        file->inode = st.ino;
        map(file, (Int)sr_Res(opened), &st);
    }
    VG_(close)((Int)sr_Res(opened));
}

/*--- Writing the file ---*/

/* A translation that goes into the file. */
typedef struct {
    KeptEntry entry;
    const Kept *kept;
} Outgoing;

static struct {
    Int fd;
    Bool failed;
    UInt n;
    ULong at;
    UChar buffer[64 * 1024];
} out;

static void flush(void)
{
    if (!out.failed)
        out.failed = cp_file_write(out.fd, out.buffer, out.n) != 0;
    out.n = 0;
}

static void put(const void *bytes, SizeT size)
{
    const UChar *at = bytes;

    out.at += size;
    while (size) {
        SizeT n = sizeof out.buffer - out.n;
        n = n < size ? n : size;
        VG_(memcpy)(out.buffer + out.n, at, n);
        out.n += (UInt)n;
        at += n;
        size -= n;
        if (out.n == sizeof out.buffer)
            flush();
    }
}

static Int by_address(const void *a, const void *b)
{
    const Outgoing *x = a, *y = b;

    if (x->entry.address != y->entry.address)
        return x->entry.address < y->entry.address ? -1 : 1;
    return x->entry.is_cold - y->entry.is_cold;
}

/* True if the file has this translation. */
static Bool has(const KeptFile *file, Addr address, ULong checksum)
{
    for (UInt i = cp_kept_file_first(file, address);
         i < file->n_entries && file->entries[i].address == address; i++)
        if (file->entries[i].checksum == checksum)
            return True;
    return False;
}

static UInt collect_old(KeptFile *file, Outgoing *all)
{
    UInt n = 0;

    for (UInt i = 0; i < file->n_entries; i++) {
        Outgoing o = {.entry = file->entries[i], .kept = cp_kept_file_at(file, i)};
        o.entry.unused_writes = file->used[i] ? 0 : (UShort)(o.entry.unused_writes + 1);
        if (o.kept && o.entry.unused_writes < UNUSED_WRITES)
            all[n++] = o;
    }
    return n;
}

/* All that the new file will have. */
static Outgoing *collect(KeptFile *file, const Kept *const *news, UInt n_news, UInt *n)
{
    Outgoing *all = VG_(malloc)("cp.kept.6", ((SizeT)file->n_entries + n_news + 1) * sizeof *all);

    *n = collect_old(file, all);
    for (const Kept *const *k = news; k < news + n_news; k++) {
        Outgoing o = {.entry = {.address = (*k)->address,
                                .checksum = cp_kept_checksum(0, *k, (*k)->size),
                                .size = (*k)->size,
                                .is_cold = (*k)->is_cold},
                      .kept = *k};
        if (!has(file, o.entry.address, o.entry.checksum))
            all[(*n)++] = o;
    }
    VG_(ssort)(all, *n, sizeof *all, by_address);
    return all;
}

/* True if one of the translations in front of `end`, of hot code at the same address, does all that
 * this one of cold code does. */
static Bool is_superseded(const Kept *k, const Outgoing *all, const Outgoing *end)
{
    while (end-- > all && end->entry.address == k->address) {
        const Kept *hot = end->kept;
        if (!hot->is_cold && hot->keeps_totals == k->keeps_totals &&
            hot->guest_size == k->guest_size &&
            !VG_(memcmp)(cp_kept_guest(hot), cp_kept_guest(k), k->guest_size))
            return True;
    }
    return False;
}

static UInt drop_superseded(Outgoing *all, UInt n)
{
    UInt left = 0;

    for (UInt i = 0; i < n; i++)
        if (!all[i].entry.is_cold || !is_superseded(all[i].kept, all, all + left))
            all[left++] = all[i];
    return left;
}

/* Returns the checksum that goes on after `sum`. */
static ULong put_index(const Outgoing *all, UInt n, ULong sum)
{
    SizeT size = n * sizeof(KeptEntry);
    KeptEntry *index = VG_(malloc)("cp.kept.7", size + 1);

    for (UInt i = 0; i < n; i++)
        index[i] = all[i].entry;
    put(index, size);
    sum = cp_kept_checksum(sum, index, size);
    VG_(free)(index);
    return sum;
}

/* The head stands at the beginning, and is known at the end. */
static void put_all(const KeptKey *key, Outgoing *all, UInt n)
{
    FileHeader h = {.magic = MAGIC, .key = *key, .n = n};

    put(&h, sizeof h);
    for (UInt i = 0; i < n; i++) {
        all[i].entry.offset = out.at;
        put(all[i].kept, all[i].entry.size);
    }
    h.index = out.at;
    h.size = h.index + n * sizeof(KeptEntry);
    h.checksum =
        put_index(all, n, cp_kept_checksum(0, &h.key, sizeof h - offsetof(FileHeader, key)));
    flush();
    VG_(lseek)(out.fd, 0, VKI_SEEK_SET);
    put(&h, sizeof h);
    flush();
}

/* True if the process may write a file of this size: else it would get a signal. */
static Bool may_write(ULong size)
{
    struct vki_rlimit limit;

    return VG_(getrlimit)(LIMIT_FILE, &limit) == 0 && limit.rlim_cur > size;
}

static ULong size_of(const Outgoing *all, UInt n)
{
    ULong size = sizeof(FileHeader) + n * sizeof(KeptEntry);

    for (UInt i = 0; i < n; i++)
        size += all[i].entry.size;
    return size;
}

/* Writes to a temporary name, which is new: what is there may be a link. */
static void write_all(const KeptFile *file, Outgoing *all, UInt n)
{
    HChar *temporary = VG_(malloc)("cp.kept.8", VG_(strlen)(file->path) + 32);
    SysRes opened;

    VG_(sprintf)(temporary, "%s.tmp%d", file->path, VG_(getpid)());
    opened = VG_(open)(
        temporary, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL | CP_O_NO_FOLLOW | O_CLOSE_EXEC, 0600);
    if (!sr_isError(opened)) {
        VG_(memset)(&out, 0, sizeof out - sizeof out.buffer);
        out.fd = (Int)sr_Res(opened);
        put_all(file->key, all, n);
        VG_(close)(out.fd);
        if (out.failed || VG_(rename)(temporary, file->path) != 0)
            VG_(unlink)(temporary);
    }
    VG_(free)(temporary);
}

/* Takes what another process has written since, and marks in it what this run used. */
static void open_newest(KeptFile *file)
{
    const KeptFile old = *file;

    cp_kept_file_open(file);
    if (file->bytes == old.bytes)
        return;
    for (UInt i = 0; i < old.n_entries; i++) {
        const KeptEntry *e = &old.entries[i];
        UInt at = old.used[i] ? cp_kept_file_first(file, e->address) : file->n_entries;
        for (; at < file->n_entries && file->entries[at].address == e->address; at++)
            if (file->entries[at].checksum == e->checksum)
                file->used[at] = True;
    }
}

static void write_locked(KeptFile *file, const Kept *const *news, UInt n_news)
{
    Outgoing *all;
    UInt n;

    open_newest(file);
    all = collect(file, news, n_news, &n);
    n = drop_superseded(all, n);
    if (may_write(size_of(all, n)))
        write_all(file, all, n);
    VG_(free)(all);
}

/* The folder, open and locked; it is no longer when it is closed. -1: it cannot be. One process
 * writes there at a time. */
static Int lock_folder(const HChar *path)
{
    const struct {
        ULong seconds, nanoseconds;
    } pause = {0, LOCK_PAUSE * 1000000};
    HChar *folder = VG_(strdup)("cp.kept.9", path);
    SysRes opened;

    *VG_(strrchr)(folder, '/') = '\0';
    opened = VG_(open)(folder, VKI_O_RDONLY | CP_O_FOLDER | O_CLOSE_EXEC, 0);
    VG_(free)(folder);
    if (sr_isError(opened))
        return -1;
    for (UInt i = 0; i < LOCK_TRIES; i++) {
        if (!sr_isError(VG_(do_syscall)(__NR_flock, sr_Res(opened), LOCK_EXCLUSIVE | LOCK_NO_WAIT,
                                        0, 0, 0, 0, 0, 0)))
            return (Int)sr_Res(opened);
        VG_(do_syscall)(__NR_nanosleep, (UWord)&pause, 0, 0, 0, 0, 0, 0, 0);
    }
    VG_(close)((Int)sr_Res(opened));
    return -1;
}

void cp_kept_file_write(KeptFile *file, const Kept *const *news, UInt n)
{
    Int lock = lock_folder(file->path);

    if (lock < 0)
        return;
    write_locked(file, news, n);
    VG_(close)(lock);
}
