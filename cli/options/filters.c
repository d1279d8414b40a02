#include <config.h>

#include "options/filters.h"

#include "base/message.h"

#include <stdlib.h>

/* Compiles `text` for the option called `option`; 0 or STATUS_USAGE. */
static int compile(regex_t *regex, const char *option, const char *text)
{
    int status = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
    char reason[128];

    if (status == 0)
        return 0;
    regerror(status, regex, reason, sizeof reason);
    /* Without quotes: the expression may have some. */
    if (status == REG_BADPAT)
        return message_usage("--%s takes an extended regular expression, which this is not: %s",
                             option, text);
    return message_usage("--%s takes an extended regular expression, which this is not (%s): %s",
                         option, reason, text);
}

/* That of sections is compiled where names are given; here it is only looked at. */
static int check_section(const char *text)
{
    regex_t regex;

    if (!text)
        return 0;
    if (compile(&regex, "section", text) != 0)
        return STATUS_USAGE;
    regfree(&regex);
    return 0;
}

int filters_compile(struct filters *filters, const struct show_settings *settings)
{
    *filters = (struct filters){.has_function = false};
    if (check_section(settings->names.section) != 0)
        return STATUS_USAGE;
    if (settings->filter) {
        if (compile(&filters->function, "filter", settings->filter) != 0)
            return STATUS_USAGE;
        filters->has_function = true;
    }
    if (settings->file) {
        if (compile(&filters->file, "file", settings->file) != 0)
            return STATUS_USAGE;
        filters->has_file = true;
    }
    return 0;
}

void filters_free(struct filters *filters)
{
    if (filters->has_function)
        regfree(&filters->function);
    if (filters->has_file)
        regfree(&filters->file);
    filters->has_function = filters->has_file = false;
}

/*--- --threshold ---*/

int threshold_read(const char *text, double *threshold)
{
    char *end;

    *threshold = 1;
    if (!text)
        return 0;
    *threshold = strtod(text, &end);
    if (*end == '%')
        end++;
    if (end == text || *end || !(*threshold >= 0 && *threshold <= 100))
        return message_usage("'%s' for --threshold is no percentage from 0 to 100", text);
    return 0;
}
