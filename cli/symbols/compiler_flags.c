#include <config.h>

#include "symbols/compiler_flags.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 /* bytes of all flags, and four times that of one producer */ };

/* True for a flag that code may depend on. Paths and random names do not count. */
static bool may_change_code(const char *word)
{
    return text_begins_with_word_of(word, "-f -m -std= --param") &&
           !text_begins_with_word_of(word, "-fcolor -fdebug- -fdiagnostics -ffile- -fmacro- "
                                           "-frandom-seed -frecord-");
}

/* The flags of one compilation; NULL: it says none. Of several levels, "-O2", the last one holds.
 */
static char *flags_of(const char *producer)
{
    static const char blanks[] = " \t\r\n";
    struct string_list words = {0};
    struct strbuf text = {.text = NULL};
    char *level = NULL;

    for (const char *at = producer; *at; at += strcspn(at, blanks)) {
        char *word;

        at += strspn(at, blanks);
        word = xstrndup(at, strcspn(at, blanks));
        if (text_begins(word, "-O")) {
            free(level);
            level = word;
        } else if (may_change_code(word) && !string_list_has(&words, word)) {
            string_list_add(&words, word);
        } else {
            free(word);
        }
    }
    if (level)
        strbuf_add_item(&text, " ", level);
    for (size_t i = 0; i < words.n; i++)
        strbuf_add_item(&text, " ", words.items[i]);
    string_list_free_texts(&words);
    free(level);
    return text.text;
}

/* Adds the flags of all units, each once. False: they are too many. */
static bool add_units(struct string_list *all, Dwarf *dwarf)
{
    const char *last = NULL;
    size_t bytes = 0;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;

    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Attribute attribute;
        const char *producer =
            dwarf_formstring(dwarf_attr(&die, DW_AT_producer, &attribute) ? &attribute : NULL);
        char *flags;

        if (!producer || producer == last)
            continue;
        last = producer;
        if (strlen(producer) > (size_t)4 * MOST)
            return false;
        flags = flags_of(producer);
        if (!flags || string_list_has(all, flags)) {
            free(flags);
            continue;
        }
        string_list_add(all, flags);
        bytes += strlen(flags);
        if (bytes > MOST)
            return false;
    }
    return true;
}

static int compare_items(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *compiler_flags(Elf *elf)
{
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    struct string_list all = {0};
    struct strbuf text = {.text = NULL};

    if (dwarf && add_units(&all, dwarf)) {
        sort_items(all.items, all.n, sizeof *all.items, compare_items);
        for (size_t i = 0; i < all.n; i++)
            strbuf_add_item(&text, COMPILER_FLAGS_GAP, all.items[i]);
    }
    string_list_free_texts(&all);
    dwarf_end(dwarf);
    return text.text;
}
