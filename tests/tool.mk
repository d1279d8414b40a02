# Tests of tool: its counts against oracles, and its raw profile. Programs under test are compiled by the tests themselves.
check_PROGRAMS += \
	%D%/tool/compare \
	%D%/tool/paths \
	%D%/tool/ranges \
	%D%/tool/single-step
%C%_tool_compare_SOURCES = %D%/tool/compare.c
%C%_tool_compare_LDADD = $(parser_libraries)
# The tool's decoder of x86-64, in programs of its own.
if !ARM64
check_PROGRAMS += \
	%D%/tool/decode-accesses \
	%D%/tool/decode-listing \
	%D%/tool/decode-new \
	%D%/tool/decode-processor
endif
decoder = vgtool/cp_decode.c vgtool/cp_decode.h vgtool/cp_opcodes.c vgtool/cp_opcodes.h
%C%_tool_decode_listing_SOURCES = %D%/tool/decode-listing.c $(decoder)
%C%_tool_decode_new_SOURCES = %D%/tool/decode-new.c vgtool/cp_accesses.c vgtool/cp_accesses.h $(decoder)
%C%_tool_decode_processor_SOURCES = %D%/tool/decode-processor.c $(decoder)
# Linked with VEX, whose translations it looks at.
%C%_tool_decode_accesses_SOURCES = %D%/tool/decode-accesses.c vgtool/cp_accesses.c vgtool/cp_accesses.h $(decoder)
%C%_tool_decode_accesses_CPPFLAGS = $(AM_CPPFLAGS) $(VALGRIND_CFLAGS)
%C%_tool_decode_accesses_LDADD = $(VG_LIBDIR)/valgrind/libvex-@VG_ARCH@-@VG_OS@.a
%C%_tool_paths_SOURCES = %D%/tool/paths.c
%C%_tool_paths_LDADD = $(parser_libraries)
%C%_tool_ranges_SOURCES = %D%/tool/ranges.c
%C%_tool_ranges_LDADD = $(parser_libraries)
%C%_tool_single_step_SOURCES = %D%/tool/single-step.c
# The tool with more memory of its own.
check_PROGRAMS += %D%/tool/cprof-larger
%C%_tool_cprof_larger_SOURCES = %D%/tool/cprof-larger.c
%C%_tool_cprof_larger_CFLAGS = $(vgtool_cprof_@VG_ARCH@_@VG_OS@_CFLAGS)
%C%_tool_cprof_larger_LDADD = $(vgtool_cprof_@VG_ARCH@_@VG_OS@_OBJECTS) $(VALGRIND_LIBS)
%C%_tool_cprof_larger_LINK = $(vgtool_cprof_@VG_ARCH@_@VG_OS@_LINK)
# Automake takes no objects of LDADD for what the program is made of.
EXTRA_%C%_tool_cprof_larger_DEPENDENCIES = $(vgtool_cprof_@VG_ARCH@_@VG_OS@_OBJECTS)

tool_tests = \
	%D%/tool/arguments.test \
	%D%/tool/bad-debug.test \
	%D%/tool/bench.test \
	%D%/tool/caches.test \
	%D%/tool/calls.test \
	%D%/tool/compilers.test \
	%D%/tool/curves.test \
	%D%/tool/data.test \
	%D%/tool/decode.test \
	%D%/tool/deterministic.test \
	%D%/tool/dwz.test \
	%D%/tool/engines.test \
	%D%/tool/fixed-machine.test \
	%D%/tool/foreign.test \
	%D%/tool/heap-callers.test \
	%D%/tool/heap.test \
	%D%/tool/inlined-costs.test \
	%D%/tool/entered.test \
	%D%/tool/inlines.test \
	%D%/tool/installed.test \
	%D%/tool/kept-blocks.test \
	%D%/tool/line-use.test \
	%D%/tool/made.test \
	%D%/tool/maps.test \
	%D%/tool/named.test \
	%D%/tool/paths.test \
	%D%/tool/programs.test \
	%D%/tool/progress.test \
	%D%/tool/raw.test \
	%D%/tool/repetitions.test \
	%D%/tool/retranslation.test \
	%D%/tool/robust.test \
	%D%/tool/schedule.test \
	%D%/tool/sections.test \
	%D%/tool/signals.test \
	%D%/tool/step.test \
	%D%/tool/stubs.test \
	%D%/tool/types.test
