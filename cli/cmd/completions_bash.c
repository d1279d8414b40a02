#include <config.h>

/* The script that completes in bash. */
#include "cmd/completions.h"

#include <stdio.h>

/* `words` and `files` are the caller's: what may stand here. */
static const char at_command[] =
    "# _cargo_cprof_at N: completes a command line whose word N is the command.\n"
    "_cargo_cprof_at() {\n"
    "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  local command=${COMP_WORDS[$1]} words= files= i\n"
    "  COMPREPLY=()\n"
    "  for ((i = $1 + 1; i < COMP_CWORD; i++)); do\n"
    "    # The program's own arguments.\n"
    "    [[ ${COMP_WORDS[i]} == -- ]] && { compopt -o default; return; }\n"
    "  done\n"
    "  # To bash, '=' is a word of its own.\n"
    "  if [[ $current == = ]]; then\n"
    "    current=\n"
    "  elif [[ $before == = ]]; then\n"
    "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "  fi\n"
    "  if ((COMP_CWORD == $1)); then\n"
    "    words=\"$_cargo_cprof_commands --help --version\"\n"
    "  elif _cargo_cprof_value \"$command\" \"$before\"; then\n"
    "    :\n"
    "  elif [[ $current == -* ]]; then\n"
    "    _cargo_cprof_options \"$command\"\n"
    "  else\n"
    "    _cargo_cprof_operands \"$command\"\n"
    "  fi\n"
    "  if [[ -n $files ]]; then\n"
    "    compopt -o filenames\n"
    "    mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$current\")\n"
    "  else\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
    "  fi\n"
    "}\n"
    "_cargo_cprof() { _cargo_cprof_at 1; }\n"
    "complete -F _cargo_cprof cargo-cprof\n";

/* Others complete cargo, and only one function can: ours asks theirs. */
static const char for_cargo[] =
    "\n"
    "# 'cargo cprof', too; all else of cargo is left to what completed it before, or would.\n"
    "_cargo_cprof_find_cargo() {\n"
    "  local spec\n"
    "  spec=$(complete -p cargo 2>/dev/null)\n"
    "  [[ $spec =~ -F\\ ([^ ]+) && ${BASH_REMATCH[1]} != _cargo_cprof_cargo ]] || return 0\n"
    "  _cargo_cprof_other=${BASH_REMATCH[1]}\n"
    "}\n"
    "_cargo_cprof_load_cargo() {\n"
    "  _cargo_cprof_other=${_cargo_cprof_other-}\n"
    "  [[ -z $_cargo_cprof_other ]] || return 0\n"
    "  complete -r cargo\n"
    "  if declare -F _comp_load >/dev/null; then\n"
    "    _comp_load -- cargo\n"
    "  elif declare -F _completion_loader >/dev/null; then\n"
    "    _completion_loader cargo\n"
    "  fi\n"
    "  _cargo_cprof_find_cargo\n"
    "  complete -F _cargo_cprof_cargo -o bashdefault -o default cargo\n"
    "}\n"
    "_cargo_cprof_cargo() {\n"
    "  local i\n"
    "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "    case ${COMP_WORDS[i]} in\n"
    "      cprof) _cargo_cprof_at $((i + 1)); return ;;\n"
    "      [-+]*) ;;\n"
    "      *) break ;;\n"
    "    esac\n"
    "  done\n"
    "  COMPREPLY=()\n"
    "  _cargo_cprof_load_cargo\n"
    "  [[ -z $_cargo_cprof_other ]] || \"$_cargo_cprof_other\" \"$@\"\n"
    "}\n"
    "_cargo_cprof_find_cargo\n"
    "complete -F _cargo_cprof_cargo -o bashdefault -o default cargo\n";

static void put_options(const struct command *command, const struct option_group *groups,
                        void *data)
{
    (void)data;
    printf("    %s) words='", command->name);
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            printf("--%s ", def->name);
    printf("--help' ;;\n");
}

static void put_value(const char *command, const struct option_def *def)
{
    enum completion_kind kind = completion_of_option(def);

    if (kind == COMPLETION_NONE)
        return;
    printf("    '%s --%s'", command, def->name);
    if (def->letter)
        printf(" | '%s -%c'", command, def->letter);
    printf(")");
    if (kind == COMPLETION_FILE)
        printf(" files=-f");
    else if (kind == COMPLETION_FOLDER)
        printf(" files=-d");
    for (size_t i = 0; kind == COMPLETION_CHOICES && def->choices[i]; i++)
        printf("%s%s", i ? " " : " words='", def->choices[i]);
    printf("%s ;;\n", kind == COMPLETION_CHOICES ? "'" : "");
}

static void put_values(const struct command *command, const struct option_group *groups, void *data)
{
    (void)data;
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            put_value(command->name, def);
}

static void put_operands(const struct command *command)
{
    switch (completion_of_operands(command)) {
    case COMPLETION_COMMAND:
        printf("    %s) words=$_cargo_cprof_commands ;;\n", command->name);
        break;
    case COMPLETION_SHELL:
        printf("    %s) words='", command->name);
        for (size_t i = 0; completion_shells[i]; i++)
            printf("%s%s", i ? " " : "", completion_shells[i]);
        printf("' ;;\n");
        break;
    case COMPLETION_FILE:
        printf("    %s) files=-f ;;\n", command->name);
        break;
    default:
        break;
    }
}

void completions_bash(void)
{
    printf("# bash completion for cargo-cprof, made by 'cargo cprof completions bash'\n"
           "_cargo_cprof_commands='");
    for (size_t i = 0; command_table[i]; i++)
        printf("%s%s", i ? " " : "", command_table[i]->name);
    printf("'\n_cargo_cprof_options() {\n  case $1 in\n");
    for (size_t i = 0; command_table[i]; i++)
        command_describe(command_table[i], put_options, NULL);
    printf("  esac\n}\n"
           "_cargo_cprof_value() {\n  case \"$1 $2\" in\n");
    for (size_t i = 0; command_table[i]; i++)
        command_describe(command_table[i], put_values, NULL);
    printf("    *) return 1 ;;\n  esac\n}\n"
           "_cargo_cprof_operands() {\n  case $1 in\n");
    for (size_t i = 0; command_table[i]; i++)
        put_operands(command_table[i]);
    printf("  esac\n}\n%s%s", at_command, for_cargo);
}
