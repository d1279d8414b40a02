#include <config.h>

#include "options/threshold.h"

#include "base/message.h"

#include <stdlib.h>

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
