#include <config.h>

/* Completions for shells are made from the commands and their option tables, so that they never say
 * another thing than the help. */
#include "base/message.h"
#include "base/options.h"
#include "cmd/commands.h"

#include <stdio.h>
#include <string.h>

/* The values of an option, or a command's operands. */
enum completion_kind {
    COMPLETION_NONE,    /* a flag has no value */
    COMPLETION_ANY,     /* a number, a name: nothing that a shell knows */
    COMPLETION_CHOICES, /* one of option_def.choices */
    COMPLETION_FILE,
    COMPLETION_FOLDER,
    COMPLETION_COMMAND,
    COMPLETION_SHELL
};

/* The shells that there are scripts for, NULL-terminated. */
static const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Told by the name of the value in the help. A value that may be left out is COMPLETION_NONE: the
 * next word is none. */
static enum completion_kind completion_of_option(const struct option_def *def)
{
    const char *value = def->value ? def->value : "";

    switch (option_kind(def)) {
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
    case OPTION_OPTIONAL:
        return COMPLETION_NONE;
    case OPTION_FILE:
        return COMPLETION_FILE;
    default:
        if (def->choices)
            return COMPLETION_CHOICES;
        if (has(value, "DIRECTORY"))
            return COMPLETION_FOLDER;
        return has(value, "FILE") || has(value, "PATH") ? COMPLETION_FILE : COMPLETION_ANY;
    }
}

/* Told by the usage. */
static enum completion_kind completion_of_operands(const struct command *command)
{
    if (has(command->usage, "COMMAND"))
        return COMPLETION_COMMAND;
    if (has(command->usage, "SHELL"))
        return COMPLETION_SHELL;
    return has(command->usage, "FILE") || has(command->usage, "OLD") ? COMPLETION_FILE
                                                                     : COMPLETION_ANY;
}

/* Writes words with blanks between them. */
static void put_words(const char *before, const char *const *words, const char *after)
{
    printf("%s", before);
    for (size_t i = 0; words[i]; i++)
        printf("%s%s", i ? " " : "", words[i]);
    printf("%s", after);
}

static void put_commands(void)
{
    for (size_t i = 0; command_table[i]; i++)
        printf("%s%s", i ? " " : "", command_table[i]->name);
}

/*--- bash ---*/

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
    else if (kind == COMPLETION_CHOICES)
        put_words(" words='", def->choices, "'");
    printf(" ;;\n");
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
        printf("    %s)", command->name);
        put_words(" words='", completion_shells, "' ;;\n");
        break;
    case COMPLETION_FILE:
        printf("    %s) files=-f ;;\n", command->name);
        break;
    default:
        break;
    }
}

/* Writes the script of a shell to standard output. */
static void completions_bash(void)
{
    printf("# bash completion for cargo-cprof, made by 'cargo cprof completions bash'\n"
           "_cargo_cprof_commands='");
    put_commands();
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

/*--- fish ---*/

static const char functions[] =
    "# fish completion for cargo-cprof, made by 'cargo cprof completions fish'\n"
    "# Prints the command of 'cargo-cprof COMMAND' and 'cargo cprof COMMAND'; status 1: another "
    "line.\n"
    "function __cargo_cprof_command\n"
    "    set -l words (commandline -opc)\n"
    "    if string match -qr '(^|/)cargo$' -- $words[1]\n"
    "        set -l rest (string match -v -r '^[-+]' -- $words[2..-1])\n"
    "        test \"$rest[1]\" = cprof; or return 1\n"
    "        echo $rest[2]\n"
    "    else\n"
    "        echo $words[2]\n"
    "    end\n"
    "end\n"
    "function __cargo_cprof_wants_command\n"
    "    set -l command (__cargo_cprof_command); and test -z \"$command\"\n"
    "end\n"
    "function __cargo_cprof_is\n"
    "    set -l command (__cargo_cprof_command); and test \"$command\" = $argv[1]\n"
    "end\n"
    "for program in cargo-cprof cargo\n"
    "    complete -c $program -n __cargo_cprof_wants_command -f -s h -l help "
    "-d 'show the commands'\n"
    "    complete -c $program -n __cargo_cprof_wants_command -f -s V -l version "
    "-d 'show the version'\n";

static void put_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void begin(const char *command)
{
    printf("    complete -c $program -n '__cargo_cprof_is %s'", command);
}

static void put_option(const char *command, const struct option_def *def, const char *help)
{
    begin(command);
    printf(" -l %s", def->name);
    if (def->letter)
        printf(" -s %c", def->letter);
    switch (completion_of_option(def)) {
    case COMPLETION_NONE:
        break;
    case COMPLETION_FILE:
        printf(" -r -F");
        break;
    case COMPLETION_FOLDER:
        printf(" -x -a '(__fish_complete_directories)'");
        break;
    case COMPLETION_CHOICES:
        put_words(" -x -a '", def->choices, "'");
        break;
    default:
        printf(" -x");
        break;
    }
    printf(" -d ");
    put_text(help);
    putchar('\n');
}

static void fish_put_operands(const struct command *command)
{
    begin(command->name);
    switch (completion_of_operands(command)) {
    case COMPLETION_FILE:
        printf(" -F");
        break;
    case COMPLETION_COMMAND:
        printf(" -f -a '");
        put_commands();
        putchar('\'');
        break;
    case COMPLETION_SHELL:
        put_words(" -f -a '", completion_shells, "'");
        break;
    default:
        /* Files are for the program's own arguments. */
        printf(" -n 'not contains -- -- (commandline -opc)' -f");
        break;
    }
    putchar('\n');
}

static void put_command(const struct command *command, const struct option_group *groups,
                        void *data)
{
    (void)data;
    printf("    complete -c $program -n __cargo_cprof_wants_command -f -a %s -d ", command->name);
    put_text(command->summary);
    putchar('\n');
    fish_put_operands(command);
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            put_option(command->name, def, option_help_text(groups, def));
    begin(command->name);
    printf(" -s h -l help -d 'show this help'\n");
}

static void completions_fish(void)
{
    printf("%s", functions);
    for (size_t i = 0; command_table[i]; i++)
        command_describe(command_table[i], put_command, NULL);
    printf("end\n");
}

/*--- zsh ---*/

/* Text within '...', and in a specification for _arguments or _describe. */
static void zsh_put_text(const char *text)
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
    case COMPLETION_CHOICES:
        put_words("(", def ? def->choices : completion_shells, ")");
        break;
    default:
        putchar(' ');
        break;
    }
}

