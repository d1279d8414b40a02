# make bench [RUNS=3] [PARTS=native] [WORKLOADS="xz perl"] [SCALE=1]: our tool beside native runs and
# against Valgrind's own, as tables; or beside native runs alone, of half a second and more. It asserts nothing: times are the machine's.
EXTRA_PROGRAMS = %D%/make-profile
# tests/tool/bench.test runs it.
check_PROGRAMS += %D%/bench
%C%_bench_SOURCES = %D%/bench.c
%C%_bench_LDADD = -lm
%C%_make_profile_SOURCES = %D%/make-profile.c
EXTRA_DIST += \
	%D%/big-c \
	%D%/big-rust \
	%D%/browse.py \
	%D%/calls.c \
	%D%/contexts.c \
	%D%/heap.c \
	%D%/make-contexts \
	%D%/mix.rs \
	%D%/names \
	%D%/options \
	%D%/parser \
	%D%/rays.c \
	%D%/run \
	%D%/samples \
	%D%/views
CLEANFILES += %D%/make-profile$(EXEEXT)
RUNS = 3
PARTS =
WORKLOADS =
SCALE = 1
.PHONY: bench
bench: all %D%/bench$(EXEEXT)
	@SRCDIR='$(abs_top_srcdir)' VALGRIND='$(VALGRIND_BIN)' VG_LIBEXEC='$(VG_LIBEXEC)' PLATFORM='$(VG_ARCH)-$(VG_OS)' \
	CC='$(CC)' CARGO='$(CARGO)' PARTS='$(PARTS)' WORKLOADS='$(WORKLOADS)' SCALE='$(SCALE)' $(SHELL) $(srcdir)/%D%/run $(RUNS)
# make check-options [WORKLOADS="xz perl"] [SCALE=1]: that options which count more change nothing else of what the same programs count.
.PHONY: check-options
check-options: all %D%/bench$(EXEEXT)
	@OPTIONS=same SRCDIR='$(abs_top_srcdir)' VALGRIND='$(VALGRIND_BIN)' VG_LIBEXEC='$(VG_LIBEXEC)' PLATFORM='$(VG_ARCH)-$(VG_OS)' \
	CC='$(CC)' CARGO='$(CARGO)' WORKLOADS='$(WORKLOADS)' SCALE='$(SCALE)' $(SHELL) $(srcdir)/%D%/run
# make bench-options [RUNS=3] [WORKLOADS="xz perl"] [SCALE=1]: what those options cost.
.PHONY: bench-options
bench-options: all %D%/bench$(EXEEXT)
	@OPTIONS=cost SRCDIR='$(abs_top_srcdir)' VALGRIND='$(VALGRIND_BIN)' VG_LIBEXEC='$(VG_LIBEXEC)' PLATFORM='$(VG_ARCH)-$(VG_OS)' \
	CC='$(CC)' CARGO='$(CARGO)' WORKLOADS='$(WORKLOADS)' SCALE='$(SCALE)' $(SHELL) $(srcdir)/%D%/run $(RUNS)
# make bench-parser [RUNS=3] [SIZE=1000]: the speed of reading profiles of SIZE MB.
SIZE = 1000
bench-parser: all %D%/make-profile$(EXEEXT) tests/unit/parser-dump$(EXEEXT)
	@$(SHELL) $(srcdir)/%D%/parser $(RUNS) $(SIZE)
# make bench-views [RUNS=3]: the time that a report, a flame graph and the browser's keys take on a profile of a million call paths.
bench-views: all
	@$(SHELL) $(srcdir)/%D%/views $(RUNS)
# make bench-names: names of addresses, against addr2line. It builds two large programs, which takes minutes.
.PHONY: bench-names
bench-names: all tests/unit/symbols-chains$(EXEEXT)
	@CC='$(CC)' CARGO='$(CARGO)' $(SHELL) $(srcdir)/%D%/names %D%/work
# make bench-samples [RUNS=3] [PARTS="pairs overhead reading folded"]: what samples cost, how sure they are, and how fast they are read.
bench-samples: all
	cd $(srcdir)/examples/nnet && CARGO_PROFILE_RELEASE_DEBUG=1 $(CARGO) build -q --release --target-dir '$(abs_builddir)/%D%/work/target'
	@RUNS='$(RUNS)' /usr/bin/python3 $(srcdir)/%D%/samples . %D%/work/target/release/nnet $(PARTS)
bench-clean:
	rm -rf %D%/work
clean-local: bench-clean
.PHONY: bench-clean bench-parser bench-samples bench-views
