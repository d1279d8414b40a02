#include <config.h>

#include "table/view_kinds.h"

#include "base/memory.h"
#include "table/heap.h"

static bool has_sections(const struct cprof_profile *p)
{
    return p->n_sections > 0;
}

static bool has_arguments(const struct cprof_profile *p)
{
    return p->n_counted_args > 0;
}

static bool has_data(const struct cprof_profile *p)
{
    return p->has_data;
}

static bool has_line_use(const struct cprof_profile *p)
{
    return p->has_line_use;
}

static bool has_curves(const struct cprof_profile *p)
{
    return p->n_curve_sizes > 0;
}

/* Options that choose rows of functions, and more. */
enum {
    ROWS = VIEW_TAKES_FILTER | VIEW_TAKES_FILE | VIEW_TAKES_CRATE,
    FUNCTIONS = ROWS | VIEW_TAKES_COLUMNS | VIEW_TAKES_INCLUSIVE,
    ALL = FUNCTIONS | VIEW_TAKES_PAGE | VIEW_TAKES_PATHS | VIEW_TAKES_LAYOUT,
    TABLE = VIEW_TAKES_FILTER | VIEW_TAKES_INCLUSIVE
};

const struct view_kind view_kinds[N_VIEWS] = {
    [VIEW_BOTH] = {.name = "--view both", .takes = ALL},
    [VIEW_OWN] = {.name = "--view own",
                  .key = "v",
                  .help = "your code: your functions, with what they called",
                  .member = "own",
                  .heading = "Your code",
                  .takes = ROWS | VIEW_TAKES_INCLUSIVE | VIEW_TAKES_BLAME | VIEW_TAKES_BY},
    [VIEW_FUNCTIONS] = {.name = "--view functions",
                        .key = "l",
                        .help = "list of all functions",
                        .member = "functions",
                        .heading = "Functions",
                        .takes = FUNCTIONS | VIEW_TAKES_PATHS},
    [VIEW_SECTIONS] = {.name = "--view sections",
                       .key = "S",
                       .help = "sections that the program named, and what an entry costs",
                       .member = "sections",
                       .heading = "Sections",
                       .exists = has_sections,
                       .missing = "no sections",
                       .remedy = "the crate cprof or cprof-sections.h names them",
                       .takes = VIEW_TAKES_INCLUSIVE},
    [VIEW_ARGS] = {.name = "--view args",
                   .key = "A",
                   .help = "counted arguments: the values that functions were called with",
                   .member = "arguments",
                   .heading = "Arguments",
                   .exists = has_arguments,
                   .missing = "no arguments",
                   .remedy = "'cargo cprof callgrind --count-arg FUNCTION=N' counts them",
                   .takes = VIEW_TAKES_INCLUSIVE},
    [VIEW_HEAP] = {.name = "--view heap",
                   .measure = "Bytes",
                   .key = "H",
                   .help = "who allocates, where the heap was counted",
                   .member = "heap",
                   .heading = "Heap",
                   .exists = heap_is_counted,
                   .missing = "nothing of the heap",
                   .remedy = "'cargo cprof heap' counts it",
                   .takes = TABLE},
    [VIEW_DATA] = {.name = "--view data",
                   .measure = "D1m",
                   .key = "D",
                   .help = "which data misses the caches, who misses it, and where in it",
                   .member = "data",
                   .heading = "Data",
                   .exists = has_data,
                   .missing = "no data",
                   .remedy = "'cargo cprof data' says which data misses",
                   .takes = TABLE | VIEW_TAKES_LAYOUT},
    [VIEW_LINES] = {.name = "--view line-use",
                    .key = "L",
                    .help = "how much of the lines that D1 fetched was used, and by whom",
                    .member = "line_use",
                    .heading = "Use of lines",
                    .exists = has_line_use,
                    .missing = "no use of lines",
                    .remedy = "'cargo cprof cachegrind --line-use' counts it",
                    .part_of = VIEW_DATA,
                    .takes = TABLE},
    [VIEW_CURVES] = {.name = "--view curves",
                     .measure = "D1m",
                     .key = "C",
                     .help = "misses by the size of LL: miss curves",
                     .member = "curves",
                     .heading = "Miss curves",
                     .exists = has_curves,
                     .missing = "no miss curves",
                     .remedy = "'cargo cprof cachegrind --miss-curves' has them",
                     .takes = TABLE},
    [VIEW_LAYOUT] = {.name = "--layout",
                     .exists = has_data,
                     .within = VIEW_DATA,
                     .takes = VIEW_TAKES_INCLUSIVE | VIEW_TAKES_LAYOUT},
    [VIEW_OWN_LINES] = {.name = "--blame",
                        .key = "b",
                        .help = "your code line by line, with what the lines called",
                        .within = VIEW_OWN,
                        .takes = ROWS | VIEW_TAKES_PAGE | VIEW_TAKES_BLAME},
    [VIEW_BY_LINE] = {.name = "--by line", .takes = FUNCTIONS | VIEW_TAKES_PAGE | VIEW_TAKES_BY},
    [VIEW_BY_FILE] = {.name = "--by file", .takes = FUNCTIONS | VIEW_TAKES_PAGE | VIEW_TAKES_BY},
    [VIEW_BY_CRATE] = {.name = "--by crate",
                       .takes = (FUNCTIONS & ~VIEW_TAKES_FILE) | VIEW_TAKES_PAGE | VIEW_TAKES_BY},
    [VIEW_BY_OBJECT] = {.name = "--by object",
                        .takes = (FUNCTIONS & ~VIEW_TAKES_CRATE) | VIEW_TAKES_PAGE | VIEW_TAKES_BY},
};

#define WORD(id, word, form, shows) word,
const char *const view_words[] = {"both", "own", "functions", VIEW_TABLES(WORD) NULL};
#define SHOWS(id, word, form, shows) [VIEW_##id] = shows,
const char *const view_shows[] = {VIEW_TABLES(SHOWS)};

bool view_exists(enum view_id view, const struct cprof_profile *p)
{
    return !view_kinds[view].exists || view_kinds[view].exists(p);
}

bool view_is_within(enum view_id view, const struct cprof_profile *p)
{
    enum view_id other = view_kinds[view].part_of;

    return other != VIEW_BOTH && view_exists(other, p);
}

char *view_lack(enum view_id view, const char *source)
{
    return xasprintf("%s in %s; %s", view_kinds[view].missing, source, view_kinds[view].remedy);
}

enum view_id view_of_subject(enum cprof_subject subject)
{
    return subject == CPROF_SUBJECT_HEAP   ? VIEW_HEAP
           : subject == CPROF_SUBJECT_DATA ? VIEW_DATA
                                           : VIEW_BOTH;
}

enum view_id view_first(const struct cprof_profile *p)
{
    enum view_id view = view_of_subject(p->subject);

    return view_exists(view, p) ? view : VIEW_BOTH;
}
