#include <config.h>

#include "render/text/link.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void links_load(struct links *links, const char *root, const char *program)
{
    char host[HOST_NAME_MAX + 1] = "";

    *links = (struct links){.root = root ? xstrdup(root) : NULL};
    links->finder = (struct source_finder){.root = links->root, .program = program, .asked = true};
    if (gethostname(host, sizeof host - 1) != 0)
        *host = '\0';
    links->host = xstrdup(host);
}

void links_free(struct links *links)
{
    source_finder_free(&links->finder);
    free(links->host);
    free(links->root);
    links->host = links->root = NULL;
}

/* Adds a text with all bytes escaped that are no part of a path in an address. */
static void add_escaped(struct strbuf *address, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    for (; *text; text++) {
        if (strchr(plain, *text))
            strbuf_add_bytes(address, text, 1);
        else
            strbuf_addf(address, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

char *link_address_of(const struct links *links, const struct source *source)
{
    struct strbuf address = {.text = NULL};
    char *path;

    if (!links || !source || source->state != SOURCE_FOUND)
        return NULL;
    path = realpath(source->path, NULL);
    if (!path)
        return NULL;
    strbuf_add(&address, "file://");
    add_escaped(&address, links->host);
    add_escaped(&address, path);
    free(path);
    return strbuf_take(&address);
}

char *link_address(struct links *links, const char *file)
{
    return links && file ? link_address_of(links, source_find(&links->finder, file)) : NULL;
}

void link_begin(FILE *out, const char *address)
{
    if (address)
        fprintf(out, "\033]8;;%s\033\\", address);
}

void link_end(FILE *out, const char *address)
{
    if (address)
        fputs("\033]8;;\033\\", out);
}
