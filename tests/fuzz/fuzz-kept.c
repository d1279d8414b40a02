/*
 * Fuzz target for files of kept translations: what the tool reads of one, and the recipes and holes
 * that it then follows and fills. libc stands in for Valgrind's core, and here are the modules that
 * recipes ask, which check what they are asked for.
 *
 * Checksums would refuse nearly all mutated files, so they are made right first, as are sizes and
 * offsets that are outside of the file; the last byte says of which parts.
 */
#include "cp_cache.h"
#include "cp_cold.h"
#include "cp_context.h"
#include "cp_stack.h"
#include "vgtool/cp_kept_file.c" /* for its header, and for what it does before it writes */

#include <stdlib.h>
#include <string.h>

#define NEED(condition) ((condition) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const UChar *data, SizeT size);

/*--- The core ---*/

void *VG_(malloc)(const HChar *tag, SizeT n)
{
    (void)tag;
    return malloc(n);
}

void *VG_(calloc)(const HChar *tag, SizeT n, SizeT each)
{
    (void)tag;
    return calloc(n, each);
}

void *VG_(realloc)(const HChar *tag, void *memory, SizeT n)
{
    (void)tag;
    return realloc(memory, n);
}

HChar *VG_(strdup)(const HChar *tag, const HChar *text)
{
    (void)tag;
    return strdup(text);
}

void VG_(free)(void *memory)
{
    free(memory);
}

void *VG_(memcpy)(void *to, const void *from, SizeT n)
{
    return n ? memcpy(to, from, n) : to;
}

void *VG_(memset)(void *at, Int byte, SizeT n)
{
    return memset(at, byte, n);
}

Int VG_(memcmp)(const void *a, const void *b, SizeT n)
{
    return memcmp(a, b, n);
}

SizeT VG_(strlen)(const HChar *text)
{
    return strlen(text);
}

HChar *VG_(strrchr)(const HChar *text, HChar c)
{
    return strrchr(text, c);
}

void VG_(ssort)(void *base, SizeT n, SizeT each, Int (*compare)(const void *, const void *))
{
    qsort(base, n, each, compare);
}

void VG_(assert_fail)(Bool core, const HChar *expression, const HChar *file, Int line,
                      const HChar *function, const HChar *format, ...)
{
    (void)core, (void)expression, (void)file, (void)line, (void)function, (void)format;
    abort();
}

/* Nothing is opened or written here. */
UInt VG_(sprintf)(HChar *text, const HChar *format, ...)
{
    (void)text, (void)format;
    abort();
}

SysRes VG_(open)(const HChar *path, Int flags, Int mode)
{
    (void)path, (void)flags, (void)mode;
    abort();
}

void VG_(close)(Int fd)
{
    (void)fd;
    abort();
}

Int VG_(fstat)(Int fd, struct vg_stat *st)
{
    (void)fd, (void)st;
    abort();
}

Int cp_file_write(Int fd, const void *bytes, UInt n)
{
    (void)fd, (void)bytes, (void)n;
    abort();
}

Off64T VG_(lseek)(Int fd, Off64T at, Int whence)
{
    (void)fd, (void)at, (void)whence;
    abort();
}

Int VG_(rename)(const HChar *from, const HChar *to)
{
    (void)from, (void)to;
    abort();
}

Int VG_(unlink)(const HChar *path)
{
    (void)path;
    abort();
}

Int VG_(getpid)(void)
{
    abort();
}

Int VG_(geteuid)(void)
{
    abort();
}

Int VG_(getrlimit)(Int resource, struct vki_rlimit *limit)
{
    (void)resource, (void)limit;
    abort();
}

SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e, UWord f, UWord g,
                       UWord h)
{
    (void)number, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    abort();
}

SysRes VG_(am_mmap_file_float_valgrind)(SizeT length, UInt protection, Int fd, Off64T offset)
{
    (void)length, (void)protection, (void)fd, (void)offset;
    abort();
}

/*--- What recipes ask for ---*/

Bool clo_contexts = True, clo_cache_sim = True, clo_branch_sim = True, clo_heap = True;
UInt cp_min_line = 64;
Mru cp_mru_D1 = {.line_bits = 6};

