#include <config.h>

#include "options/open_file.h"

#include "base/message.h"
#include "base/output.h"
#include "base/process.h"
#include "base/terminal.h"
#include "run/saved_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open_check(const char *option, const char *path)
{
    if (path && !*path)
        return message_usage("empty file name for --%s; name a file", option);
    return path ? output_check(path) : 0;
}

const char *const open_page_endings[] = {".html", ".htm", NULL};

/* True for a profile of that name; a page that was written before is none. */
static bool is_profile(const char *name)
{
    static const char page[] = "<!DOCTYPE html>";
    char *path = saved_profile_find(name), begin[sizeof page] = "";
    FILE *file = path ? fopen(path, "re") : NULL;
    bool is = path && !(file && fgets(begin, sizeof begin, file) && !strcmp(begin, page));

    if (file)
        fclose(file);
    free(path);
    return is;
}

int open_take_operand(struct option_result *result, bool spare, const char **page)
{
    struct string_list *operands = &result->operands;
    const char *word = result->doubtful ? operands->items[result->doubtful - 1] : NULL;

    if (!word || !*page || **page || is_profile(word))
        return 0;
    if (!spare)
        return message_usage("no profile '%s'; --html=%s names the page so", word, word);
    *page = word;
    operands->n--;
    for (size_t i = result->doubtful - 1; i < operands->n; i++)
        operands->items[i] = operands->items[i + 1];
    return 0;
}

int open_name(const char *name, bool takes_output, const char **file, const char **output,
              char **kept)
{
    *kept = NULL;
    if (!*file || **file)
        return 0;
    if (takes_output && *output) {
        *file = *output;
        *output = NULL;
        return 0;
    }
    *file = *kept = saved_page(name);
    return *kept
               ? 0
               : message_error("no folder for '%s': %s; name a file for it", name, strerror(errno));
}

int open_page(const char *name, bool open, const char **page, const char **output, char **kept)
{
    if (open && !*page)
        *page = "";
    if (*page && !**page && !open && !*output && !terminal_is(STDOUT_FILENO)) {
        *kept = NULL;
        *page = NULL;
        return 0;
    }
    return open_name(name, true, page, output, kept);
}

/* Browsers may run as long as the user likes: nobody waits for them. */
int open_file(const char *path)
{
    const char *program = environment_or("BROWSER", "xdg-open");
    char *absolute = realpath(path, NULL);
    const char *words[] = {program, absolute ? absolute : path, NULL};
    struct process_spec spec = {.argv = words, .no_input = true, .no_errors = true};
    pid_t pid;
    int error;

    spec.output = open("/dev/null", O_WRONLY | O_CLOEXEC);
    error = process_start(&spec, &pid);
    close(spec.output);
    free(absolute);
    if (error)
        return message_error("cannot open '%s': '%s': %s; set BROWSER, or open it by hand", path,
                             program, strerror(error));
    message_status("Opening", "%s", path);
    return 0;
}
