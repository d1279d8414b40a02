#include <config.h>

/* The lines of a raw profile that have arguments of functions. */
#include "cp_format.h"
#include "raw.h"

static const char word_exact[] = "exact ", word_log2[] = "log2 ";

/* FUNCTIONS N exact|log2 PATTERN */
int raw_count_arg_key(struct raw *w, const char *at)
{
    struct cprof_counted_arg arg = {.log2 = 0};
    int64_t functions, number;
    uint32_t *new;
    const char *start;

    if (raw_number(w, &at, &functions))
        return -1;
    start = at;
    if (raw_number(w, &at, &number))
        return -1;
    if (number < 1 || number > 255)
        return framed_bad(&w->r, start, "an argument's number is 1 to 255");
    if (LEX_STARTS(at, w->r.end, word_exact))
        at += sizeof word_exact - 1;
    else if ((arg.log2 = LEX_STARTS(at, w->r.end, word_log2)))
        at += sizeof word_log2 - 1;
    else
        return framed_bad(&w->r, at, "neither 'exact' nor 'log2', with a pattern behind it");
    if (!(arg.pattern = framed_text(&w->r, at, w->r.end)) ||
        !(new = raw_push(w, &w->counted_args, sizeof *new)))
        return -1;
    arg.n_functions = (uint64_t)functions;
    arg.number = (uint32_t)number;
    *new = builder_counted_arg(w->r.builder, &arg);
    return *new == CPROF_NONE ? -1 : 0;
}

static int read_calls(struct raw *w, const char **at, uint64_t *calls)
{
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    *calls = (uint64_t)n;
    return 0;
}

/* CONTEXT OPTION OTHERS {VALUE CALLS}... */
int raw_arguments_record(struct raw *w, const char *at)
{
    struct cprof_arg_count count = {.other = 1};

    if (raw_id(w, &at, w->contexts.count, "context", &count.context) ||
        raw_id(w, &at, w->counted_args.count, "option", &count.arg) ||
        read_calls(w, &at, &count.calls))
        return -1;
    count.context = ((const uint32_t *)w->contexts.data)[count.context];
    count.arg = ((const uint32_t *)w->counted_args.data)[count.arg];
    if (builder_arg_count(w->r.builder, &count))
        return -1;
    count.other = 0;
    while (at < w->r.end)
        if (raw_word(w, &at, &count.value) || read_calls(w, &at, &count.calls) ||
            builder_arg_count(w->r.builder, &count))
            return -1;
    return 0;
}
