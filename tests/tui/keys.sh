# keys.sh - every key of the browser, one after another, and what the screen then shows; at $width columns and $height lines.
# shellcheck shell=sh disable=SC2154
. "$top/tests/tui/tui.sh"
. "$top/tests/tui/profile.sh"
# The screen without bars, which "paints" sees.
without_bars() { sed 's/[█▏▎▍▌▋▊▉]/ /g'; }
screen() { tmux -L "$socket" capture-pane -p | without_bars; }
screen_bars='s/[█▏▎▍▌▋▊▉]/ /g;'

# Numbers: where there is room, counts and percentages; from "p" on, both everywhere.
browse "$width" "$height"
if [ "$width" = 80 ]; then
  shows '^   %▼ +Function +Costliest line +Mostly *$' 'percentages alone in a narrow window'
  keys p p
else
  shows '^ *Charged▼ +% +Self +% +Inclusive +% +Function +Costliest line' 'counts, too, in a wide one'
  keys p p p
fi
number='[0-9,]+ +[0-9.]+'
# Makes them both in a window as it is opened.
both() { [ "$width" != 80 ] || keys p p; }

# Own code.
shows '^ program +your code, with what it called: 100.0 % of all +10,000 Ir *$' 'the browser begins with own code'
shows "^ +5,500 +55.0 .* leaf +program.c:[0-9]+ *\$" 'a function with its line'
is "$(screen | sed -n 3,6p | awk '{ printf "%s ", $(NF - 1) }')" 'leaf work main other ' 'all of them'
shows 'Enter source  c calls  t tree  b blame  l all  / filter  (e event  )?\? help  q quit *$' 'the last line names the keys of own code'
paints '█.*work' 'own code has bars'
selects '^ *5,500' 'the first line of own code is selected'
keys Escape
shows '^ program +your code' 'Esc: nothing is before it'
keys I
shows 'Inclusive▼' 'I: own code by inclusive cost'
shows '10,000 +100.0 +main +program.c' 'own code by inclusive cost: main has all of it'
is "$(screen | sed -n 3p | awk '{ print $(NF - 1) }')" main 'own code by inclusive cost: main is first'
selects ' leaf ' 'own code by inclusive cost: the selection stays with its function'
keys I g
selects '^ *5,500' 'I again: by what they are charged with'
keys /
types k
shows 'selection|^/k$' '/: a filter'
hides ' leaf ' 'while it is typed'
types q
shows '^/kq$' 'q is a letter there'
cursor_is() { [ "$(tmux -L "$socket" display-message -p '#{cursor_x} #{cursor_y}')" = "$1" ]; }
until_true cursor_is "3 $((height - 1))"
ok $? 'the cursor is behind what is typed'
keys BSpace Enter
shows '^ /k  \(Esc shows all\)' 'Enter keeps the filter of own code'
hides ' leaf ' 'Enter keeps it: leaf is gone'
keys Escape
shows ' leaf +program.c' 'Esc shows all own code'
keys / Escape
shows '^ Enter source ' 'Esc leaves the prompt of a filter'
keys O
shows 'all of it is own code' 'O has nothing to leave out'
keys e
shows 'Dr: data reads' 'e: another event'
is "$(screen | sed -n 3p | awk '{ print $(NF - 1) }')" work 'own code by data reads: work is first'
keys E
selects ' leaf ' 'the selection stays'
keys w
types own.txt
keys Enter
shows "wrote 'own.txt'" 'w: as text'
matches "$(sed -n 4p own.txt)" '^ *5,500  55\.0 .*leaf +program\.c:[0-9]+$' 'without bars'
keys Enter
shows '^ program +leaf: 55.0 % own, 55.0 % with callees' 'Enter: the source of leaf'
selects '^ +5,500 +55.0 +5,500 +55.0 +[0-9]+ ' 'at its costliest line'
keys Escape
shows '^ program +your code' 'Esc: back to own code'
keys b
shows '^ program +lines of your code, with what they called: [0-9]+ of' 'b: line by line'
shows '^ +5,500 +55.0 .* program.c:[0-9]+ +' 'a line'
shows 'program.c:2 +\{ /\* three times' 'a line of own code has its text'
shows 'Enter source  u callers  c calls  / filter  e event  Esc back  \? help  q quit *$' 'a list of functions has keys of its own'
keys g Down Enter
shows '^ program +work: 30.0 % own' 'Enter: the source of work'
selects '^ +3,000 +30.0 +7,000 +70.0 +6 \{' 'at the line'
keys u
shows '^ program +callers of program.c:6 in work: 70.0 %' 'u: callers of the line'
shows "^ +$number .* main +program.c:14 *\$" 'u: a caller of the line has the call site'
keys Enter
selects '^ +1,000 +10.0 +10,000 100.0 +14 \{' 'Enter: the source there'
keys u
shows 'callers of program.c:14 in main: 100.0 %' 'u again: one further up'
shows "\[thread 1\]" 'to the end'
keys Escape Escape Escape Escape
shows 'lines of your code' 'Esc, four times: back to the lines'
keys e
shows ' 100 Dr *$' 'another event of lines'
selects 'program.c:6 ' 'of which the same line stays selected'
keys E
shows '10,000 Ir *$' 'E: the event before'
selects 'program.c:6 ' 'of which it stays selected, in another place'
keys '>' r
shows 'Line▼' 'sorted by place'
keys v
shows '^ program +your code' 'v: own code again'

