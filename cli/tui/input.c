#include <config.h>

#include "tui/input.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

int input_hold_signals(sigset_t *old)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigprocmask(SIG_BLOCK, &set, old);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int input_wait(int signals)
{
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = signals, .events = POLLIN}};
    struct signalfd_siginfo info;

    /* A change of the window's size interrupts it: the library has a key for that. */
    if (poll(fds, 2, -1) < 0)
        return 0;
    if (fds[1].revents && read(signals, &info, sizeof info) == (ssize_t)sizeof info)
        return (int)info.ssi_signo;
    return fds[0].revents & (POLLHUP | POLLERR) && !(fds[0].revents & POLLIN) ? SIGHUP : 0;
}
