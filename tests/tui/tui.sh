# tui.sh - a terminal for tests: tmux with a socket of its own. Keys go in, the screen's text comes out; what is waited for is asked
# for until it is there, never slept for. After tap.sh.
# shellcheck shell=sh disable=SC2154
command -v tmux >/dev/null 2>&1 || skip_all 'no tmux'
socket=cprof-$$
export LC_ALL=C.UTF-8
unset NO_COLOR COLUMNS LINES
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
tui_tries=300 # of a tenth of a second

# start WIDTH HEIGHT COMMAND: on a screen of its own. The shell says "ended STATUS" behind it.
start() {
  start_width=$1 start_height=$2
  tmux -L "$socket" kill-session 2>/dev/null
  printf 'set -g default-terminal %s\nset -g status off\nset -g set-clipboard on\n' "${terminal:-screen-256color}" >"$scratch/tmux.conf"
  tmux -L "$socket" -f "$scratch/tmux.conf" new-session -d -x "$start_width" -y "$start_height" \
    "sh -c 'stty -a >\"$scratch/stty.before\"; $3; status=\$?; stty -a >\"$scratch/stty.after\"; echo ended \$status; exec sleep 1000'"
  tmux -L "$socket" set-option -g default-terminal "${terminal:-screen-256color}"
}
keys() { tmux -L "$socket" send-keys "$@"; }
screen() { tmux -L "$socket" capture-pane -p; }
# With the colours, as the sequences that make them.
colors() { tmux -L "$socket" capture-pane -p -e; }

# until_true COMMAND...: whether it comes to succeed.
until_true() {
  until_left=$tui_tries
  until "$@"; do
    until_left=$((until_left - 1))
    [ $until_left -gt 0 ] || return 1
    sleep 0.1
  done
}
screen_has() { screen | grep -Eq -- "$1"; }
screen_lacks() { ! screen | grep -Eq -- "$1"; }
colors_have() { colors | grep -Eq -- "$1"; }

# shows REGEX NAME, hides REGEX NAME, paints REGEX NAME: one assertion each, that the screen comes to be so.
shows() { if until_true screen_has "$1"; then ok 0 "$2"; else ok 1 "$2"; note "wanted: $1"; note "$(screen)"; fi; }
hides() { if until_true screen_lacks "$1"; then ok 0 "$2"; else ok 1 "$2"; note "not wanted: $1"; note "$(screen)"; fi; }
paints() { if until_true colors_have "$1"; then ok 0 "$2"; else ok 1 "$2"; note "wanted: $1"; note "$(colors)"; fi; }