# The list.
keys l
shows '^ program +functions by own Ir: 4 of 4 +10,000 Ir *$' 'the first line: program, what is shown, the total'
# `place`: where the last column begins, less the one before; `name`: the word of a row that is a function's name. A wide screen has Ir/Call.
bar='' place=21 name=6
[ "$width" = 80 ] || bar=$(printf '%21s' '') place=51 name=7
ratio() { [ "$width" = 80 ] || printf '%9s ' "$1"; }
is "$(screen | sed -n 2,6p | sed 's/  *$//')" "$(printf '%s%-*s%s\n' \
  "    Ir▼     %$bar  Inclusive     %   Calls $(ratio Ir/Call)" $place Function Location \
  "  5,500  55.0$bar      5,500  55.0       5 $(ratio 1,100)" $place leaf program.c:1 \
  "  3,000  30.0$bar      7,000  70.0       4 $(ratio 750)" $place work program.c:5 \
  "  1,000  10.0$bar     10,000 100.0       1 $(ratio 1,000)" $place main program.c:13 \
  "    500   5.0$bar      2,000  20.0       1 $(ratio 500)" $place other program.c:9)" 'the functions, aligned'
matches "$(screen | tail -n 1)" '^ Enter calls  s source  t tree  O own only  / filter  Esc back  \? help  q quit *$' 'the last line names the keys of functions'
selects '^ *5,500' 'the first function is selected'
keys Down
selects '^ *3,000' 'Down'
keys Up
selects '^ *5,500' 'Up'
keys j
selects '^ *3,000' 'j'
keys k
selects '^ *5,500' 'k'
keys G
selects '^ *500' 'G: the last'
keys g
selects '^ *5,500' 'g: the first'
keys End
selects '^ *500' 'End'
keys Home
selects '^ *5,500' 'back'
tmux -L "$socket" send-keys -H 1b 5b 34 7e
selects '^ *500' 'End as a terminal of another type sends it'
tmux -L "$socket" send-keys -H 1b 5b 46
selects '^ *500' 'End as a third type of terminal sends it'
keys Home
selects '^ *5,500' 'Home'
keys NPage
selects '^ *500' 'PgDn'
keys PPage
selects '^ *5,500' 'PgUp'
keys Space
selects '^ *500' 'Space'
keys g

# Order.
keys I
shows '^ +Ir +% +Inclusive▼.* Function' 'I: functions by inclusive cost'
is "$(screen | sed -n 3p | awk -v n=$name '{ print $n }')" main 'functions by inclusive cost: main is first'
keys I
shows 'Ir▼' 'I again: by own cost'
keys '>'
shows 'Inclusive▼' '>: the next column'
keys '>'
shows 'Calls▼' '> again: calls'
is "$(screen | sed -n 3p | awk -v n=$name '{ print $n }')" leaf 'sorted by calls: leaf is first'
[ "$width" = 80 ] || { keys '>'; shows 'Ir/Call▼' '> again: own instructions for each call'; }
keys '>'
shows 'Function▲' '> again: names'
is "$(screen | sed -n 3,6p | awk -v n=$name '{ printf "%s ", $n }')" 'leaf main other work ' 'in the order of the alphabet'
keys r
shows 'Function▼' 'r: reversed'
is "$(screen | sed -n 3,6p | awk -v n=$name '{ printf "%s ", $n }')" 'work other main leaf ' 'names are in reverse order'
keys '>'
shows 'Location▲' '> again: places'
is "$(screen | sed -n 3,6p | awk -v n=$name '{ printf "%s ", $n }')" 'leaf work other main ' 'sorted by place: in the order of lines'
keys '<' '<' '<' '<'
[ "$width" = 80 ] || keys '<'
shows 'Ir▼' '<: back to the first'

