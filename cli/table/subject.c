#include <config.h>

#include "table/subject.h"

#include "table/heap.h"

enum cprof_subject subject_of(const struct cprof_profile *p)
{
    bool known = p->subject == CPROF_SUBJECT_HEAP ? heap_is_counted(p) : p->has_data;

    return known ? p->subject : CPROF_SUBJECT_CODE;
}
