#include <config.h>

#include "../tap.h"
#include "base/message.h"
#include "options/show_options.h"
#include "views/show.h"

static void check(struct show_settings settings, int want, const char *what)
{
    is_number(show_check(&settings), want, what);
}

int main(void)
{
    struct show_settings defaults = SHOW_SETTINGS_INIT;

    check(defaults, STATUS_OK, "the defaults");
    check((struct show_settings){.sort = "dlmR", .columns = "ir, %,function"}, STATUS_OK,
          "known columns, in any case");
    check((struct show_settings){.filter = "("}, STATUS_USAGE, "a malformed expression for names");
    check((struct show_settings){.file = "["}, STATUS_USAGE, "one for files");
    check((struct show_settings){.percent = true, .counts = true}, STATUS_USAGE, "a contradiction");
    check((struct show_settings){.json = "x"}, STATUS_USAGE, "a value for --json");
    check((struct show_settings){.counted = &(struct counted){"Ir", false},
                                 .sort = "ir",
                                 .columns = "Ir,%"},
          STATUS_OK, "columns that there will be");
    check((struct show_settings){.counted = &(struct counted){"Ir", false}, .sort = "dr"},
          STATUS_USAGE, "a sort key that will not be counted");
    check((struct show_settings){.counted = &(struct counted){"Ir", false}, .columns = "LLm"},
          STATUS_USAGE, "a column whose events will not be counted");
    check((struct show_settings){.counted = &(struct counted){"ILmr DLmr  DLmw", false},
                                 .sort = "llm"},
          STATUS_OK, "a sum of events that will be counted");
    check((struct show_settings){.json = "tree"}, STATUS_OK, "call paths in JSON");
    check((struct show_settings){.counted = &(struct counted){"Ir", false}, .json = "tree"},
          STATUS_USAGE, "call paths that will not be counted");
    check((struct show_settings){.counted = &(struct counted){"Ir", false}, .inclusive = true},
          STATUS_USAGE, "inclusive costs that will not be known");
    check((struct show_settings){.counted = &(struct counted){"Ir", true},
                                 .json = "tree",
                                 .inclusive = true},
          STATUS_OK, "both, where calls will be known");
    check((struct show_settings){.counted = &(struct counted){"Ir Dr", true},
                                 .sort = "dr.incl",
                                 .columns = "incl,ir.incl,calls"},
          STATUS_OK, "columns of calls");
    return tap_done();
}