# A large window differs in how the views above are laid out; all keys do the same there.
if [ "$width" != 80 ] && ! long; then
  keys q
  shows '^ended 0$' 'q quits the list of functions'
  restored 'q'
  return
fi

# What numbers.
keys %
shows '^Ir %▼ +Incl. % +Calls Function' '%: percentages only'
keys p
shows '^ +5,500 +5,500 +5 leaf' 'p: counts only'
keys p
shows '^ +5,500 +55.0 +5,500 +55.0 +5 leaf' 'p: both'
keys e
shows 'functions by own Dr: 4 of 4 +100 Dr' 'e: the next event'
shows 'Dr: data reads' 'the next event is explained'
keys E
shows '10,000 Ir' 'E: the one before'

# The filter.
keys /
types or
shows 'functions by own Ir: 1 of 4' '/: filters while it is typed'
shows '^/or$' 'what is typed is shown'
keys BSpace
shows '2 of 4' 'Backspace widens it'
types k
keys Enter
shows '/ok' 'Enter keeps the filter of functions'
hides ' (leaf|work) ' 'nothing matches'
shows 'no function has that name' 'an empty list says so'
keys Escape
shows '4 of 4' 'Esc shows all functions'

# Marks, names.
keys m
paints '.\[(1;)?(35|38;5;133)m[^ ]*leaf' 'm: marked, in colour'
keys G n
selects '^ *5,500' 'n: the next mark, round the end'
keys m g n
shows 'nothing here is marked' 'm again: unmarked'
keys y
shows 'copied: leaf' 'y: copies the name'
check 'to the clipboard' until_true sh -c "[ \"\$(tmux -L $socket show-buffer)\" = leaf ]"
keys w
shows '^Write to: *$' 'w: asks for a file'
types out.txt
keys Enter
shows "wrote 'out.txt'" 'w writes the file'
is "$(cat out.txt)" "functions by own Ir: 4 of 4

   Ir     %  Inclusive      %  Calls  Function  Location
5,500  55.0      5,500   55.0      5  leaf      program.c:1
3,000  30.0      7,000   70.0      4  work      program.c:5
1,000  10.0     10,000  100.0      1  main      program.c:13
  500   5.0      2,000   20.0      1  other     program.c:9" 'the view as text'
keys w
types /none/x
keys Enter
shows "cannot write '/none/x': No such file or directory" 'a file that cannot be written'

# Callers and callees.
keys Down Enter
shows '^ program +work: 30.0 % own, 70.0 % inclusive' 'Enter: callers and callees'
shows '^ +7,000 +70.0 +1 main +program.c:14' 'a caller with its site'
shows '^ +4,000 +40.0 +4 leaf +program.c:6' 'a callee'
selects '^ *4,500' 'the callees have the selection'
is "$(screen | grep -n 'Calls to' | cut -d: -f1)" $((2 + (height - 2) / 2)) 'the callees have the lower half'
keys Tab
selects '^ *7,000' 'Tab: the callers have it'
keys Enter
shows '^ program +main: 10.0 % own, 100.0 % inclusive' 'Enter: on to the caller'
shows 'nothing calls it' 'main has no callers'
keys BSpace
shows '^ program +work: ' 'Backspace: back'
keys f
shows '^ program +main: ' 'f: forward'
keys Escape
shows '^ program +work: ' 'Esc: back to work'
keys l
shows 'functions by own Ir' 'l: the list'
keys c
shows '^ program +leaf: 55.0 % own' 'c: calls of the selected'
keys f
shows 'there is no view to go to' 'nothing to go forward to'
keys u
shows '^ program +callers of work: 70.0 %' 'u: callers, of a whole function'
shows "^ +7,000 +70.0 .* main +program.c:14 *\$" 'u: callers by what the function cost for them'
keys Escape

