#include "cp_dump.h"

#include "cp_cache.h"
#include "cp_format.h"
#include "cp_object.h"
#include "cp_section.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"

/*--- The file ---*/

/* VG_(fprintf) ignores errors of writing; this does not: after the first one nothing more is
 * written. */
static struct {
    Int fd;
    Int error; /* errno, or 0 */
    ULong lines;
    UInt n;
    HChar buffer[64 * 1024];
} file;

static void flush(void)
{
    UInt done = 0;

    while (done < file.n && !file.error) {
        SSizeT n = VG_(write)(file.fd, file.buffer + done, (Int)(file.n - done));
        if (n == -VKI_EINTR)
            continue;
        if (n <= 0)
            file.error = n ? (Int)-n : VKI_EIO;
        else
            done += (UInt)n;
    }
    file.n = 0;
}

static void put_char(HChar c)
{
    if (file.n == sizeof file.buffer)
        flush();
    file.buffer[file.n++] = c;
    file.lines += c == '\n';
}

static void put(const HChar *text)
{
    while (*text)
        put_char(*text++);
}

static void put_number(ULong n, UInt base)
{
    HChar digits[24];
    UInt i = 0;

    do
        digits[i++] = "0123456789abcdef"[n % base];
    while (n /= base);
    while (i)
        put_char(digits[--i]);
}

static void put_decimal(ULong n)
{
    put_number(n, 10);
}

static void put_hex(ULong n)
{
    put_number(n, 16);
}

/* Text to the end of the line, control characters and backslashes escaped. */
static void put_text(const HChar *text)
{
    for (; *text; text++) {
        UChar c = (UChar)*text;
        if (c < 0x20 || c == 0x7f || c == CP_RAW_ESCAPE) {
            put_char(CP_RAW_ESCAPE);
            put_char('x');
            put_char("0123456789abcdef"[c >> 4]);
            put_char("0123456789abcdef"[c & 15]);
        } else {
            put_char((HChar)c);
        }
    }
    put_char('\n');
}

static void put_key(const HChar *key)
{
    put(key);
    put(": ");
}

static void begin_record(HChar letter)
{
    put_char(letter);
    put_char(' ');
}

/*--- Header ---*/

static void put_geometry(const HChar *key, const Geometry *g)
{
    put_key(key);
    put_decimal((ULong)g->size);
    put_char(' ');
    put_decimal((ULong)g->ways);
    put_char(' ');
    put_decimal((ULong)g->line);
    put_char('\n');
}

static void put_end(CpEnd end, Int code)
{
    put_key(CP_KEY_EXIT);
    if (end == CP_ENDED_CODE) {
        put("code ");
        put_decimal((ULong)(code & 0xff));
    } else {
        put(end == CP_ENDED_EXEC ? "exec" : "unknown");
    }
    put_char('\n');
}

static void put_program(void)
{
    HChar path[VKI_PATH_MAX];

    VG_(client_fname)(path, sizeof path, True);
    put_key(CP_KEY_PROGRAM);
    put_text(path);
    put_key(CP_KEY_ARGUMENT);
    put_text(VG_(args_the_exename));
    for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++) {
        put_key(CP_KEY_ARGUMENT);
        put_text(*(HChar **)VG_(indexXA)(VG_(args_for_client), i));
    }
}

static void put_header(void)
{
    put(CP_RAW_MAGIC " ");
    put_decimal(CP_RAW_VERSION);
    put_char('\n');
    put_key(CP_KEY_CREATOR);
    put_text("cprof-" CPROF_VERSION " " CPROF_VG_VERSION);
    put_key(CP_KEY_PID);
    put_decimal((ULong)VG_(getpid)());
    put_char('\n');
    put_program();
    if (clo_cache_sim) {
        put_geometry(CP_KEY_CACHE_I1, &cp_I1);
        put_geometry(CP_KEY_CACHE_D1, &cp_D1);
        put_geometry(CP_KEY_CACHE_LL, &cp_LL);
    }
    put_key(CP_KEY_EVENTS);
    put(clo_cache_sim ? "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw" : "Ir");
    put(clo_branch_sim ? " Bc Bcm Bi Bim\n" : "\n");
}

/*--- Body ---*/

static Addr file_address(UInt range, Addr address)
{
    return address - cp_range(range)->bias;
}