TESTS += $(tool_tests)
tool_programs = \
	arena.c \
	arguments.c \
	arguments.rs \
	bad-code.c \
	requests.rs \
	basic.c \
	billions.c \
	chains.c \
	clears.c \
	checkout.c \
	changing.c \
	circles.c \
	close.c \
	coroutines.c \
	crew.c \
	crowd.c \
	curves.c \
	data.c \
	data-alike.c \
	data-turns.c \
	data.rs \
	fields.c \
	fields.cc \
	fields.rs \
	deep.c \
	dispatch.h \
	edges.c \
	edges-arm64.c \
	exceptions.cc \
	extended.c \
	far.c \
	faulting-repeats.c \
	faulting-threads.c \
	faults.c \
	fans.c \
	fibres.c \
	folds.c \
	forks.c \
	freestanding.c \
	getattr-fails.c \
	handlers.c \
	heap.c \
	high.c \
	heap.cc \
	heap.rs \
	injected.c \
	interrupted.c \
	jumps.c \
	landlock.c \
	late-left.c \
	late-wide.c \
	leaps.c \
	line-use.c \
	litter.c \
	kept.c \
	kinds.c \
	longjmps.c \
	machine.c \
	machine.rs \
	map.rs \
	made.c \
	maps.c \
	migrants.c \
	mix.rs \
	named.c \
	scale.c \
	thread_names.c \
	thunks.c \
	near.c \
	no-landlock.c \
	own-malloc.c \
	odd-code.c \
	order.c \
	order.rs \
	overwritten.c \
	own-maps.c \
	page-end.c \
	patching.c \
	pipes.c \
	preempted.go \
	protected.c \
	recursion.c \
	refused.c \
	repeated.c \
	loads.c \
	targets.c \
	rewriting.c \
	rooted.c \
	section-error.c \
	section-leaps.cc \
	sections.c \
	segments.c \
	shared-ends.c \
	shifted.c \
	sql.c \
	stale-code.c \
	status.c \
	storm.c \
	tail-calls.c \
	touching.c \
	turn.c \
	turns.c \
	unwinding.cc \
	unwinding.rs \
	vast-code.c \
	waiting.c \
	wide-data.c \
	wide.c
EXTRA_DIST += \
	%D%/tool/curves.py \
	%D%/tool/data.py \
	%D%/tool/heap-callers.py \
	%D%/tool/line-use.py \
	%D%/tool/oracle.sh \
	%D%/tool/paths.sh \
	%D%/tool/both-engines.sh \
	$(tool_programs:%=tests/tool/programs/%) \
	$(tool_tests)

# make check-both: all of these tests, and each program that they run is run by both engines, with call paths and without, with caches and branches
# and without.
.PHONY: check-both
check-both:
	CPROF_CHECK_BOTH=yes VG_TIMEOUT=600 $(MAKE) check TESTS='$(tool_tests)'

# make check-long: make check with nothing left out of its tests, and what is a test there alone.
long_tests = %D%/cli/bench-criterion.test
.PHONY: check-long
check-long:
	CPROF_LONG=yes $(MAKE) check TESTS='$(TESTS) $(long_tests)'

# make check-decode [DECODED="FILE..."] [DECODE_TRIES=1000000]: the decoder of instructions beside objdump, on large programs or on these,
# and beside the processor, on random instructions.
DECODED =
DECODE_TRIES = 1000000
.PHONY: check-decode
check-decode: $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) CPROF_LONG=yes DECODED='$(DECODED)' DECODE_TRIES='$(DECODE_TRIES)' \
	  $(SHELL) $(srcdir)/%D%/tool/decode.test

# make mutations [MUTATIONS=1000] [MUTATED="FILE..."]: debug information damaged in many more ways than by make check, that of these files, too.
MUTATIONS = 1000
MUTATED =
.PHONY: mutations
mutations: $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) MUTATIONS='$(MUTATIONS)' MUTATED='$(MUTATED)' $(SHELL) $(srcdir)/%D%/tool/bad-debug.test %D%/tool/dwz.test
