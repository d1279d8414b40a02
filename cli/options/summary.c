#include <config.h>

#include "options/summary.h"

#include "base/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *summary_open(void)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    FILE *summary;

    if (!path || !*path) {
        message_note("no summary was written: GITHUB_STEP_SUMMARY is not set, as it is in a job on "
                     "GitHub");
        return NULL;
    }
    summary = fopen(path, "ae");
    if (!summary)
        message_warning("no summary was written: cannot write '%s': %s", path, strerror(errno));
    return summary;
}

void summary_close(FILE *summary)
{
    if (summary && fclose(summary) != 0)
        message_warning("the summary is not whole: %s", strerror(errno));
}
