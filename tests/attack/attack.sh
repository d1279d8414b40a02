# attack.sh - attacks as assertions of a test, after tap.sh.
# shellcheck shell=sh disable=SC2154
python=/usr/bin/python3
[ -x "$python" ] || skip_all "no $python"
attack=$top/tests/attack

# part NAME COMMAND...: an attack that speaks TAP itself; skipped where it skips itself.
part() {
  part_name=$1; shift
  "$@" >"$scratch/part" 2>&1
  part_status=$?
  if grep -q '^1\.\.0 # SKIP' "$scratch/part"; then
    skip "$part_name" "$(sed -n 's/^1\.\.0 # SKIP //p' "$scratch/part")"
  else
    ok $part_status "$part_name" || sed 's/^/# /' "$scratch/part" | head -n 60
  fi
}