/* "'*'{-n+,--limit=}'[help]:N:action'"; the star: it may come again. */
static void zsh_put_option(const struct option_def *def, const char *help)
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
    zsh_put_text(help);
    putchar(']');
    if (takes || optional) {
        printf("%s:", optional || option_kind(def) == OPTION_FILE ? ":" : "");
        zsh_put_text(def->value ? def->value : "value");
        putchar(':');
        put_action(kind, def);
    }
    printf("' \\\n");
}

static void zsh_put_command(const struct command *command, const struct option_group *groups,
                            void *data)
{
    enum completion_kind operands = completion_of_operands(command);

    (void)data;
    printf("    %s)\n      _arguments -s -S \\\n", command->name);
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            zsh_put_option(def, option_help_text(groups, def));
    printf("        '(-h --help)'{-h,--help}'[show this help]'");
    if (operands != COMPLETION_ANY) {
        printf(" \\\n        '*:");
        zsh_put_text(operands == COMPLETION_FILE ? "file" : "name");
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

static void completions_zsh(void)
{
    printf("#compdef cargo-cprof\n"
           "# zsh completion for cargo-cprof, made by 'cargo cprof completions zsh'. zsh's own "
           "completion of cargo\n"
           "# calls _cargo-cprof for 'cargo cprof'.\n"
           "_cargo-cprof_commands() {\n"
           "  local -a commands=(\n");
    for (size_t i = 0; command_table[i]; i++) {
        printf("    '%s:", command_table[i]->name);
        zsh_put_text(command_table[i]->summary);
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
        command_describe(command_table[i], zsh_put_command, NULL);
    printf("  esac\n"
           "}\n%s",
           registration);
}

/*--- All shells ---*/

static void (*const writers[])(void) = {completions_bash, completions_zsh, completions_fish};

static int write_script(const char *shell)
{
    for (size_t i = 0; completion_shells[i]; i++) {
        if (!strcmp(completion_shells[i], shell)) {
            writers[i]();
            return STATUS_OK;
        }
    }
    return message_usage("no completions for the shell '%s'; there are those for bash, zsh and "
                         "fish",
                         shell);
}

static int work(void *settings, struct option_result *result)
{
    (void)settings;
    if (result->operands.n != 1)
        return message_usage("completions takes one shell; name bash, zsh or fish");
    return write_script(result->operands.items[0]);
}

static int run(const struct command *self, int argc, char **argv)
{
    return command_run_plain(self, NULL, argc, argv, work, NULL);
}

const struct command command_completions = {
    .name = "completions",
    .summary = "write what a shell needs to complete commands and options",
    .usage = "SHELL",
    .examples = "  source <(cargo cprof completions bash)      in ~/.bashrc\n"
                "  source <(cargo cprof completions zsh)       in ~/.zshrc, after compinit\n"
                "  cargo cprof completions fish | source       in ~/.config/fish/config.fish\n",
    .run = run,
};
