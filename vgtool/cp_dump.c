#include "cp_dump.h"

#include "cp_cache.h"
#include "cp_context.h"
#include "cp_format.h"
#include "cp_object.h"
#include "cp_section.h"
#include "cp_stack.h"

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
    if (path[0] != '/') {
        put(VG_(get_startup_wd)());
        put_char('/');
    }
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
        for (UInt k = 0; k < o->elf.n_build_id; k++) {
            put_char("0123456789abcdef"[o->elf.build_id[k] >> 4]);
            put_char("0123456789abcdef"[o->elf.build_id[k] & 15]);
        }
        put(o->elf.n_build_id ? " " : "- ");
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

#define NO_ID (~0u)

static Bool has_run(const Section *s, const Function *f)
{
    for (const Node *n = f->nodes; n; n = n->next)
        if (n->counts[s->slot])
            return True;
    return False;
}

/* Defines the sections that ran in some context, and numbers them. */
static void put_sections(void)
{
    UInt id = 0;

    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        for (Section *s = f->sections; s; s = s->next) {
            s->id = has_run(s, f) ? id++ : NO_ID;
            if (s->id == NO_ID)
                continue;
            begin_record(CP_REC_SECTION);
            put_decimal(s->id);
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
        }
    }
}

static void put_counts(const Node *n)
{
    for (const Section *s = n->function->sections; s; s = s->next) {
        if (!n->counts[s->slot])
            continue;
        begin_record(CP_REC_COUNT);
        put_decimal(s->id);
        put_char(' ');
        put_decimal(n->counts[s->slot]);
        put_char('\n');
    }
}

static const HChar *const column_names[CP_COLUMNS] = {
    [CP_COLUMN_IR] = "Ir",  [CP_COLUMN_I1MR] = "I1mr", [CP_COLUMN_ILMR] = "ILmr",
    [CP_COLUMN_DR] = "Dr",  [CP_COLUMN_D1MR] = "D1mr", [CP_COLUMN_DLMR] = "DLmr",
    [CP_COLUMN_DW] = "Dw",  [CP_COLUMN_D1MW] = "D1mw", [CP_COLUMN_DLMW] = "DLmw",
    [CP_COLUMN_BC] = "Bc",  [CP_COLUMN_BCM] = "Bcm",   [CP_COLUMN_BI] = "Bi",
    [CP_COLUMN_BIM] = "Bim"};

/* The columns of 'm' records: what is not, or not always, counted by sections. The frequent ones
 * first: trailing zeros are left out. */
static const UChar counted[] = {CP_COLUMN_I1MR, CP_COLUMN_ILMR, CP_COLUMN_D1MR, CP_COLUMN_DLMR,
                                CP_COLUMN_D1MW, CP_COLUMN_DLMW, CP_COLUMN_DR,   CP_COLUMN_DW,
                                CP_COLUMN_BCM,  CP_COLUMN_BIM};

static void put_events(void)
{
    put(CP_KEY_EVENTS ":");
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (cp_has_column(i)) {
            put_char(' ');
            put(column_names[i]);
        }
    put_char('\n');
}

static void put_counted(void)
{
    if (!clo_cache_sim && !clo_branch_sim)
        return;
    put(CP_KEY_COUNTED ":");
    for (UInt i = 0; i < sizeof counted; i++)
        if (cp_has_column(counted[i])) {
            put_char(' ');
            put(column_names[counted[i]]);
        }
    put_char('\n');
}

static void add_site(const Site *s, const ULong *counts, ULong *columns)
{
    const ULong *c = counts + s->slot;

    switch (s->kind) {
    case SITE_FETCH:
        columns[CP_COLUMN_I1MR] += c[0];
        columns[CP_COLUMN_ILMR] += c[1];
        break;
    case SITE_READ:
        columns[CP_COLUMN_D1MR] += c[0];
        columns[CP_COLUMN_DLMR] += c[1];
        columns[CP_COLUMN_DR] += s->guarded ? c[2] : 0;
        break;
    case SITE_WRITE:
        columns[CP_COLUMN_D1MW] += c[0];
        columns[CP_COLUMN_DLMW] += c[1];
        columns[CP_COLUMN_DW] += s->guarded ? c[2] : 0;
        break;
    case SITE_CONDITIONAL:
        columns[CP_COLUMN_BCM] += c[0];
        break;
    case SITE_INDIRECT:
        columns[CP_COLUMN_BIM] += c[0];
        break;
    }
}

