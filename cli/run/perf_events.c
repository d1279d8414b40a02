#include <config.h>

#include "run/perf_events.h"

#include "base/memory.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARANOID        "/proc/sys/kernel/perf_event_paranoid"
#define PARANOID_ADVICE "allow it by 'sudo sysctl kernel.perf_event_paranoid=1'"
#define CONTAINER_ADVICE                                                               \
    "allow it where the container or sandbox is set up (docker run --cap-add PERFMON " \
    "--security-opt "                                                                  \
    "seccomp=unconfined)"

/* A counter of this process, of its own code alone or with the kernel's. Returns 0 or an errno. */
static int try_event(unsigned type, unsigned long long config, bool kernel)
{
    struct perf_event_attr attributes = {.type = type,
                                         .size = sizeof attributes,
                                         .config = config,
                                         .disabled = 1,
                                         .exclude_kernel = !kernel,
                                         .exclude_hv = 1};
    long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0)
        return errno;
    close((int)fd);
    return 0;
}

bool perf_events_have_cycles(void)
{
    return try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false) == 0;
}

bool perf_events_see_kernel(void)
{
    return try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true) == 0;
}

static long paranoid(void)
{
    FILE *in = fopen(PARANOID, "re");
    long value = -1;

    if (in && fscanf(in, "%ld", &value) != 1)
        value = -1;
    if (in)
        fclose(in);
    return value;
}

const char *perf_events_problem(const char **advice)
{
    switch (try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false)) {
    case 0:
        return NULL;
    case EACCES:
    case EPERM:
        *advice = paranoid() > 2 ? PARANOID_ADVICE : CONTAINER_ADVICE;
        return paranoid() > 2 ? "the kernel lets only root take samples (perf_event_paranoid)"
                              : "taking samples is denied (perf_event_open)";
    case ENOSYS:
        *advice = CONTAINER_ADVICE;
        return "there is no perf_event_open here: the kernel is built without it, or it is denied";
    default:
        *advice = "'perf record true' may say more";
        return "the kernel takes no samples here";
    }
}

/* Texts of perf, and what they mean. */
static const struct complaint {
    const char *part, *text, *advice;
    bool of_event; /* of those that somebody asked for */
} complaints[] = {
    {"perf_event_paranoid", "the kernel does not allow taking samples (perf_event_paranoid)",
     PARANOID_ADVICE, false},
    {"access trace events", "only root may count the kernel's tracepoints", "run it as root (sudo)",
     false},
    {"Unable to find debugfs/tracefs", "tracefs is not mounted, which has the kernel's tracepoints",
     "run it as root (sudo), for whom perf mounts it", false},
    {"event syntax error", "perf knows no such event", "'perf list' names what there is", true},
    {"event is not supported", "this machine does not count the event",
     "'perf list' names what there is; 'cpu-clock' is everywhere", true},
    {"PMU Hardware doesn't support", "this machine's processor cannot do that",
     "leave out --call-graph lbr, and take --event cpu-clock", false},
    {"incompatible file format", "the file is of another perf, or damaged",
     "have the perf that wrote it write text: perf script -i FILE >samples.txt", false},
    {"No such process", "there is no such process any more", "look with 'pgrep'", false},
    {"sample rate", "the frequency is more than the kernel allows",
     "take less, or raise it by 'sudo sysctl kernel.perf_event_max_sample_rate=N'", false},
    {"No space left", "there is no room for perf's data", "set TMPDIR to a folder with room",
     false},
    {"No permission", "perf may not do that", PARANOID_ADVICE, false},
};

/* The first line that says anything; after "Error:", which stands alone. */
static char *first_words(const char *messages)
{
    while (*messages) {
        size_t size = strcspn(messages, "\n");

        if (size && strncmp(messages, "Error:\n", 7) != 0 &&
            strncmp(messages, "Warning:\n", 9) != 0)
            return xasprintf("perf says: %.*s", (int)(size < 300 ? size : 300), messages);
        messages += size + (messages[size] == '\n');
    }
    return NULL;
}

char *perf_events_complaint(const char *messages, const char *event, const char **advice)
{
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
        if (strstr(messages, complaints[i].part)) {
            *advice = complaints[i].advice;
            return event && complaints[i].of_event ? xasprintf("%s '%s'", complaints[i].text, event)
                                                   : xstrdup(complaints[i].text);
        }
    *advice = NULL;
    return first_words(messages);
}
