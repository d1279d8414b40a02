#include <config.h>

#include "base/handlers.h"

void handlers_set(struct handlers *h)
{
    struct sigaction action = {.sa_sigaction = h->handler, .sa_flags = SA_SIGINFO | h->flags};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < h->n; i++) {
        sigaction(h->signals[i], NULL, &h->old[i]);
        if (h->old[i].sa_handler != SIG_IGN)
            sigaction(h->signals[i], &action, NULL);
    }
}

void handlers_unset(const struct handlers *h)
{
    for (size_t i = 0; i < h->n; i++)
        sigaction(h->signals[i], &h->old[i], NULL);
}
