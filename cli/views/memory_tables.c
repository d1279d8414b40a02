#include <config.h>

#include "views/memory_tables.h"

size_t memory_tables_limit(const struct memory_tables *m, enum show_parts part, size_t alone,
                           size_t beside)
{
    if (m->settings->limit != SHOW_LIMIT_DEFAULT)
        return (size_t)m->settings->limit;
    return m->settings->parts == (int)part ? alone : beside;
}

bool memory_tables_are_brief(const struct memory_tables *m)
{
    return m->settings->limit == SHOW_LIMIT_DEFAULT && !m->filter;
}