/* The numbers of one record, each with a blank before it, trailing zeros left out. `order` has n
 * columns. */
static void put_columns(const ULong *columns, const UChar *order, UInt n)
{
    while (n && !columns[order[n - 1]])
        n--;
    for (UInt i = 0; i < n; i++)
        if (cp_has_column(order[i])) {
            put_char(' ');
            put_decimal(columns[order[i]]);
        }
    put_char('\n');
}

static Bool any(const ULong *columns)
{
    for (UInt i = 0; i < CP_COLUMNS; i++)
        if (columns[i])
            return True;
    return False;
}

/* The sites of one instruction follow each other: they make one record. */
static void put_sites(const Node *node)
{
    for (const Site *s = node->function->sites, *first; s;) {
        ULong columns[CP_COLUMNS] = {0};

        for (first = s; s && s->address == first->address && s->range == first->range; s = s->next)
            add_site(s, node->counts, columns);
        if (!any(columns))
            continue;
        begin_record(CP_REC_MISSES);
        put_place(first->range, first->address);
        put_columns(columns, counted, sizeof counted);
    }
}

/*--- Contexts ---*/

static void put_site(const Function *caller, Addr site)
{
    if (caller && caller->kind <= FUNCTION_STUB && site)
        put_place(caller->range, site);
    else
        put("- 0");
}

static void put_root_name(const Node *n)
{
    static const HChar *const names[] = {[FUNCTION_THREAD] = "[thread ",
                                         [FUNCTION_FIBRE] = "[fibre]",
                                         [FUNCTION_SIGNAL] = "[signal]",
                                         [FUNCTION_OVERFLOW] = "[more]"};

    put(names[n->function->kind]);
    if (n->function->kind == FUNCTION_THREAD) {
        put_decimal(n->site);
        put_char(']');
    }
    put_char('\n');
}

static void put_context(const Node *n)
{
    Bool is_code = n->function->kind <= FUNCTION_STUB;

    begin_record(is_code ? CP_REC_CONTEXT : CP_REC_ROOT);
    put_decimal(n->id);
    put_char(' ');
    if (n->parent)
        put_decimal(n->parent->id);
    else
        put_char('-');
    put_char(' ');
    if (is_code) {
        put_place(n->function->range, n->function->start);
        put_char(' ');
        put_site(n->parent ? n->parent->function : NULL, n->site);
        put_char(' ');
        put_decimal(n->calls);
        put_char('\n');
    } else {
        put_root_name(n);
    }
}

static void put_contexts(void)
{
    for (UInt i = 0; i < cp_node_count(); i++) {
        Node *n = cp_node(i);
        n->id = i;
        if (n->function->kind != FUNCTION_ALL)
            put_context(n);
        put_counts(n);
        put_sites(n);
    }
}

static const UChar all_columns[] = {CP_COLUMN_IR,   CP_COLUMN_I1MR, CP_COLUMN_ILMR, CP_COLUMN_DR,
                                    CP_COLUMN_D1MR, CP_COLUMN_DLMR, CP_COLUMN_DW,   CP_COLUMN_D1MW,
                                    CP_COLUMN_DLMW, CP_COLUMN_BC,   CP_COLUMN_BCM,  CP_COLUMN_BI,
                                    CP_COLUMN_BIM};

static void put_inclusive(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        if (f->kind != FUNCTION_CODE || !any(f->activity.inclusive))
            continue;
        begin_record(CP_REC_INCLUSIVE);
        put_place(f->range, f->start);
        put_columns(f->activity.inclusive, all_columns, sizeof all_columns);
    }
}

