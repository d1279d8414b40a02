# What parser tests share: reports of the stock annotators and our own sums in one form. Needs $dump, the path of parser-dump.

# report_rows FILE N callgrind|cachegrind: the rows of a report of N events as "COUNT... FILE:FUNCTION", sorted. Objects in brackets,
# percentages and rows of zeros are dropped.
report_rows() {
  if grep -q '^-- File:function summary$' "$1"; then files_of_rows "$1" "$2"; else plain_rows "$1" "$3"; fi |
    sed -E 's/^ *//; s/\([ 0-9.]+%\)//g' | awk -v n="$2" '
      { row = ""; rest = $0; any = 0
        for (i = 1; i <= n; i++) {
          match(rest, /^ *[^ ]+ +/); count = substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1)
          gsub(/[ ,]/, "", count); if (count == ".") count = 0
          any += count != 0; row = row count " " }
        if (any) print row rest }' | sort
}
# plain_rows FILE callgrind|cachegrind: they stand between a line that ends in 'file:function' and an empty one.
plain_rows() {
  awk '/file:function$/ { on = 1; next } on && /^--/ { next } on && /^$/ { exit } on' "$1" |
    if [ "$2" = callgrind ]; then sed -E 's/ \[[^][]*\]$//'; else cat; fi
}
# files_of_rows FILE N: cg_annotate of Valgrind 3.21 and later has a row for each file, "< COUNT... FILE:", and those of its functions
# below it; a file of one row is "< COUNT... FILE:FUNCTION".
files_of_rows() {
  sed -n '/^-- File:function summary$/,/^-- Function:file summary$/p' "$1" |
    sed -E -n 's/\( *([0-9.]+%|n\/a)(, *([0-9.]+%|n\/a))?\)//g; /^[< ] +-?[0-9]/p' | awk -v n="$2" '
      { counts = ""; rest = substr($0, 2)
        for (i = 1; i <= n; i++) { match(rest, /^ *[^ ]+ +/); counts = counts substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1) } }
      /^</ { file = rest; if (file !~ /:$/) print counts file; next }
      { print counts file rest }'
}
# report_totals FILE: the counts of its PROGRAM TOTALS.
report_totals() {
  grep 'PROGRAM TOTALS' "$1" | sed -E 's/\([ 0-9.]+%\)//g; s/,//g; s/PROGRAM TOTALS//' |
    awk '{ for (i = 1; i <= NF; i++) printf "%s%s", (i > 1 ? " " : ""), ($i == "." ? 0 : $i); print "" }'
}
# sum_rows N: rows of one name added up, rows of zeros dropped, sorted.
sum_rows() {
  awk -v n="$1" '{ key = $0; for (i = 1; i <= n; i++) sub(/^[^ ]+ /, "", key)
    if (!(key in seen)) order[++count] = key
    seen[key] = 1; for (i = 1; i <= n; i++) sum[key, i] += $i }
    END { for (k = 1; k <= count; k++) { row = ""; any = 0
      for (i = 1; i <= n; i++) { row = row sprintf("%.0f ", sum[order[k], i]); any += sum[order[k], i] != 0 }
      if (any) print row order[k] } }' | sort
}
# our_rows FILE N: our own in the same form. Records of several objects are one row there.
our_rows() {
  "$dump" -s "$1" | sum_rows "$2"
}
