/*
 * cp_kept.c - data structure #1: a list of objects, each with its file. #2: a hash table of lists
 * of this run's own translations, by address.
 */
#include "cp_kept.h"

#include "cp_context.h"
#include "cp_core.h"
#include "cp_hash.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

/* Bytes that one run adds, and has in memory until its end. */
#define MOST_NEW      (256ULL << 20)
#define CHUNK         (1U << 20)
/* A file is written anew where at least this part of all its translations is new. */
#define WORTH_WRITING 64

typedef struct KeptNew {
    Addr address;
    Kept *kept;
    struct KeptNew *next;           /* an older one at the same address */
    struct KeptNew *next_of_object; /* an older one */
} KeptNew;

/* An object at an address. */
typedef struct KeptObject {
    ULong device, inode;
    Addr base;
    KeptFile file;
    KeptNew *news;
    UInt n_news, n_written;
    struct KeptObject *next;
} KeptObject;

static Pool news = {.size = sizeof(KeptNew), .tag = "cp.kept.1"};
static HashTable new_table;

static KeptKey the_key;
static KeptObject *objects; /* the one that was asked for last is the first */
static Bool writes;

/*--- Objects ---*/

/* Each has a file of its own for each key. */
static HChar *file_path(const HChar *object, Addr base)
{
    ULong sum = cp_kept_checksum(0, &the_key, sizeof the_key);
    HChar *path = VG_(malloc)("cp.kept.2", VG_(strlen)(clo_translations) + 32);

    sum = cp_kept_checksum(cp_kept_checksum(sum, &base, sizeof base), object, VG_(strlen)(object));
    VG_(sprintf)(path, "%s/%016llx", clo_translations, sum);
    return path;
}

static KeptObject *new_object(const NSegment *s, Addr base)
{
    const HChar *name = VG_(am_get_filename)(s);
    KeptObject *o = VG_(calloc)("cp.kept.10", 1, sizeof *o);

    o->device = s->dev;
    o->inode = s->ino;
    o->base = base;
    o->file.key = &the_key;
    o->file.path = name ? file_path(name, base) : NULL;
    if (o->file.path)
        cp_kept_file_open(&o->file);
    return o;
}

/* The object that the segment is of. */
static KeptObject *object_of(const NSegment *s)
{
    Addr base = s->start - (Addr)s->offset;
    KeptObject **at = &objects, *o;

    while (*at && ((*at)->base != base || (*at)->inode != s->ino || (*at)->device != s->dev))
        at = &(*at)->next;
    o = *at;
    if (o == objects && o)
        return o;
    if (o)
        *at = o->next;
    else
        o = new_object(s, base);
    o->next = objects;
    return objects = o;
}

/* True if the process has rights that its user lacks. */
static Bool has_rights(void)
{
    return sr_Res(VG_(do_syscall)(__NR_getuid, 0, 0, 0, 0, 0, 0, 0, 0)) != (UWord)VG_(geteuid)() ||
           sr_Res(VG_(do_syscall)(__NR_getgid, 0, 0, 0, 0, 0, 0, 0, 0)) != (UWord)VG_(getegid)();
}

Bool cp_kept_begin(const KeptKey *key)
{
    the_key = *key;
    return writes = !has_rights();
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

void cp_kept_walk(KeptWalk *walk, const NSegment *segment, Addr address)
{
    const KeptNew key = {.address = address};

    walk->address = address;
    walk->file = &object_of(segment)->file;
    walk->next_old = cp_kept_file_first(walk->file, address);
    walk->next_new = cp_hash_get(&new_table, &key, hash_new, same_new);
}

const Kept *cp_kept_next(KeptWalk *walk)
{
    const KeptFile *f = walk->file;
    KeptNew *own = walk->next_new;

    walk->is_old = !own;
    if (own) {
        walk->next_new = own->next;
        return own->kept;
    }
    while (walk->next_old < f->n_entries && f->entries[walk->next_old].address == walk->address) {
        const Kept *k = cp_kept_file_at(walk->file, walk->next_old++);
        if (k)
            return k;
    }
    return NULL;
}

void cp_kept_use(const KeptWalk *walk)
{
    if (walk->is_old)
        walk->file->used[walk->next_old - 1] = True;
}

/*--- Adding ---*/

/* Memory that is never freed: there are many copies, and the core's allocator takes its time. */
static void *room(UInt size)
{
    static UChar *chunk;
    static UInt left;
    void *start;

    if (size > left) {
        left = size > CHUNK ? size : CHUNK;
        chunk = VG_(malloc)("cp.kept.5", left);
    }
    start = chunk;
    chunk += size;
    left -= size;
    return start;
}

/* A copy of the translation with its pieces. */
static Kept *copy(const Kept *kept, const UChar *parts, const Hole *holes, const UChar *guest,
                  const UChar *host)
{
    UInt size = cp_kept_size(kept);
    Kept *k = room(size);
    ULong *end = (ULong *)((UChar *)k + size);

    end[-1] = 0; /* the bytes behind the last piece, too, are in the checksum */
    *k = *kept;
    k->size = size;
    VG_(memcpy)((UChar *)(k + 1), parts, k->parts_size);
    VG_(memcpy)((Hole *)cp_kept_holes(k), holes, k->n_holes * sizeof *holes);
    VG_(memcpy)((UChar *)cp_kept_guest(k), guest, k->guest_size);
    VG_(memcpy)((UChar *)cp_kept_host(k), host, k->host_size);
    return k;
}

void cp_kept_add(const NSegment *segment, const Kept *kept, const UChar *parts, const Hole *holes,
                 const UChar *guest, const UChar *host)
{
    static ULong total;
    KeptObject *o = object_of(segment);
    KeptNew *own, **place;

    total += cp_kept_size(kept);
    if (total > MOST_NEW || !o->file.path)
        return;
    own = cp_pool_add(&news);
    place = news_at(kept->address);
    *own = (KeptNew){.address = kept->address,
                     .kept = copy(kept, parts, holes, guest, host),
                     .next = *place,
                     .next_of_object = o->news};
    *place = o->news = own;
    o->n_news++;
}

/*--- Writing ---*/

static Bool is_worth_writing(const KeptObject *o)
{
    UInt added = o->n_news - o->n_written;

    return added && (ULong)added * WORTH_WRITING >= (ULong)o->file.n_entries + o->n_written;
}

static void write_object(KeptObject *o)
{
    const Kept **all = VG_(malloc)("cp.kept.11", (o->n_news + 1) * sizeof *all);
    UInt n = 0;

    for (const KeptNew *own = o->news; own; own = own->next_of_object)
        all[n++] = own->kept;
    cp_kept_file_write(&o->file, all, n);
    VG_(free)(all);
    o->n_written = o->n_news; /* a program may try to go on as another one, again and again */
}

void cp_kept_write(void)
{
    for (KeptObject *o = objects; o && writes; o = o->next)
        if (is_worth_writing(o))
            write_object(o);
}

void cp_kept_forget(void)
{
    writes = False;
}
