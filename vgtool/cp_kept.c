/*
 * cp_kept.c - data structure #1: the file, mapped: a header, translations, and an index of them by
 * rising address. #2: a hash table of lists of this run's own translations, by address.
 *
 * The file is machine code that will run. It has to be the user's own, and nobody else may be able
 * to write to it; the program that starts the tool looks at the folders above. Checksums find
 * damage, and each translation is looked at before it is used.
 */
#include "cp_kept.h"

#include "cp_context.h"
#include "cp_core.h"
#include "cp_hash.h"
#include "cp_header.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vkiscnums.h"

#define MAGIC "cprofT1" /* of 8 bytes */

/* Constants of the kernel that Valgrind's headers lack. */
#define O_NO_FOLLOW  0400000
#define O_CLOSE_EXEC 02000000
#define LIMIT_FILE   1   /* RLIMIT_FSIZE */
#define WRITE_OTHERS 022 /* S_IWGRP and S_IWOTH */

/* Bytes that one run adds, and has in memory until its end. */
#define MOST_NEW      (256ULL << 20)
/* The file is written anew where at least this part of all translations is new. */
#define WORTH_WRITING 64
/* A translation goes when the file was written so often without its use. */
#define UNUSED_WRITES 20

typedef struct {
    Addr address;
    ULong offset, checksum;
    UInt size;
    UShort unused_writes;
    UShort is_cold;
} IndexEntry;

typedef struct {
    HChar magic[8];
    ULong checksum; /* of the rest of the header, and the index */
    KeptKey key;
    ULong size; /* of the file */
    ULong index;
    ULong n;
} FileHeader;

typedef enum { UNSEEN, SOUND, DAMAGED } State;

/* The file. */
static const UChar *file;
static const IndexEntry *entries;
static UInt n_entries;
static UChar *states; /* State, by entry */
static Bool *used;

typedef struct KeptNew {
    Addr address;
    Kept *kept;
    struct KeptNew *next; /* an older one at the same address */
} KeptNew;

static Pool news = {.size = sizeof(KeptNew), .tag = "cp.kept.1"};
static HashTable new_table;

static KeptKey the_key;
static HChar *path; /* NULL: nothing is written */

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

static UInt whole_size(const Kept *k)
{
    return round_up((UInt)sizeof *k + k->parts_size + k->n_holes * (UInt)sizeof(Hole) +
                    k->guest_size + k->host_size);
}

/* True if it is one, in `size` bytes. */
static Bool is_sound(const Kept *k, const IndexEntry *e)
{
    Recipe recipe;

    if (e->size < sizeof *k || k->size != e->size || k->parts_size > e->size || k->parts_size % 8 ||
        whole_size(k) != e->size || k->address != e->address || k->is_cold != e->is_cold ||
        !k->guest_size || !k->host_size)
        return False;
    recipe = cp_kept_recipe(k);
    return cp_recipe_is_sound(&recipe, cp_kept_holes(k), k->n_holes, k->host_size);
}

/*--- Looking for translations ---*/

static UInt hash_new(const void *element)
{
    return cp_hash(((const KeptNew *)element)->address, 0, 0);
}

static Bool same_new(const void *a, const void *b)
{
    return ((const KeptNew *)a)->address == ((const KeptNew *)b)->address;
}

static KeptNew **news_at(Addr address)
{
    const KeptNew key = {.address = address};

    return (KeptNew **)cp_hash_find(&new_table, &key, hash_new, same_new);
}