# The tree. Where the window is narrow, it leaves calls out.
calls() { [ "$width" = 80 ] || echo " +$1"; }
keys t
shows '^ program +call paths: 5 ' 't: the tree'
shows "^ +10,000 +100.0 .*1,000 +10.0$(calls 1) ▾ main" 'the tree begins at own code, and is open'
keys F
shows '^ program +call paths: 6 ' 'F: paths in full'
shows "^ +10,000 +100.0 .*0 +0.0$(calls 0) ▾ \\[thread 1\]" 'paths in full: the root is open'
shows "^ +10,000 +100.0 .*1,000 +10.0$(calls 1)  ▸ main" 'paths in full: the child of the root is closed'
keys Down Right
shows "^ +7,000 +70.0 .*3,000 +30.0$(calls 4)   ▸ work" 'Right opens'
keys Left
hides 'work' 'Left closes'
keys + Down +
shows "^ +4,000 +40.0 .*4,000 +40.0$(calls 4)      leaf" '+ opens'
keys - -
selects '▾ main' '- closes, then goes up'
keys -
hides 'work' '- closes'
keys Enter
shows '▸ work' 'Enter opens'
keys Enter
hides 'work' 'Enter closes a path that is open'
keys h
shows "^ +4,000 +40.0 .*4,000 +40.0$(calls 4)      leaf" 'h opens the hottest path'
selects '^ *4,000' 'h goes to the end of the hottest path'
keys Enter
keys F
shows '^ program +call paths: 5 ' 'F again: from own code on'
hides 'thread 1' 'without what starts it'
keys Right h
selects '^ *4,000' 'h opens the hottest path there, too'
keys s
shows '^ program +leaf: 55.0 % own' 's: the source of its end'
keys Escape l G T
shows 'call paths below other, reached by 1 path' 'T: the paths below a function'
shows '▾ other' 'open'

# Help.
keys '?'
shows '^ program +keys' '?: help'
shows 'Up, k +one line up' 'the help has a row for each key'
keys w
types help.txt
keys Enter
shows "wrote 'help.txt'" 'written'
# plain <TEXT: its words, one blank between.
plain() { sed 's/^ *//; s/  */ /g; s/[: ]*$//; /^$/d'; }
is "$(sed 1,3d help.txt | plain)" "$("$cprof" browse --help | sed '1,/^Keys:/d' | plain)" 'the help is that of --help'
if [ -f "$build/doc/cargo-cprof.1" ]; then
  sed 's/\\\(.\)/\1/g' "$build/doc/cargo-cprof.1" | plain >page
  is "$("$cprof" browse --help | sed '1,/^Keys:/d' | plain | sed 's/\\/e/g' | grep -vxFf page)" '' 'the help of keys is that of the manual page'
else
  skip 'and that of the manual page' 'no page'
fi
keys Escape F1
shows '^ program +keys' 'F1: help'
keys Escape Z
shows 'that key does nothing here' 'a key without a meaning'
keys C-l
shows 'call paths below other' 'Ctrl-L draws anew'
keys i
shows 'inlined functions are part of their callers' 'i: what is inlined within its function'
keys i
shows 'inlined functions are apart' 'i again: apart'
keys t

# Source and instructions.
keys l g s
shows '^ program +leaf: 55.0 % own, 55.0 % with callees' 's: the source'
shows '^ +5,500 +55.0 +5,500 +55.0 +[0-9]+ ' 'a line with its cost, and with callees'
shows '^ +1 __attribute__' 'lines around it without'
paints '\[2m__attribute__' 'lines that are not of the function are dim'
paints '(35|38;5;97)mint' 'keywords have a colour'
paints '38;5;243m/\* three times \*/|7m.*/\* three times' 'comments have a colour'
selects '^ +5,500 +55.0 +5,500 +55.0 +[0-9]+ ' 'the costliest is selected'
keys a
shows '^ +Ir +% +At Instruction' 'a: instructions below'
shows '^ +5,500 +55.0 +[0-9a-f]+ ' 'a: instructions have their costs'
paints '(35|38;5;133)m.*5,500' 'that of the selected line is marked'
shows '^ +program.c:2 +\{ /\* three times \*/ *$' 'below their line'
click 3 2
shows 'leaf: 55.0 % own' 'a click on the head sorts no lines'
keys Tab g
selects 'program' 'Tab: to the instructions'
keys a
hides 'Instruction' 'a again: without them'
keys a
shows '^ +Ir +% +At Instruction' 'a once more: instructions again'
keys Escape
hides 'Instruction' 'Esc leaves them'
shows '^ program +leaf: 55.0 % own' 'Esc leaves instructions for the view before the source'
keys Escape a
shows '^ +Ir +% +At Instruction' 'a in the list: both'
keys s
hides 'Instruction' 's: the source alone'
keys e
shows 'leaf: 30.0 % own' 'another event in the source'
keys E Escape i
shows 'inlined functions are part of their callers' 'i'
mv program.c elsewhere.c
keys i
shows 'inlined functions are apart' 'i again'
keys s
shows 'program.c.*not found; --source-map' 'no source: what to do'
keys Escape t
mv elsewhere.c program.c