static BasicBlock block;
static Function a_function;
static union {
    ColdBlock cold;
    UChar bytes[4096];
} memory;
static volatile UInt seen;

Function *cp_stack_function(Addr address)
{
    (void)address;
    return &a_function;
}

Function *cp_function_pseudo(FunctionKind kind)
{
    (void)kind;
    return &a_function;
}

void cp_superblock_begin(Addr address, Function *function)
{
    (void)address, (void)function;
}

Bool cp_cold_begin(void)
{
    return True;
}

ColdCode *cp_superblock_cold(void)
{
    return (ColdCode *)memory.bytes;
}

BasicBlock *cp_block_next(Addr start, const InstrCost *instrs, UInt n)
{
    (void)start;
    NEED(n && n <= MAX_BLOCK_INSTRS);
    for (UInt i = 0; i < n; i++)
        seen += instrs[i].delta;
    return &block;
}

AccessPoint *cp_point_next(PointKind kind, Addr address, UInt size, Bool guarded)
{
    static AccessPoint points[POINT_INDIRECT + 1][2];

    (void)address;
    NEED(kind <= POINT_INDIRECT && guarded <= True);
    NEED((kind != POINT_READ && kind != POINT_WRITE) || size <= cp_min_line);
    points[kind][guarded] =
        (AccessPoint){.kind = (UChar)kind, .size = (UShort)size, .guarded = guarded};
    return &points[kind][guarded];
}

const Addr *cp_cache_place(AccessPoint *fetch, Addr address)
{
    static Addr place;

    (void)address;
    NEED(fetch->kind == POINT_FETCH);
    return &place;
}

CallSite *cp_site_next(Function *function, Addr address, Addr back, Addr target)
{
    static CallSite site;

    (void)function, (void)address, (void)back, (void)target;
    return &site;
}

void cp_cold_add_access(ColdBlock *cold, AccessPoint *access)
{
    NEED(cold->n_accesses < COLD_ACCESSES);
    NEED(access->kind == POINT_READ || access->kind == POINT_WRITE);
    cold->n_accesses++;
}

void cp_cold_add_fetch(ColdBlock *cold, AccessPoint *fetch, Addr address, UInt size, UInt lines)
{
    (void)address, (void)size;
    NEED(cold->n_accesses < COLD_ACCESSES);
    NEED(fetch->kind == POINT_FETCH && lines >= 1 && lines <= 2);
    cold->n_accesses++;
}

void cp_cold_set_block(ColdBlock *cold, BasicBlock *b)
{
    NEED(b == &block);
    cold->block = b;
}

const ColdBlock *cp_cold_keep(const ColdBlock *cold)
{
    (void)cold;
    return &memory.cold;
}

void cp_thunk_begin(void)
{
}

void cp_thunk_constant(UInt parameter, ULong value)
{
    (void)parameter, (void)value;
}

void cp_thunk_register(UInt parameter, Int offset)
{
    (void)parameter, (void)offset;
}

void cp_thunk_state(UInt parameter)
{
    (void)parameter;
}

void *cp_thunk_end(Addr helper)
{
    (void)helper;
    return memory.bytes;
}

VG_REGPARM(3) void cp_stack_check(Function *function, UWord sp, UWord is_entry)
{
    (void)function, (void)sp, (void)is_entry;
}

VG_REGPARM(3) void cp_stack_allocates(Function *function, const void *state, UWord sp)
{
    (void)function, (void)state, (void)sp;
}

VG_REGPARM(2) void cp_stack_call(CallSite *site, UWord sp)
{
    (void)site, (void)sp;
}

static VG_REGPARM(3) void data(Addr address, AccessPoint *point, UWord room)
{
    (void)address, (void)point, (void)room;
}

VG_REGPARM(3) void (*cp_cache_data)(Addr, AccessPoint *, UWord) = data;

/*--- A file ---*/

enum { MEND_HEADER = 1, MEND_INDEX = 2, MEND_RECORDS = 4 };

static KeptKey the_key;

static ULong header_sum(const FileHeader *h)
{
    return cp_kept_checksum(cp_kept_checksum(0, &h->key, sizeof *h - offsetof(FileHeader, key)),
                            (const UChar *)h + h->index, h->n * sizeof(KeptEntry));
}