static void put_edges(void)
{
    for (UInt i = 0; i < cp_edge_count(); i++) {
        const Edge *e = cp_edge(i);
        if (e->caller->kind != FUNCTION_CODE || e->callee->kind != FUNCTION_CODE ||
            (!e->calls && !any(e->activity.inclusive)))
            continue;
        begin_record(CP_REC_EDGE);
        put_place(e->caller->range, e->caller->start);
        put_char(' ');
        put_place(e->callee->range, e->callee->start);
        put_char(' ');
        put_site(e->caller, e->site);
        put_char(' ');
        put_decimal(e->calls);
        put_columns(e->activity.inclusive, all_columns, sizeof all_columns);
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

static Int by_place(const void *a, const void *b)
{
    const Name *x = *(const Name *const *)a, *y = *(const Name *const *)b;

    if (x->range != y->range)
        return x->range < y->range ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* One record for each instruction, however many blocks it is in. */
static void put_names(void)
{
    const Name **sorted = VG_(malloc)("cp.dump.4", (names.n + 1) * sizeof *sorted);

    for (UInt i = 0; i < names.n; i++)
        sorted[i] = cp_pool_at(&names, i);
    VG_(ssort)(sorted, names.n, sizeof *sorted, by_place);
    for (UInt i = 0; i < names.n; i++) {
        const Name *n = sorted[i];
        if (i && by_place(&sorted[i - 1], &sorted[i]) == 0)
            continue;
        begin_record(CP_REC_NAME);
        put_place(n->range, n->address);
        put_char(' ');
        put_text(n->name);
    }
    VG_(free)(sorted);
}

/*--- The whole ---*/

static HChar *path;

static void put_all(CpEnd end, Int code)
{
    ULong lines;

    put_header();
    put_events();
    put_counted();
    put_end(end, code);
    put_objects();
    put_sections();
    put_contexts();
    put_inclusive();
    put_edges();
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

/* Whether something other than a file has the name: a device or a pipe is written to, never
 * replaced. */
static Bool is_special(const HChar *name)
{
    struct vg_stat st;
    SysRes result = VG_(stat)(name, &st);

    return !sr_isError(result) && !VKI_S_ISREG(st.mode);
}

static void complain(void)
{
    VG_(umsg)
    ("cannot write the profile '%s': error %d%s\n", path, file.error,
     file.error == VKI_ENOSPC  ? " (no space left on the device)"
     : file.error == VKI_EFBIG ? " (file size limit)"
                               : "");
}

/* Writes to `name`, and then gives that file the profile's own name where it is another. */
static void write_file(const HChar *name, CpEnd end, Int code)
{
    Bool is_temporary = name != path;

    VG_(memset)(&file, 0, sizeof file - sizeof file.buffer);
    file.fd = VG_(fd_open)(name, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, 0644);
    if (file.fd < 0) {
        VG_(umsg)("cannot open '%s' for the profile\n", name);
        return;
    }
    put_all(end, code);
    flush();
    VG_(close)(file.fd);
    if (!file.error && is_temporary && VG_(rename)(name, path) != 0)
        file.error = VKI_EACCES;
    if (!file.error)
        return;
    complain();
    if (is_temporary)
        VG_(unlink)(name);
}

void cp_dump(CpEnd end, Int code)
{
    if (clo_contexts)
        cp_stack_settle();
    choose_path();
    if (is_special(path)) {
        write_file(path, end, code);
    } else {
        HChar *temporary = VG_(malloc)("cp.dump.3", VG_(strlen)(path) + 32);
        VG_(sprintf)(temporary, "%s.tmp%d", path, VG_(getpid)());
        write_file(temporary, end, code);
        VG_(free)(temporary);
    }
    if (clo_contexts)
        cp_stack_resume();
}

void cp_dump_withdraw(void)
{
    if (path && !is_special(path))
        VG_(unlink)(path);
}

void cp_dump_forget_name(void)
{
    VG_(free)(path);
    path = NULL;
}