# Groups.
keys l o
shows '^ program +crates by own Ir: 1 of 1' 'o: by crate'
shows '^ +10,000 100.0 .* program *$' 'the program is one'
keys o
shows 'files by own Ir: 1 of 1' 'o again: by file'
shows '^ +10,000 100.0 .*program.c *$' 'the file'
keys Enter
shows 'functions of .*program.c by own Ir: 4 of 4' 'Enter: the functions of a file'
keys Escape o
shows 'objects by own Ir: 1 of 1' 'o again: by object'
keys I
shows 'objects by inclusive' 'I: objects by inclusive cost'
keys I Enter
shows 'functions of .*program by own Ir: 4 of 4' 'Enter: the functions of an object'
keys Escape o
shows ' functions by own Ir: 4 of 4' 'o again: functions'
printf '%s\n' 'cmd: ./p' 'events: Ir' fl=/a/x.c fn=one '1 50' fn=two '2 5' fl=/a/y.h fn=one '7 20' fn=three '8 1' 'summary: 76' >files.cachegrind
keys q
browse "$width" "$height" files.cachegrind
keys l
both
shows 'functions by own Ir: 3 of 3' 'functions whose code is of several files'
keys o '>' o
shows 'files by name: 2 of 2' 'groups by name stay so where calls are not known'
keys '<'
shows '^ +55 +72.4 +/a/x.c' 'o o: functions by file'
keys Enter
shows 'functions of /a/x.c by own Ir: 2 of 2' 'Enter on a file: the functions of that file'
keys Escape j Enter
shows 'functions of /a/y.h by own Ir: 2 of 2' 'functions of the other file, with what is of both'
shows '^ +70 +92.1 +one' 'at its cost in all'
keys Enter
shows 'one: 92.1 % own' 'Enter where calls are not known: the source'
keys q
browse "$width" "$height"
shows ' your code' 'own code'
keys S
shows "no sections in this profile; the crate cprof or cprof-sections.h names them" "S: there are none here"
keys H
shows "nothing of the heap in this profile; 'cargo cprof heap' counts it" 'H: nor counts of the heap'
keys D
shows "no data in this profile; 'cargo cprof data' says which data misses" 'D: nor data'
keys C
shows "no miss curves in this profile; 'cargo cprof cachegrind --miss-curves' has them" 'C: nor miss curves'
keys L
shows "no use of lines in this profile; 'cargo cprof cachegrind --line-use' counts it" 'L: no use of lines'
keys A
shows "no arguments in this profile; 'cargo cprof callgrind --count-arg FUNCTION=N' counts them|no arguments in this profile; .* --count-arg FUNCTION=N' counts them" 'A: no arguments'
keys x
shows "no time beside counts; 'cargo cprof browse EXACT SAMPLED'" 'x: nor time beside counts'
keys d
shows "nothing to compare with; 'cargo cprof browse OLD NEW'" 'd without another profile'
keys t

keys q
shows '^ended 0$' 'q quits the first profile'
restored 'q'

# Two profiles.
sed 's/^k 1 3000/k 1 2000/; s/^k 3 500/k 3 800/; /^[ei] /d' raw | sed '$d' >new
echo "end $(wc -l <new)" >>new
sed '/^[ei] /d' raw | sed '$d' >old
echo "end $(wc -l <old)" >>old
start "$width" "$height" "$cprof browse $scratch/old $scratch/new"
shows '^ program +old to new, Ir: -700 in all \(-7.00 %\)' 'two profiles: the difference'
shows '^ +-1,000 +-33.33 +3,000 +2,000 work ' 'what costs less'
shows '^ +\+300 +\+60.00 +500 +800 other ' 'what costs more'
is "$(screen | sed -n 3,4p | awk '{ printf "%s ", $5 }')" 'work other ' 'the greatest change first'
keys G
paints '38;5;28m.*-1,000' 'less is green'
keys g
paints '38;5;160m.*300' 'more is red'
keys '>'
shows '%▼' '>: by percentage'
is "$(screen | sed -n 3p | awk '{ print $(NF - 1) }')" other 'sorted by percentage of the change: other is first'
selects '-1,000' 'the selection stays with its function'
keys '>' '>' '>'
shows 'Function▲' 'changes sorted by name'
keys r
shows 'Function▼' 'reversed'
keys '<' '<' '<' '<'
shows 'Change▼' 'changes sorted by change'
keys e
shows 'old to new, Dr: 0 in all \(=\)' 'another event of a comparison'
keys E /
types wo
keys Enter
hides ' other ' 'the filter'
keys Escape w
types diff
keys Enter
shows "wrote 'diff'" 'the difference as text'
is "$(sed -n 4p diff)" '-1,000  -33.33  3,000  2,000  work      program.c:5' 'the difference as text has the columns of the screen'
keys i
shows 'inlined functions stay apart' 'i in a comparison'
keys Enter
shows 'work: ' 'Enter: the function in the new one'
keys Escape Escape
shows ' your code' 'own code of the new one is before it'
keys d
shows 'old to new' 'd: the difference'
keys d
shows 'why it changed is not known' 'd in a comparison without calls: why is not known'
keys q

