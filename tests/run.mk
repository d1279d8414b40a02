# Tests of run: options, processes, cargo, the ELF check, running Valgrind.
check_PROGRAMS += %D%/cli/run-base
TESTS += \
	%D%/cli/baseline-cargo.test \
	%D%/cli/baseline.test \
	%D%/cli/built-again.test \
	%D%/cli/cargo-options.test \
	%D%/cli/help.test \
	%D%/cli/kept-runs.test \
	%D%/cli/pace.test \
	%D%/cli/progress.test \
	%D%/cli/run-base \
	%D%/cli/run-cargo.test \
	%D%/cli/run-paths.test \
	%D%/cli/run.test \
	%D%/cli/same-job.test
EXTRA_DIST += \
	%D%/cli/baseline-cargo.test \
	%D%/cli/baseline.test \
	%D%/cli/built-again.test \
	%D%/cli/cargo-options.test \
	%D%/cli/help.test \
	%D%/cli/kept-runs.test \
	%D%/cli/pace.test \
	%D%/cli/progress.test \
	%D%/cli/run-cargo.test \
	%D%/cli/run-paths.test \
	%D%/cli/run.test \
	%D%/cli/same-job.test
%C%_cli_run_base_LDADD = $(cli_libraries)
TESTS += %D%/cli/cargo-env.test %D%/cli/gaps.test %D%/cli/heap-native.test %D%/cli/machine.test %D%/cli/native.test %D%/cli/order.test %D%/cli/orders.test
EXTRA_DIST += %D%/cli/cargo-env.test %D%/cli/gaps.test %D%/cli/heap-native.test %D%/cli/machine.test %D%/cli/native.test %D%/cli/order.test %D%/cli/orders.test %D%/cli/native/native.c %D%/cli/native/exec.c %D%/cli/native/filter.c
# make check-orders [PAIRS=40] [CROWD=c]: gates on pairs of threaded builds that cost the same, or 1 % more, in C or Rust (rs): five minutes.
PAIRS = 40
CROWD = c
.PHONY: check-orders
check-orders: all
	$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/%D%/orders/pairs.py . $(PAIRS) $(CROWD)
# make check-repeats [REPEATS=50] [REPEATED=tokio]: whether programs with threads repeat, in a fixed schedule: half an hour.
REPEATS = 50
.PHONY: check-repeats
check-repeats: all
	$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/%D%/orders/repeats.py . $(REPEATS) $(REPEATED)
EXTRA_DIST += %D%/orders/crowd.c %D%/orders/crowd.rs %D%/orders/pairs.py %D%/orders/repeats.py %D%/orders/threads.rs %D%/orders/crates.rs \
	%D%/orders/futures.cc %D%/orders/Crew.java %D%/orders/crew.py
# make check-alarms [ALARM_KINDS=20] [ALARM_LAYOUTS=22]: gates on programs whose work stays, while all else changes: half an hour.
ALARM_KINDS = 20
ALARM_LAYOUTS = 22
.PHONY: check-alarms
check-alarms: all
	$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/%D%/alarms/alarms.py . $(ALARM_KINDS) $(ALARM_LAYOUTS)
EXTRA_DIST += %D%/alarms/alarms.py %D%/alarms/cold.c %D%/alarms/kinds.c %D%/alarms/kinds.cc %D%/alarms/kinds.rs %D%/alarms/spare.c
# make check-why [CHANGED=all]: whether --why names the cause of changes that are planted: three minutes; CHANGED=21-40 does a piece, CHANGED=seeds=1-80 random programs.
CHANGED = all
.PHONY: check-why
check-why: all
	$(AM_TESTS_ENVIRONMENT) python3 $(srcdir)/%D%/why/changes.py . $(CHANGED)
why-clean:
	rm -f why.results
clean-local: why-clean
EXTRA_DIST += %D%/why/changes.py %D%/why/planted.py %D%/why/random_programs.py
TESTS += %D%/cli/prospect.test %D%/cli/annotate-samples.test
EXTRA_DIST += %D%/cli/prospect.test %D%/cli/annotate-samples.test

TESTS += %D%/cli/faults.test
EXTRA_DIST += %D%/cli/faults.test

# Crates, groups and blame, on a project of their own.
TESTS += %D%/cli/crates.test
EXTRA_DIST += %D%/cli/crates.test %D%/cli/crates.py %D%/data/crates

# The user's own code first, on programs with a planted hot line.
TESTS += %D%/cli/arguments.test %D%/cli/heap-own.test %D%/cli/curves.test %D%/cli/data.test %D%/cli/types.test %D%/cli/heap.test %D%/cli/line-use.test %D%/cli/planted.test %D%/cli/planted-problems.test %D%/cli/own-diff.test %D%/cli/purpose.test %D%/cli/own.test %D%/cli/other-misses.test
EXTRA_DIST += %D%/cli/arguments.test %D%/cli/heap-own.test %D%/cli/curves.test %D%/cli/data.test %D%/cli/types.test %D%/cli/heap.test %D%/cli/line-use.test %D%/cli/planted.test %D%/cli/planted-problems.test %D%/cli/own-diff.test %D%/cli/purpose.test %D%/cli/own.test %D%/cli/other-misses.test %D%/cli/own.py %D%/cli/own %D%/cli/planted %D%/cli/planted-problems
.PHONY: own-clean
own-clean:
	rm -rf %D%/own-packages
clean-local: own-clean

# Calls and inclusive costs, whatever symbols there are.
TESTS += %D%/cli/made-programs.test %D%/cli/nameless.test %D%/cli/sound.test %D%/cli/no-tables.test %D%/cli/calls-known.test
EXTRA_DIST += %D%/cli/made-programs.test %D%/cli/nameless.test %D%/cli/sound.test %D%/cli/no-tables.test %D%/cli/made-programs.py %D%/cli/calls-known.test

# Benches and tests, each a row.
TESTS += %D%/cli/bench.test %D%/cli/bench-orders.test %D%/cli/tests-command.test
EXTRA_DIST += %D%/cli/bench.py %D%/cli/bench.test %D%/cli/bench-orders.test %D%/cli/bench-criterion.test %D%/cli/tests-command.test

# The commit that a cost comes from.
TESTS += %D%/cli/bisect.test
EXTRA_DIST += %D%/cli/bisect.test

# How costs grow with the size of the input.
TESTS += %D%/cli/scale.test %D%/cli/scale-bench.test
EXTRA_DIST += %D%/cli/scale.test %D%/cli/scale-bench.test %D%/cli/scale.py

# The installation and the machine: what doctor finds.
check_PROGRAMS += %D%/cli/deny
TESTS += %D%/cli/doctor.test
EXTRA_DIST += %D%/cli/doctor.test

# Completions of shells, and the archive for any Linux.
TESTS += %D%/cli/completions.test %D%/cli/archive.test
EXTRA_DIST += %D%/cli/completions.test %D%/cli/archive.test