/* The first entry of the index at this address or behind it. */
static UInt first_entry(Addr address)
{
    UInt low = 0, high = n_entries;

    while (low < high) {
        UInt middle = low + (high - low) / 2;
        if (entries[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const Kept *entry_kept(UInt i)
{
    return (const Kept *)(file + entries[i].offset);
}

static Bool is_entry_sound(UInt i)
{
    const IndexEntry *e = &entries[i];
    const Kept *k = entry_kept(i);

    if (states[i] == UNSEEN)
        states[i] =
            cp_kept_checksum(0, k, e->size) == e->checksum && is_sound(k, e) ? SOUND : DAMAGED;
    return states[i] == SOUND;
}

void cp_kept_walk(KeptWalk *walk, Addr address)
{
    walk->address = address;
    walk->next_old = first_entry(address);
    walk->next_new = NULL;
    if (new_table.n) {
        const KeptNew key = {.address = address};
        walk->next_new = cp_hash_get(&new_table, &key, hash_new, same_new);
    }
}

const Kept *cp_kept_next(KeptWalk *walk)
{
    KeptNew *own = walk->next_new;

    walk->is_old = !own;
    if (own) {
        walk->next_new = own->next;
        return own->kept;
    }
    while (walk->next_old < n_entries && entries[walk->next_old].address == walk->address) {
        UInt i = walk->next_old++;
        if (is_entry_sound(i))
            return entry_kept(i);
    }
    return NULL;
}

void cp_kept_use(const KeptWalk *walk)
{
    if (walk->is_old)
        used[walk->next_old - 1] = True;
}

/*--- Opening the file ---*/

/* The file has a name of its own for each program and key. */
static HChar *file_path(const KeptKey *key)
{
    const HChar *program = cp_header_program();
    ULong sum =
        cp_kept_checksum(cp_kept_checksum(0, key, sizeof *key), program, VG_(strlen)(program));
    HChar *name = VG_(malloc)("cp.kept.2", VG_(strlen)(clo_translations) + 32);

    VG_(sprintf)(name, "%s/%016llx", clo_translations, sum);
    return name;
}

/* True if the process has rights that its user lacks. */
static Bool has_rights(void)
{
    return sr_Res(VG_(do_syscall)(__NR_getuid, 0, 0, 0, 0, 0, 0, 0, 0)) != (UWord)VG_(geteuid)() ||
           sr_Res(VG_(do_syscall)(__NR_getgid, 0, 0, 0, 0, 0, 0, 0, 0)) != (UWord)VG_(getegid)();
}

static Bool is_trusted(const struct vg_stat *st)
{
    return VKI_S_ISREG(st->mode) && st->uid == (UInt)VG_(geteuid)() && !(st->mode & WRITE_OTHERS) &&
           st->size >= (Long)sizeof(FileHeader);
}

/* Everything but the translations. */
static Bool is_whole(const FileHeader *h, ULong size)
{
    if (VG_(memcmp)(h->magic, MAGIC, sizeof h->magic) || h->size != size ||
        VG_(memcmp)(&h->key, &the_key, sizeof the_key) || h->index > size || h->index % 8 ||
        h->n > (size - h->index) / sizeof(IndexEntry) ||
        h->index + h->n * sizeof(IndexEntry) != size)
        return False;
    return h->checksum ==
           cp_kept_checksum(cp_kept_checksum(0, &h->key, sizeof *h - offsetof(FileHeader, key)),
                            (const UChar *)h + h->index, h->n * sizeof(IndexEntry));
}

/* The index's order, and that its translations lie in front of it. */
static Bool is_in_order(const IndexEntry *e, ULong n, ULong index)
{
    for (ULong i = 0; i < n; i++)
        if ((i && e[i].address < e[i - 1].address) || e[i].offset % 8 ||
            e[i].offset < sizeof(FileHeader) || e[i].offset > index ||
            e[i].size > index - e[i].offset)
            return False;
    return True;
}

static void take(const UChar *bytes, ULong size)
{
    const FileHeader *h = (const FileHeader *)bytes;

    if (!is_whole(h, size) || !is_in_order((const IndexEntry *)(bytes + h->index), h->n, h->index))
        return;
    file = bytes;
    entries = (const IndexEntry *)(bytes + h->index);
    n_entries = (UInt)h->n;
    states = VG_(calloc)("cp.kept.3", n_entries + 1, sizeof *states);
    used = VG_(calloc)("cp.kept.4", n_entries + 1, sizeof *used);
}

static void map(Int fd)
{
    struct vg_stat st;
    SysRes mapped;

    if (VG_(fstat)(fd, &st) != 0 || !is_trusted(&st))
        return;
    /* The time of the last use: the oldest files go first. */
    VG_(do_syscall)(__NR_utimensat, (UWord)fd, 0, 0, 0, 0, 0, 0, 0);
    mapped = VG_(am_mmap_file_float_valgrind)((SizeT)st.size, VKI_PROT_READ, fd, 0);
    if (!sr_isError(mapped))
        take((const UChar *)sr_Res(mapped), (ULong)st.size);
}

void cp_kept_open(const KeptKey *key)
{
    SysRes opened;

    if (has_rights())
        return;
    the_key = *key;
    path = file_path(key);
    /* Opening a pipe would wait for its writer. */
    opened = VG_(open)(path, VKI_O_RDONLY | O_NO_FOLLOW | O_CLOSE_EXEC | VKI_O_NONBLOCK, 0);
    if (sr_isError(opened))
        return;
    map((Int)sr_Res(opened));
    VG_(close)((Int)sr_Res(opened));
}

/*--- Adding ---*/

void cp_kept_add(const Kept *kept, const UChar *parts, const Hole *holes, const UChar *guest,
                 const UChar *host)
{
    static ULong total;
    UInt size = whole_size(kept);
    KeptNew *own, **place;
    Kept *k;

    if (total + size > MOST_NEW)
        return;
    total += size;
    k = VG_(calloc)("cp.kept.5", 1, size);
    own = cp_pool_add(&news);
    place = news_at(kept->address);
    *k = *kept;
    k->size = size;
    VG_(memcpy)((UChar *)(k + 1), parts, k->parts_size);
    VG_(memcpy)((Hole *)cp_kept_holes(k), holes, k->n_holes * sizeof *holes);
    VG_(memcpy)((UChar *)cp_kept_guest(k), guest, k->guest_size);
    VG_(memcpy)((UChar *)cp_kept_host(k), host, k->host_size);
    *own = (KeptNew){.address = k->address, .kept = k, .next = *place};
    *place = own;
}

/*--- Writing the file ---*/

/* A translation that goes into the file. */
typedef struct {
    IndexEntry entry;
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
    UInt done = 0;

    while (done < out.n && !out.failed) {
        Int n = VG_(write)(out.fd, out.buffer + done, (Int)(out.n - done));
        if (n > 0)
            done += (UInt)n;
        else
            out.failed = n != -VKI_EINTR;
    }
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

/* All that the new file will have. */
static Outgoing *collect(UInt *n)
{
    Outgoing *all = VG_(malloc)("cp.kept.6", ((SizeT)n_entries + news.n + 1) * sizeof *all);

    *n = 0;
    for (UInt i = 0; i < n_entries; i++) {
        Outgoing o = {.entry = entries[i], .kept = entry_kept(i)};
        o.entry.unused_writes = used[i] ? 0 : (UShort)(o.entry.unused_writes + 1);
        if (states[i] != DAMAGED && o.entry.unused_writes < UNUSED_WRITES)
            all[(*n)++] = o;
    }
    for (UInt i = 0; i < news.n; i++) {
        const Kept *k = ((const KeptNew *)cp_pool_at(&news, i))->kept;
        all[(*n)++] = (Outgoing){.entry = {.address = k->address,
                                           .checksum = cp_kept_checksum(0, k, k->size),
                                           .size = k->size,
                                           .is_cold = k->is_cold},
                                 .kept = k};
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
    SizeT size = n * sizeof(IndexEntry);
    IndexEntry *index = VG_(malloc)("cp.kept.7", size + 1);

    for (UInt i = 0; i < n; i++)
        index[i] = all[i].entry;
    put(index, size);
    sum = cp_kept_checksum(sum, index, size);
    VG_(free)(index);
    return sum;
}

/* The head stands at the beginning, and is known at the end. */
static void put_all(Outgoing *all, UInt n)
{
    FileHeader h = {.magic = MAGIC, .key = the_key, .n = n};

    put(&h, sizeof h);
    for (UInt i = 0; i < n; i++) {
        all[i].entry.offset = out.at;
        put(all[i].kept, all[i].entry.size);
    }
    h.index = out.at;
    h.size = h.index + n * sizeof(IndexEntry);
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
    ULong size = sizeof(FileHeader) + n * sizeof(IndexEntry);

    for (UInt i = 0; i < n; i++)
        size += all[i].entry.size;
    return size;
}

/* Writes to a temporary name, which is new: what is there may be a link. */
static void write_file(Outgoing *all, UInt n)
{
    HChar *temporary = VG_(malloc)("cp.kept.8", VG_(strlen)(path) + 32);
    SysRes opened;

    VG_(sprintf)(temporary, "%s.tmp%d", path, VG_(getpid)());
    opened = VG_(open)(temporary,
                       VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL | O_NO_FOLLOW | O_CLOSE_EXEC, 0600);
    if (!sr_isError(opened)) {
        VG_(memset)(&out, 0, sizeof out - sizeof out.buffer);
        out.fd = (Int)sr_Res(opened);
        put_all(all, n);
        VG_(close)(out.fd);
        if (out.failed || VG_(rename)(temporary, path) != 0)
            VG_(unlink)(temporary);
    }
    VG_(free)(temporary);
}

void cp_kept_write(void)
{
    static UInt written; /* a program may try to go on as another one, again and again */
    Outgoing *all;
    UInt n, added = news.n - written;

    if (!path || !added || (ULong)added * WORTH_WRITING < (ULong)n_entries + written)
        return;
    written = news.n;
    all = collect(&n);
    n = drop_superseded(all, n);
    if (may_write(size_of(all, n)))
        write_file(all, n);
    VG_(free)(all);
}

void cp_kept_forget(void)
{
    path = NULL;
}
