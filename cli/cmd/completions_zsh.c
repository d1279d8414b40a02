#include <config.h>

/* The script that completes in zsh. */
#include "cmd/completions.h"

#include <stdio.h>
#include <string.h>

/* Text within '...', and in a specification for _arguments or _describe. */
static void put_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void put_action(enum completion_kind kind, const struct option_def *def)
{
    switch (kind) {
    case COMPLETION_FILE:
        printf("_files");
        break;
    case COMPLETION_FOLDER:
        printf("_files -/");
        break;
    case COMPLETION_COMMAND:
        printf("_cargo-cprof_commands");
        break;
    case COMPLETION_SHELL:
    case COMPLETION_CHOICES: {
        const char *const *words = def ? def->choices : completion_shells;

        for (size_t i = 0; words[i]; i++)
            printf("%s%s", i ? " " : "(", words[i]);
        putchar(')');
        break;
    }
    default:
        putchar(' ');
        break;
    }
}

/* "'*'{-n+,--limit=}'[help]:N:action'"; the star: it may come again. */
static void put_option(const struct option_def *def)
{
    enum completion_kind kind = completion_of_option(def);
    bool takes = kind != COMPLETION_NONE, optional = option_kind(def) == OPTION_OPTIONAL;
    const char *mark = takes ? "=" : optional ? "=-" : "";

    printf("        '*'");
    if (def->letter)
        printf("{-%c%s,--%s%s}", def->letter, takes ? "+" : "", def->name, mark);
    else
        printf("--%s%s", def->name, mark);
    printf("'[");
    put_text(def->help);
    putchar(']');
    if (takes || optional) {
        printf("%s:", optional || option_kind(def) == OPTION_FILE ? ":" : "");
        put_text(def->value ? def->value : "value");
        putchar(':');
        put_action(kind, def);
    }
    printf("' \\\n");
}

static void put_command(const struct command *command, const struct option_group *groups,
                        void *data)
{
    enum completion_kind operands = completion_of_operands(command);

    (void)data;
    printf("    %s)\n      _arguments -s -S \\\n", command->name);
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            put_option(def);
    printf("        '(-h --help)'{-h,--help}'[show this help]'");
    if (operands != COMPLETION_ANY) {
        printf(" \\\n        '*:");
        put_text(operands == COMPLETION_FILE ? "file" : "name");
        putchar(':');
        put_action(operands, NULL);
        putchar('\'');
    }
    printf("\n      ;;\n");
}

/* Loaded from a folder of fpath, the file is the function itself. Else it is read by `source`. */
static const char registration[] =
    "# 'cargo cprof'; all else of cargo is left to what completed it before.\n"
    "_cargo-cprof_cargo() {\n"
    "  local i=2\n"
    "  while [[ ${words[i]} == [-+]* ]]; do ((i++)); done\n"
    "  if [[ ${words[i]} == cprof ]] && ((i < CURRENT)); then\n"
    "    shift $((i - 1)) words\n"
    "    ((CURRENT -= i - 1))\n"
    "    _cargo-cprof\n"
    "  else\n"
    "    ${_cargo_cprof_other:-_default} \"$@\"\n"
    "  fi\n"
    "}\n"
    "if [[ ${funcstack[1]} == _cargo-cprof ]]; then\n"
    "  _cargo-cprof \"$@\"\n"
    "else\n"
    "  compdef _cargo-cprof cargo-cprof\n"
    "  [[ ${_comps[cargo]} == _cargo-cprof_cargo ]] || _cargo_cprof_other=${_comps[cargo]}\n"
    "  compdef _cargo-cprof_cargo cargo\n"
    "fi\n";

void completions_zsh(void)
{
    printf("#compdef cargo-cprof\n"
           "# zsh completion for cargo-cprof, made by 'cargo cprof completions zsh'. zsh's own "
           "completion of cargo\n"
           "# calls _cargo-cprof for 'cargo cprof'.\n"
           "_cargo-cprof_commands() {\n"
           "  local -a commands=(\n");
    for (size_t i = 0; command_table[i]; i++) {
        printf("    '%s:", command_table[i]->name);
        put_text(command_table[i]->summary);
        printf("'\n");
    }
    printf("  )\n"
           "  _describe -t commands command commands\n"
           "}\n"
           "_cargo-cprof() {\n"
           "  if ((CURRENT == 2)); then\n"
           "    _cargo-cprof_commands\n"
           "    return\n"
           "  fi\n"
           "  # The program's own arguments.\n"
           "  if ((${words[(i)--]} < CURRENT)); then\n"
           "    _default\n"
           "    return\n"
           "  fi\n"
           "  shift words\n"
           "  ((CURRENT--))\n"
           "  case $words[1] in\n");
    for (size_t i = 0; command_table[i]; i++)
        command_describe(command_table[i], put_command, NULL);
    printf("  esac\n"
           "}\n%s",
           registration);
}
