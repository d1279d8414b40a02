# common.sh - which release of Debian the arm64 installation is ($ARM64_RELEASE), and where ($ARM64_ROOT: another one), for the scripts of this
# folder: `. "$top/tests/arm64/common.sh"`.
# shellcheck shell=sh disable=SC2034,SC2154
release=${ARM64_RELEASE:-bookworm}
place=${CPROF_ARM64:-${TMPDIR:-/var/tmp}/cprof-arm64}/$release
root=${ARM64_ROOT:-$place/root}
bare=$place/bare
built=$place/build

say() { printf '# arm64: %s\n' "$*" >&2; }
die() { printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# need_tests TEST...: that there are such.
need_tests() {
  for needed; do
    case $needed in *.test) [ -f "$top/$needed" ] || die "no test '$needed'; they are called tests/tool/NAME.test" ;; esac
  done
}

# need COMMAND=PACKAGE...: what a step is done by.
need() {
  for needed; do
    command -v "${needed%%=*}" >/dev/null 2>&1 || die "there is no ${needed%%=*}: apt-get install ${needed#*=}"
  done
}
