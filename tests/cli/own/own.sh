# own.sh - five programs, each with a hot line planted in its own code, in packages of several crates: `. "$srcdir/tests/cli/own/own.sh"` after
# tap.sh. Skips the whole test where a program of a workspace cannot be built and run. The planted line ends in "// planted".
# shellcheck shell=sh disable=SC2154
[ -x "$VALGRIND_BIN" ] || skip_all 'no valgrind'
[ -n "$CARGO" ] && "$CARGO" --version >/dev/null 2>&1 || skip_all 'no cargo'
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET CARGO_BUILD_TARGET_DIR RUSTFLAGS
export CARGO_NET_OFFLINE=true CARGO_TERM_COLOR=never

own_names='quadratic clone allocation traversal formatting'
# own_copy NAME [FOLDER]: copies what is newer of the package to $scratch/NAME, or FOLDER/NAME, with the file that it reads.
own_copy() {
  own_folder=${2:-$scratch}
  cp -Ru "$top/tests/cli/own/$1" "$own_folder" && chmod -R u+w "$own_folder/$1"
  if [ "$1" = quadratic ]; then
    awk 'BEGIN { for (i = 0; i < 3000; i++) printf "10.0.%d.%d /page/%d %d %d\n", i * 7 % 16, i * 31 % 50, i % 40, i % 9 ? 200 : 404, i * 13 % 5000 }' \
      >"$own_folder/$1/access.log"
  fi
}
# own_use NAME: has the package at $scratch/NAME, in a folder that all tests share, since building it takes longer than the rest. No other
# test uses it until this one uses another or ends. Its sources stay as they are.
own_use() {
  own_packages=$build/tests/own-packages
  mkdir -p "$own_packages"
  exec 9>"$own_packages/$1.lock"
  flock 9 || exit 1
  own_copy "$1" "$own_packages"
  rm -rf "$own_packages/$1/target/cprof"
  ln -sfn "$own_packages/$1" "$scratch/$1"
}
# own_lto NAME yes|no: builds the package with or without optimization at link time from now on.
own_lto() {
  sed -i '/^\[profile\.release\]$/,$d' "$scratch/$1/Cargo.toml"
  case $2 in
  yes) printf '[profile.release]\nlto = "fat"\ncodegen-units = 1\n' ;;
  *) printf '[profile.release]\nlto = "off"\n' ;;
  esac >>"$scratch/$1/Cargo.toml"
}
# own_planted NAME: sets own_function, the full path of the planted function, and own_place, its line as "lib.rs:12" within own_file.
own_planted() {
  case $1 in
  quadratic) own_function=logan::unique_clients own_file=src/main.rs ;;
  clone) own_function=quotes::price_of own_file=quotes/src/lib.rs ;;
  allocation) own_function=words::shout own_file=words/src/lib.rs ;;
  traversal) own_function=sums::columns own_file=sums/src/lib.rs ;;
  formatting) own_function=lines::line own_file=lines/src/lib.rs ;;
  esac
  own_line=$(sed -n '/\/\/ planted$/=' "$top/tests/cli/own/$1/$own_file")
  own_place=$own_file:$own_line
}
# own_profile NAME COMMAND OPTIONS...: runs the package under callgrind or cachegrind; $scratch/NAME/target/cprof has the profile. The environment,
# which is on the program's stack, is that of every run.
own_profile() (
  own_package=$1 own_command=$2 own_arguments=; shift 2
  [ "$own_package" != quadratic ] || own_arguments=access.log
  cd "$scratch/$own_package" || exit 1
  # shellcheck disable=SC2086 # no argument, or one
  env -i PATH="$PATH" HOME="$HOME" CARGO="$CARGO" ${CARGO_HOME:+CARGO_HOME="$CARGO_HOME"} ${RUSTUP_HOME:+RUSTUP_HOME="$RUSTUP_HOME"} CARGO_NET_OFFLINE=true TMPDIR="${TMPDIR:-/tmp}" XDG_STATE_HOME="$XDG_STATE_HOME" LC_ALL=C \
    RUSTUP_TOOLCHAIN="${RUSTUP_TOOLCHAIN:-}" VALGRIND_BIN="$VALGRIND_BIN" ${COLUMNS:+COLUMNS="$COLUMNS"} "$build/cargo-cprof" "$own_command" --release "$@" -- $own_arguments
)
