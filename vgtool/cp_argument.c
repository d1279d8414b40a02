/*
 * cp_argument.c - data structure #1: a hash table of lists by (context, option). #2: one of values
 * by (list, value).
 */
#include "cp_argument.h"

#include "cp_arch.h"
#include "cp_file.h"
#include "cp_format.h"
#include "cp_hash.h"
#include "cp_role.h"
#include "pub_tool_aspacemgr.h"

enum {
    ARGUMENT_OPTIONS = 32,  /* that a command line may have */
    ARGUMENT_VALUES = 4096, /* that are told apart in one context */
    ARGUMENT_ALL = 1000000, /* and in all of them */
};

/* The calls that one option counted in one context. */
typedef struct {
    UInt option, node; /* indices */
    UInt n_values;
    ULong others; /* calls whose values are beyond the bounds */
    UInt id;      /* its index */
} ArgumentList;

typedef struct {
    UInt list;
    ULong value, calls;
} ArgumentValue;

static ArgumentOption options[ARGUMENT_OPTIONS];
static UInt n_options;
static Pool lists = {.size = sizeof(ArgumentList), .tag = "cp.argument.1"};
static Pool values = {.size = sizeof(ArgumentValue), .tag = "cp.argument.2"};
static HashTable list_table, value_table;

/*--- Options ---*/

const HChar *cp_argument_option(const HChar *text)
{
    const HChar *equals = VG_(strrchr)(text, '=');
    ArgumentOption *o = &options[n_options];
    HChar *pattern;

    if (n_options == ARGUMENT_OPTIONS)
        return "there are 32 already";
    if (!equals || equals == text)
        return "it takes FUNCTION=N or FUNCTION=N:log2";
    if (equals[1] < '1' || equals[1] > '0' + CP_ARGUMENTS)
        return "N is 1 to " VG_STRINGIFY(CP_ARGUMENTS) ": later arguments are in no register";
    if (equals[2] && VG_(strcmp)(equals + 2, ":log2"))
        return "behind N stands nothing, or :log2";
    pattern = VG_(strdup)("cp.argument.3", text);
    pattern[equals - text] = 0;
    *o = (ArgumentOption){
        .pattern = pattern, .number = (UInt)(equals[1] - '0'), .is_log2 = equals[2] != 0};
    n_options++;
    return NULL;
}

UInt cp_argument_options_of(Addr start)
{
    UInt found = 0;

    for (UInt i = 0; i < n_options; i++)
        if (cp_pattern_matches(options[i].pattern, start)) {
            options[i].n_functions++;
            found |= 1u << i;
        }
    return found;
}

UInt cp_argument_option_count(void)
{
    return n_options;
}

const ArgumentOption *cp_argument_option_at(UInt i)
{
    return &options[i];
}

/*--- Counts ---*/

static UInt hash_list(const void *element)
{
    const ArgumentList *l = element;

    return cp_hash(l->node, l->option, 0);
}

static Bool same_list(const void *a, const void *b)
{
    const ArgumentList *x = a, *y = b;

    return x->node == y->node && x->option == y->option;
}

static ArgumentList *list_of(const Node *node, UInt option)
{
    const ArgumentList key = {.option = option, .node = node->id};
    void **place = cp_hash_find(&list_table, &key, hash_list, same_list);

    if (!*place) {
        ArgumentList *l = cp_pool_add(&lists);
        *l = key;
        l->id = lists.n - 1;
        *place = l;
    }
    return *place;
}

static UInt hash_value(const void *element)
{
    const ArgumentValue *v = element;

    return cp_hash(v->value, v->list, 0);
}

static Bool same_value(const void *a, const void *b)
{
    const ArgumentValue *x = a, *y = b;

    return x->value == y->value && x->list == y->list;
}

/* Counts a call with the value; values beyond the bounds are counted together. */
static void count(ArgumentList *l, ULong value)
{
    const ArgumentValue key = {.list = l->id, .value = value};
    ArgumentValue *v = cp_hash_get(&value_table, &key, hash_value, same_value);

    if (!v && (l->n_values == ARGUMENT_VALUES || values.n == ARGUMENT_ALL)) {
        l->others++;
        return;
    }
    if (!v) {
        v = cp_pool_add(&values);
        *v = key;
        *cp_hash_find(&value_table, &key, hash_value, same_value) = v;
        l->n_values++;
    }
    v->calls++;
}

