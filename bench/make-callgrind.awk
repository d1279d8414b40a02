# awk -f make-callgrind.awk [-v size=100] [-v seed=1] >FILE: a callgrind profile of about `size` MB as Callgrind writes them (names by
# number, relative lines, nine events, functions in parts), to time the reader with: time tests/unit/parser-dump -t FILE
function put(line) { print line; bytes += length(line) + 1 }
function random(n) { return int(rand() * n) }
function name(space, i, text) { # "(N) text" the first time, "(N)" from then on
  if ((space, i) in seen) return "(" seen[space, i] ")"
  seen[space, i] = ++last[space]
  return "(" seen[space, i] ") " text
}
function counts(  n, row, i) { # trailing zeros are left out
  n = 1 + random(9); row = 1 + random(100000)
  for (i = 1; i < n; i++) row = row " " (random(3) ? random(50000) : 0)
  for (i = 0; i < 9; i++) { split(row, fields, " "); part[i] += fields[i + 1]; total[i] += fields[i + 1] }
  return row
}
function sums(of,  i, row) { for (i = 0; i < 9; i++) row = row " " sprintf("%.0f", of[i]); return row }
function move(  d) { d = random(9) - 2; if (line + d < 1) d = 1; line += d; return d > 0 ? "+" d : d < 0 ? d : "*" }
function call(  i) {
  i = random(functions)
  put("cfi=" name("file", i % 997, "/home/user/project/src/module" i % 997 ".rs"))
  put("cfn=" name("function", i, "project::module" i % 997 "::function" i))
  put("calls=" 1 + random(1000) " " 1 + random(2000))
  print line " " 1 + random(100000) " " random(50000) " " random(50000)
}
BEGIN {
  if (!size) size = 100
  srand(seed ? seed : 1); functions = 20000
  put("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./a\npositions: line")
  while (bytes < size * 1000000) {
    put("part: " ++parts "\ndesc: Trigger: Program termination\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw")
    split("", part)
    for (f = 0; f < functions && bytes < size * 1000000; f++) {
      put("fl=" name("file", f % 997, "/home/user/project/src/module" f % 997 ".rs"))
      put("fn=" name("function", f, "project::module" f % 997 "::function" f))
      line = 1 + random(2000)
      put(line " " counts())
      for (i = random(40); i > 0; i--)
        if (random(8)) put(move() " " counts()); else call()
    }
    put("totals:" sums(part) "\n")
  }
}