static void put_place(UInt range, Addr address)
{
    put_decimal(cp_range(range)->object);
    put_char(' ');
    put_hex(file_address(range, address));
}

static void put_objects(void)
{
    for (UInt i = 0; i < cp_object_count(); i++) {
        const Object *o = cp_object(i);
        begin_record(CP_REC_OBJECT);
        put_decimal(i);
        put_char(' ');
        for (UInt k = 0; k < o->n_build_id; k++) {
            put_char("0123456789abcdef"[o->build_id[k] >> 4]);
            put_char("0123456789abcdef"[o->build_id[k] & 15]);
        }
        put(o->n_build_id ? " " : "- ");
        put_text(o->path);
    }
    for (UInt i = 0; i < cp_range_count(); i++) {
        const Range *r = cp_range(i);
        begin_record(CP_REC_RANGE);
        put_decimal(r->object);
        put_char(' ');
        put_hex(r->start);
        put_char(' ');
        put_hex(r->end);
        put_char(' ');
        put_hex(r->bias);
        put_char('\n');
    }
}

static void put_spec(const InstrCost *cost)
{
    static const HChar letters[] = {CP_SPEC_IR, CP_SPEC_DR, CP_SPEC_DW, CP_SPEC_BC, CP_SPEC_BI};
    const UChar counts[] = {cost->ir, cost->dr, cost->dw, cost->bc, cost->bi};
    Bool any = False;

    for (UInt k = 0; k < sizeof letters; k++)
        for (UInt n = 0; n < counts[k]; n++, any = True)
            put_char(letters[k]);
    if (!any)
        put_char(CP_SPEC_NONE);
}

static void put_sections(void)
{
    UInt id = 0;

    for (UInt i = 0; i < cp_section_count(); i++) {
        const Section *s = cp_section(i);
        if (!*s->count)
            continue;
        begin_record(CP_REC_SECTION);
        put_decimal(id);
        put_char(' ');
        put_place(s->range, s->start);
        for (UInt k = 0; k < s->n_instrs; k++) {
            if (k) {
                put(" +");
                put_hex(s->instrs[k].delta);
            }
            put_char(' ');
            put_spec(&s->instrs[k]);
        }
        put_char('\n');
        begin_record(CP_REC_COUNT);
        put_decimal(id++);
        put_char(' ');
        put_decimal(*s->count);
        put_char('\n');
    }
}

/* The events of 'm' records, in their order there; which of them a file has depends on the options.
 */
typedef enum {
    COUNTED_I1MR,
    COUNTED_ILMR,
    COUNTED_D1MR,
    COUNTED_DLMR,
    COUNTED_D1MW,
    COUNTED_DLMW,
    COUNTED_DR,
    COUNTED_DW,
    COUNTED_BCM,
    COUNTED_BIM,
    COUNTED_N
} Counted;

static const HChar *const counted_names[COUNTED_N] = {
    [COUNTED_I1MR] = "I1mr", [COUNTED_ILMR] = "ILmr", [COUNTED_D1MR] = "D1mr",
    [COUNTED_DLMR] = "DLmr", [COUNTED_D1MW] = "D1mw", [COUNTED_DLMW] = "DLmw",
    [COUNTED_DR] = "Dr",     [COUNTED_DW] = "Dw",     [COUNTED_BCM] = "Bcm",
    [COUNTED_BIM] = "Bim"};

static UInt counted_begin(void)
{
    return clo_cache_sim ? COUNTED_I1MR : COUNTED_BCM;
}

static UInt counted_end(void)
{
    return clo_branch_sim ? COUNTED_N : COUNTED_BCM;
}

static void put_counted(void)
{
    if (counted_begin() >= counted_end())
        return;
    put(CP_KEY_COUNTED ":");
    for (UInt i = counted_begin(); i < counted_end(); i++) {
        put_char(' ');
        put(counted_names[i]);
    }
    put_char('\n');
}