/* The least value that has as many bits. */
static ULong class_of(ULong value)
{
    return value ? 1ULL << (63 - __builtin_clzll(value)) : 0;
}

void cp_argument_count(ThreadId tid, const Node *node)
{
    if (node->function->chooses)
        return;
    for (UInt i = 0; i < n_options; i++)
        if (node->function->argument_options & 1u << i) {
            ULong value = cp_arch_argument(tid, options[i].number - 1);
            count(list_of(node, i), options[i].is_log2 ? class_of(value) : value);
        }
}

/* libc has several memcpy(), and chooses by the processor when the program starts: by a function
 * that is called memcpy too. */
void cp_argument_chosen(ThreadId tid, const Function *function)
{
    Addr address = cp_arch_result(tid);
    Function *chosen;

    if (!function->chooses || !VG_(am_is_valid_for_client)(address, 1, VKI_PROT_EXEC))
        return;
    chosen = cp_function_called(address);
    if (chosen->start != address)
        return;
    for (UInt i = 0; i < n_options; i++)
        options[i].n_functions +=
            (function->argument_options & ~chosen->argument_options & 1u << i) != 0;
    chosen->argument_options |= function->argument_options;
    cp_context_watch(chosen);
}

/*--- Results ---*/

static Int by_value(const void *a, const void *b)
{
    const ArgumentValue *x = *(const ArgumentValue *const *)a;
    const ArgumentValue *y = *(const ArgumentValue *const *)b;

    return x->list != y->list ? (x->list < y->list ? -1 : 1)
                              : (x->value < y->value ? -1 : x->value > y->value);
}

/* The values that were counted, in a new array. */
static const ArgumentValue **sorted_values(UInt *n)
{
    const ArgumentValue **sorted =
        VG_(malloc)("cp.argument.4", ((SizeT)values.n + 1) * sizeof *sorted);

    *n = 0;
    for (UInt i = 0; i < values.n; i++) {
        const ArgumentValue *v = cp_pool_at(&values, i);
        if (v->calls)
            sorted[(*n)++] = v;
    }
    VG_(ssort)(sorted, *n, sizeof *sorted, by_value);
    return sorted;
}

/* Values that one record has. */
#define ARGUMENT_LINE 64

static void begin_arguments(const ArgumentList *l, ULong others)
{
    cp_begin_record(CP_REC_ARGUMENTS);
    cp_put_decimal(l->node);
    cp_put_char(' ');
    cp_put_decimal(l->option);
    cp_put_char(' ');
    cp_put_decimal(others);
}

/* Writes the first values of the array, which are the list's. Returns how many. */
static UInt put_list(const ArgumentList *l, const ArgumentValue *const *sorted, UInt n)
{
    UInt i;

    for (i = 0; i < n && sorted[i]->list == l->id; i++) {
        if (i % ARGUMENT_LINE == 0) {
            if (i)
                cp_put_char('\n');
            begin_arguments(l, i ? 0 : l->others);
        }
        cp_put_char(' ');
        cp_put_decimal(sorted[i]->value);
        cp_put_char(' ');
        cp_put_decimal(sorted[i]->calls);
    }
    if (!i && l->others)
        begin_arguments(l, l->others);
    if (i || l->others)
        cp_put_char('\n');
    return i;
}

void cp_argument_write(void)
{
    UInt n, at = 0;
    const ArgumentValue **sorted = sorted_values(&n);

    for (UInt i = 0; i < lists.n; i++)
        at += put_list(cp_pool_at(&lists, i), sorted + at, n - at);
    VG_(free)(sorted);
}

void cp_argument_reset(void)
{
    for (UInt i = 0; i < values.n; i++)
        ((ArgumentValue *)cp_pool_at(&values, i))->calls = 0;
    for (UInt i = 0; i < lists.n; i++)
        ((ArgumentList *)cp_pool_at(&lists, i))->others = 0;
}
