# tui.sh - a terminal for tests: tmux with a socket of its own. Keys go in, the screen's text comes out; what is waited for is asked
# for until it is there, never slept for. After tap.sh.
# shellcheck shell=sh disable=SC2154
command -v tmux >/dev/null 2>&1 || skip_all 'no tmux'
socket=cprof-$$
export LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS LINES
tap_last='tmux -L "$socket" kill-server 2>/dev/null'
tui_tries=600 # of a tenth of a second: a machine may have other work

# start WIDTH HEIGHT COMMAND: on a screen of its own. The shell says "ended STATUS" behind it; the command's process is in "pid".
start() {
  tmux -L "$socket" kill-session 2>/dev/null
  # A server that ends with its last session may take the next one along.
  printf 'set -s exit-empty off\nset -g default-terminal %s\nset -g status off\nset -g set-clipboard on\nset -g escape-time 0\n' \
    "${terminal:-screen-256color}" >"$scratch/tmux.conf"
  cat >"$scratch/session.sh" <<END
stty -g >"$scratch/stty.before"
sh -c 'echo \$\$ >"$scratch/pid"; exec env "\$@"' sh $3
status=\$?
stty -g >"$scratch/stty.after"
echo ended \$status
exec sleep 1000
END
  # The server must not have a lock of the test's (descriptor 9): it may end later.
  tmux -L "$socket" -f "$scratch/tmux.conf" start-server \; source-file "$scratch/tmux.conf" 9>&-
  tmux -L "$socket" new-session -d -x "$1" -y "$2" "sh '$scratch/session.sh'" 9>&-
}
# keys KEY...: as tmux names them; what was pressed is kept in "pressed".
keys() {
  printf '%s\n' "$@" >>"$scratch/pressed"
  tmux -L "$socket" send-keys "$@"
}
# types TEXT: into a prompt; no keys that do something.
types() { tmux -L "$socket" send-keys -l "$1"; }
# click COLUMN LINE, double_click, wheel_up, wheel_down: from 1 on, at most 90, as terminals tell it (X10): a button, and its release.
mouse() { tmux -L "$socket" send-keys -H 1b 5b 4d "$1" "$(printf %x $(($2 + 32)))" "$(printf %x $(($3 + 32)))"; }
click() { mouse 20 "$1" "$2"; mouse 23 "$1" "$2"; }
# In one command: by two of them a busy machine would take too long in between.
double_click() {
  at="$(printf %x $(($1 + 32))) $(printf %x $(($2 + 32)))"
  # shellcheck disable=SC2086 # words
  tmux -L "$socket" send-keys -H 1b 5b 4d 20 $at 1b 5b 4d 23 $at 1b 5b 4d 20 $at 1b 5b 4d 23 $at
}
wheel_up() { mouse 60 "$1" "$2"; }
wheel_down() { mouse 61 "$1" "$2"; }
screen() { tmux -L "$socket" capture-pane -p; }
# With the colours, as the sequences that make them.
colors() { tmux -L "$socket" capture-pane -p -e; }

# until_true COMMAND...: whether it comes to succeed; soon where the program has ended.
until_true() {
  until_left=$tui_tries
  until "$@"; do
    until_left=$((until_left - 1))
    [ $until_left -gt 0 ] || return 1
    sleep 0.1
    # Whether it has ended is asked at each eighth attempt: that takes more processes than the search.
    [ $((until_left % 8)) -eq 0 ] || continue
    tmux -L "$socket" has-session 2>/dev/null || return 1
    [ $until_left -lt 10 ] || ! screen | grep -q '^ended' || until_left=10
  done
}
# A search is one process beside tmux, which has no shell between: what the screen is edited by first, in $screen_bars, that process does, too, and it ends
# with 5 where it finds something. The byte 1 is in no expression.
screen_bars=
mark=$(printf '\001')
screen_has() { tmux -L "$socket" capture-pane -p | sed -nE "$screen_bars\\$mark$1${mark}q5"; [ $? -eq 5 ]; }
screen_lacks() { ! screen_has "$1"; }
colors_have() { tmux -L "$socket" capture-pane -p -e | sed -nE "\\$mark$1${mark}q5"; [ $? -eq 5 ]; }
# The text of the selected line: reversed, neither the first nor the last.
escape=$(printf '\033')
selected() { colors | sed -e '1d;$d' | sed -n -e "/^$escape\[[0-9;]*7m/s/$escape\[[0-9;]*m//gp"; }
selection_is() {
  tmux -L "$socket" capture-pane -p -e |
    sed -nE "1d;\$d;/^$escape\\[[0-9;]*7m/{s/$escape\\[[0-9;]*m//g;$screen_bars\\$mark$1${mark}q5}"
  [ $? -eq 5 ]
}

# shows REGEX NAME, hides, paints, selects: one assertion each, that the screen comes to be so.
shows() { if until_true screen_has "$1"; then ok 0 "$2"; else ok 1 "$2"; note "wanted: $1"; note "$(screen)"; fi; }
hides() { if until_true screen_lacks "$1"; then ok 0 "$2"; else ok 1 "$2"; note "not wanted: $1"; note "$(screen)"; fi; }
paints() { if until_true colors_have "$1"; then ok 0 "$2"; else ok 1 "$2"; note "wanted: $1"; note "$(colors)"; fi; }
selects() { if until_true selection_is "$1"; then ok 0 "$2"; else ok 1 "$2"; note "wanted: $1"; note "selected: $(selected)"; note "$(screen)"; fi; }
# restored WHAT: two assertions, after the program has ended: the terminal is as it was before.
restored() {
  is "$(cat "$scratch/stty.after")" "$(cat "$scratch/stty.before")" "$1: the terminal's settings are as they were"
  is "$(tmux -L "$socket" display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}')" '0 1 0 0' \
    "$1: its screen, cursor, mouse and keypad, too"
}
