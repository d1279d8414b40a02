# common.sh - what the action's steps share. The service reads their outputs from files, and annotations from what they print.
# shellcheck shell=sh

# annotate LEVEL TEXT: notice, warning or error, on the job's page. The service ends an annotation at the line's end.
annotate() {
  printf '%s\n' "$2" | awk -v level="$1" '
    { gsub(/%/, "%25"); gsub(/\r/, "%0D"); text = text (NR > 1 ? "%0A" : "") $0 }
    END { print "::" level " title=cargo-cprof::" text }'
}

die() {
  annotate error "$1"
  exit "${2-1}"
}

# output NAME VALUE: of any text. A delimiter that nobody can foresee keeps a value from adding outputs.
output() {
  output_end=end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s<<%s\n%s\n%s\n' "$1" "$output_end" "$2" "$output_end" >>"$GITHUB_OUTPUT"
}
