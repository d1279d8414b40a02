#include <config.h>

#include "../tap.h"
#include "base/strbuf.h"
#include "bench/harness.h"

#include <stdlib.h>
#include <string.h>

static void read_lines(struct name_tree *tree, const char *text)
{
    char *copy = strdup(text);

    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        name_tree_line(tree, line);
    free(copy);
}

/* The names of a list, with what a run (NULL: none) has below them, one behind another. */
static void is_names(const char *listed, const char *run, const char *want, const char *name)
{
    struct name_tree list = {0}, ran = {0};
    struct string_list names = {0};
    struct strbuf got = {.text = NULL};
    char *text;

    read_lines(&list, listed);
    if (run)
        read_lines(&ran, run);
    name_tree_names(&list, run ? &ran : NULL, &names);
    for (size_t i = 0; i < names.n; i++) {
        strbuf_add_item(&got, " ", names.items[i]);
        free((char *)names.items[i]);
    }
    text = strbuf_take(&got);
    is_text(text, want, name);
    free(text);
    string_list_free(&names);
    name_tree_free(&list);
    name_tree_free(&ran);
}

int main(void)
{
    static const char list[] = "app\n"
                               "├─ parse\n"
                               "│  ├─ deep\n"
                               "│  ╰─ flat\n"
                               "╰─ write\n";

    is_names("", NULL, "", "nothing");
    is_names("app\n", NULL, "app", "a name alone");
    is_names(list, NULL, "app::parse::deep app::parse::flat app::write", "paths of leaves");
    is_names("app\n├── a\n│   ╰── b\n╰── c", NULL, "app::a::b app::c", "wider branches");
    is_names("app\n├─ a           fastest\n╰─ b  (ignored)\n", NULL, "app::a",
             "columns and what is ignored");
    is_names("Timer precision: 2 ns\napp\n╰─ a\n  spaced\n", NULL, "app::a",
             "lines that are no tree's");
    is_names("╰─ a\n", NULL, "", "a branch without a root");
    is_names(list,
             "app\n├─ parse\n│  ├─ deep\n│  │  ├─ 10\n│  │  ╰─ 20\nprinted by a bench\n"
             "│  ╰─ flat\n╰─ write\n   ├─ t=1\n   ╰─ t=4\n",
             "app::parse::deep::10 app::parse::deep::20 app::parse::flat app::write",
             "arguments that only a run shows, and numbers of threads");
    is_names("a\n╰─ x\n", "other\n╰─ x\n   ╰─ 1\n", "a::x", "a run of something else");
    return tap_done();
}