start "$width" "$height" "$cprof browse $scratch/raw $scratch/raw"
keys d
shows 'Ir did not change' 'd in a comparison: why the total changed'
keys Escape
shows 'old to new' 'Esc leads back to the comparison'
keys q

# reasons COST: a program in which one function costs so much.
reasons() {
  cat >body <<END
cprof-named 1
format: cprof
program: /w/job
events: Ir
o aa /w/job
l /w/job.c
f - - 0 0 0 - - - [thread 1]
f 0 0 1 10 0 - - - main
f 0 0 9 20 0 - - - a_module::a_function_with_a_name_that_leaves_no_room
n - 0 - 0 0 1 0
n 0 1 - 0 0 1 0
c 1 0 2 12 100
n 1 2 0 3 14 10 0
c 2 0 9 20 $1
e 0 1 - 0 0 1 0 $(($1 + 100))
e 1 2 0 3 14 10 0 $1
END
  cat body
  echo "end $(wc -l <body)"
}
reasons 1000 >before.cprof
reasons 1700 >after.cprof
start "$width" "$height" "$cprof browse $scratch/before.cprof $scratch/after.cprof"
keys d d
shows '^In full *$' 'why the total changed: the selected reason has the lower half'
shows '^a_module::a_function_with_a_name_that_leaves_no_room: does more per call' 'the selected reason is there from its beginning'
shows '^[^…]*by the same code *$' 'the selected reason is there to its end'
keys Tab
selects '^a_module::a_function_with_a_name_that_leaves_no_room: does' 'Tab leads to the lines of the selected reason'
keys q

start "$width" "$height" "$cprof browse $scratch/new $scratch/old"
shows '^ program +old to new, Ir: \+700 in all \(\+7.53 %\)' 'a growth, in percent too'
keys q

# What varies from run to run is no change.
cp old noisy.cprof
cat >noisy.noise <<'END'
{"schema": "cprof-noise/1", "runs": 5, "events": ["Ir", "Dr"], "total": {"least": [10000, 100], "most": [12000, 100]},
 "functions": [{"name": "work", "least": [2000, 70, 0, 0], "most": [3500, 70, 0, 0]}]}
END
start "$width" "$height" "$cprof browse $scratch/noisy.cprof $scratch/new"
shows '^ +\+300 +\+60.00 +500 +800 other ' 'a baseline of several runs'
shows 'changes within the noise of 5 runs are not counted' 'the noise of a baseline is told'
is "$(screen | sed -n 3,6p | awk '{ printf "%s ", $(NF - 1) }')" 'other leaf main work ' 'what may vary is no change'
is "$(colors | grep -c '38;5;28m.*-1,000')" 0 'a change within the noise is not coloured'
keys q

# Every key has had its turn.
: >untested
"$cprof" browse --help | sed -n '/^Keys:/,$s/^    \([^ ].\{0,13\}\) .*/\1/p' | sed 's/ *$//; s/, /\n/g' | while read -r key; do
  case $key in
    PgUp) name=PPage ;; PgDn) name=NPage ;; Backspace) name=BSpace ;; Esc) name=Escape ;; Ctrl-L) name=C-l ;;
    *) name=$key ;;
  esac
  echo "$name" >>named
  grep -qxF -- "$name" pressed || echo "$key" >>untested
done
check 'the help has the keys' grep -qx NPage named
is "$(cat untested)" '' 'every key has been pressed'
