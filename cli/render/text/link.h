/*
 * link.h - places that are links to source files (OSC 8), on terminals that can show them.
 *
 * Only files that are found on this machine are linked, as file://HOST/PATH. The text of a link is
 * as wide as it is without.
 */
#ifndef TEXT_LINK_H
#define TEXT_LINK_H

#include "source/source_file.h"

#include <stdio.h>

/* Zero-initialised has none. */
struct links {
    struct source_finder finder;
    char *host, *root;
};

/* Files are looked for as those of a profile of `program`, which is borrowed, in the project's
 * folder `root`; both may be NULL. Nobody asks rustc where the standard library's are: that takes
 * time. */
void links_load(struct links *links, const char *root, const char *program);
void links_free(struct links *links);

/* The address of a file of the profile; NULL where it is not found, or where there is no file or
 * are no links. The caller frees it. */
char *link_address(struct links *links, const char *file);
/* The address of a source that was looked for, or NULL. */
char *link_address_of(const struct links *links, const struct source *source);

/* Begin and end a link; nothing without an address. */
void link_begin(FILE *out, const char *address);
void link_end(FILE *out, const char *address);

#endif