static void add_site(const Site *s, ULong *counts)
{
    switch (s->kind) {
    case SITE_FETCH:
        counts[COUNTED_I1MR] += s->miss1;
        counts[COUNTED_ILMR] += s->missL;
        break;
    case SITE_READ:
        counts[COUNTED_D1MR] += s->miss1;
        counts[COUNTED_DLMR] += s->missL;
        counts[COUNTED_DR] += s->n;
        break;
    case SITE_WRITE:
        counts[COUNTED_D1MW] += s->miss1;
        counts[COUNTED_DLMW] += s->missL;
        counts[COUNTED_DW] += s->n;
        break;
    case SITE_CONDITIONAL:
        counts[COUNTED_BCM] += s->miss1;
        break;
    case SITE_INDIRECT:
        counts[COUNTED_BIM] += s->miss1;
        break;
    }
}

static void put_misses(const Site *site, const ULong *counts)
{
    UInt end = counted_end();

    while (end > counted_begin() && !counts[end - 1])
        end--;
    if (end == counted_begin())
        return;
    begin_record(CP_REC_MISSES);
    put_place(site->range, site->address);
    for (UInt i = counted_begin(); i < end; i++) {
        put_char(' ');
        put_decimal(counts[i]);
    }
    put_char('\n');
}

/* The sites of one instruction follow each other: they make one record. */
static void put_sites(void)
{
    for (UInt i = 0; i < cp_site_count();) {
        const Site *first = cp_site(i);
        ULong counts[COUNTED_N] = {0};

        for (; i < cp_site_count(); i++) {
            const Site *s = cp_site(i);
            if (s->address != first->address || s->range != first->range)
                break;
            add_site(s, counts);
        }
        put_misses(first, counts);
    }
}

/*--- Names, for tests ---*/

typedef struct {
    UInt range;
    Addr address;
    const HChar *name;
} Name;

static Pool names = {.size = sizeof(Name), .tag = "cp.dump.1"};

void cp_dump_names(const IRSB *block)
{
    for (Int i = 0; i < block->stmts_used; i++) {
        const HChar *text;
        Name *n;

        if (block->stmts[i]->tag != Ist_IMark)
            continue;
        n = cp_pool_add(&names);
        n->range = cp_block_range();
        n->address = block->stmts[i]->Ist.IMark.addr;
        if (!VG_(get_fnname)(VG_(current_DiEpoch)(), n->address, &text))
            text = "???";
        n->name = VG_(strdup)("cp.dump.2", text);
    }
}

static void put_names(void)
{
    for (UInt i = 0; i < names.n; i++) {
        const Name *n = cp_pool_at(&names, i);
        begin_record(CP_REC_NAME);
        put_place(n->range, n->address);
        put_char(' ');
        put_text(n->name);
    }
}

/*--- The whole ---*/

static HChar *path;

static void put_all(CpEnd end, Int code)
{
    ULong lines;

    put_header();
    put_counted();
    put_end(end, code);
    put_objects();
    put_sections();
    put_sites();
    put_names();
    lines = file.lines;
    put(CP_RAW_END " ");
    put_decimal(lines);
    put_char('\n');
}

/* The name in full: the program may change its folder. Expanded late: %p is the process that
 * writes. */
static void choose_path(void)
{
    if (!path)
        path = VG_(expand_file_name)("--cprof-out-file", clo_out_file);
}

void cp_dump(CpEnd end, Int code)
{
    HChar *temporary;

    choose_path();
    temporary = VG_(malloc)("cp.dump.3", VG_(strlen)(path) + 32);
    VG_(sprintf)(temporary, "%s.tmp%d", path, VG_(getpid)());
    VG_(memset)(&file, 0, sizeof file - sizeof file.buffer);
    file.fd = VG_(fd_open)(temporary, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, 0644);
    if (file.fd < 0) {
        VG_(umsg)("cannot open '%s' for the profile\n", temporary);
    } else {
        put_all(end, code);
        flush();
        VG_(close)(file.fd);
        if (!file.error && VG_(rename)(temporary, path) != 0)
            file.error = VKI_EACCES;
        if (file.error) {
            VG_(umsg)
            ("cannot write the profile '%s': error %d%s\n", path, file.error,
             file.error == VKI_ENOSPC  ? " (no space left on the device)"
             : file.error == VKI_EFBIG ? " (file size limit)"
                                       : "");
            VG_(unlink)(temporary);
        }
    }
    VG_(free)(temporary);
}

void cp_dump_withdraw(void)
{
    if (path)
        VG_(unlink)(path);
}

void cp_dump_forget_name(void)
{
    VG_(free)(path);
    path = NULL;
}
