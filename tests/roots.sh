# roots.sh - installations of Debian's releases, made by debootstrap, for scripts that are run by hand: `. "$top/tests/roots.sh"`.
# They set $release and $log, the file that keeps what commands print.
# shellcheck shell=sh disable=SC2154
place=${CPROF_DISTRIBUTIONS:-${TMPDIR:-/var/tmp}/cprof-distributions}

say() { printf '%s: %s\n' "$release" "$*"; }
die() { printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

need_root() {
  [ "$(id -u)" -eq 0 ] || die "not root: debootstrap, chroot and mount need it"
  command -v debootstrap >/dev/null || die "there is no debootstrap: apt-get install debootstrap"
}

# in_namespaces SCRIPT [ARGUMENT]...: mounts and processes of a script that was broken off end with its namespaces.
in_namespaces() { unshare --mount --pid --fork --kill-child sh "$@"; }

# fail WHAT: why the release failed, with the end of its log.
fail() {
  tail -n 30 "$log" | sed 's/^/    /' >&2
  printf '%s: FAILED: %s (%s)\n' "$release" "$*" "$log" >&2
  exit 1
}

# base: the bare installation of $release, made once.
base() {
  [ ! -f "$place/$release-base/.complete" ] || return 0
  say "debootstrap"
  rm -rf --one-file-system "$place/$release-base"
  debootstrap --variant=minbase "$release" "$place/$release-base" >>"$log" 2>&1 || fail "debootstrap"
  : >"$place/$release-base/.complete"
}

# root NAME: a fresh copy of the base, with what a machine has mounted. The mounts are of this process's namespace and go with it.
# Somebody may have mounted /dev in an older copy by hand: removing what lies under such a mount would remove the machine's devices.
root() {
  root=$place/$release-$1
  rm -rf --one-file-system "$root" 2>>"$log" || die "$root is not removed: unmount what is mounted in it"
  cp -a "$place/$release-base" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}

# leave: removes the copy. A process that was started in it may still have its devices open; they are unmounted when it ends.
leave() {
  umount -R -l "$root/dev" "$root/proc"
  rm -rf --one-file-system "$root"
}

# inside COMMAND: a command line in the root, as a user who has just logged in.
inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm LANG=C.UTF-8 sh -c "$1"
}

# install PACKAGE...: in the root. With the lists that debootstrap left, where these suffice: a mirror's may be too old to be read again.
install() {
  install_command="DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $*"
  inside "$install_command || { apt-get update -qq && $install_command; }" >>"$log" 2>&1 || fail "apt-get install $*"
}

# sources: what is committed, as /src/cargo-cprof in the root.
sources() {
  mkdir -p "$root/src/cargo-cprof"
  git -C "$top" archive HEAD | tar -x -C "$root/src/cargo-cprof"
}