static Int by_entry(const void *a, const void *b)
{
    const KeptEntry *x = a, *y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}

/* Puts an entry's translation into the file, and gives it its checksum. */
static void mend_entry(UChar *bytes, KeptEntry *e, ULong index, UInt how)
{
    Kept *k;

    if (how & MEND_INDEX) {
        e->offset &= ~7ULL;
        if (e->offset < sizeof(FileHeader) || e->offset > index)
            e->offset = sizeof(FileHeader);
        if (e->size > index - e->offset)
            e->size = (UInt)(index - e->offset);
    }
    if (!(how & MEND_RECORDS) || e->offset < sizeof(FileHeader) || e->offset > index ||
        e->size > index - e->offset || e->offset % 8 || e->size < sizeof *k)
        return;
    k = (Kept *)(bytes + e->offset);
    k->parts_size &= ~7u;
    if (cp_kept_size(k) <= index - e->offset)
        e->size = cp_kept_size(k);
    k->size = e->size;
    k->address = e->address;
    e->is_cold = k->is_cold;
    e->checksum = cp_kept_checksum(0, k, e->size);
}

/* Returns the file's size, of which the index may leave out a few bytes. */
static ULong mend(UChar *bytes, ULong size, UInt how)
{
    FileHeader *h = (FileHeader *)bytes;
    KeptEntry *entries;

    if (how & MEND_HEADER) {
        memcpy(h->magic, MAGIC, sizeof h->magic);
        h->key = the_key;
        h->index &= ~7ULL;
        if (h->index < sizeof *h || h->index > size)
            h->index = sizeof *h;
        if (h->n > (size - h->index) / sizeof(KeptEntry))
            h->n = (size - h->index) / sizeof(KeptEntry);
        size = h->size = h->index + h->n * sizeof(KeptEntry);
    }
    if (h->index % 8 || h->index > size || h->n > (size - h->index) / sizeof(KeptEntry))
        return size;
    entries = (KeptEntry *)(bytes + h->index);
    if (how & MEND_INDEX)
        qsort(entries, h->n, sizeof *entries, by_entry);
    /* Those of one record that lie in another one are what checksums are for. */
    for (ULong i = 0; i < h->n; i++)
        mend_entry(bytes, &entries[i], h->index, how);
    if (how & MEND_HEADER)
        h->checksum = header_sum(h);
    return size;
}

/* Uses a translation as the tool does. */
static void follow(const Kept *k)
{
    const Recipe r = cp_kept_recipe(k);
    UChar *host = malloc(k->host_size), *guest = malloc(k->guest_size);

    (void)cp_recipe_begin(k->address, k->sp);
    cp_recipe_hold(False);
    cp_recipe_follow(&r);
    memcpy(guest, cp_kept_guest(k), k->guest_size);
    memcpy(host, cp_kept_host(k), k->host_size);
    cp_recipe_fill(host, cp_kept_holes(k), k->n_holes);
    free(guest);
    free(host);
}

static void use(KeptFile *file)
{
    const Kept *news[1] = {NULL};
    Outgoing *all;
    UInt n;

    for (UInt i = 0; i < file->n_entries; i++) {
        UInt first = cp_kept_file_first(file, file->entries[i].address);
        const Kept *k =
            i % 3 ? cp_kept_file_at(file, i) : NULL; /* some are met when it is written */
        NEED(first <= i && file->entries[first].address == file->entries[i].address);
        if (k)
            follow(news[0] = k);
    }
    all = collect(file, news, news[0] != NULL, &n);
    n = drop_superseded(all, n);
    NEED(n <= file->n_entries + 1);
    free(all);
}

int LLVMFuzzerTestOneInput(const UChar *input, SizeT size)
{
    KeptFile file = {.key = &the_key};
    UChar *bytes = size > sizeof(FileHeader) ? malloc(size) : NULL;

    if (!bytes)
        return 0;
    memcpy(bytes, input, size);
    take(&file, bytes, mend(bytes, size - 1, ~input[size - 1]));
    use(&file);
    free(file.states);
    free(file.used);
    free(bytes);
    return 0;
}
