EXTRA_DIST += \
	%D%/annotate.schema.json \
	%D%/bench.schema.json \
	%D%/bisect.schema.json \
	%D%/blame.schema.json \
	%D%/browser-source.svg \
	%D%/browser.svg \
	%D%/calls.schema.json \
	%D%/curves.png \
	%D%/data.png \
	%D%/design.md \
	%D%/diff.schema.json \
	%D%/doctor.schema.json \
	%D%/draw-screen \
	%D%/example.c \
	%D%/exports.md \
	%D%/flamegraph.svg \
	%D%/format.md \
	%D%/groups.schema.json \
	%D%/heap.png \
	%D%/make-pictures \
	%D%/named.md \
	%D%/performance.md \
	%D%/profile.schema.json \
	%D%/reliability.md \
	%D%/report.png \
	%D%/scale.schema.json \
	%D%/table.schema.json \
	%D%/time.schema.json \
	%D%/tour.svg \
	%D%/tree.schema.json
dist_man_MANS = %D%/cprof.3

# The manual, for reading in the tree: a file of the sources that is made anew by hand.
EXTRA_DIST += %D%/manual.md %D%/manual.md.in
EXTRA_DIST += \
	%D%/guide/README.md \
	%D%/guide/benches.md \
	%D%/guide/cache-model.md \
	%D%/guide/cache-size.md \
	%D%/guide/change.md \
	%D%/guide/ci.md \
	%D%/guide/columns.md \
	%D%/guide/data.md \
	%D%/guide/heap.md \
	%D%/guide/hot-spot.md \
	%D%/guide/perf.md \
	%D%/guide/pprof.md \
	%D%/guide/samples.md \
	%D%/guide/scale.md \
	%D%/guide/sections.md \
	%D%/guide/test.md \
	%D%/guide/threads.md \
	%D%/guide/why-slow.md
.PHONY: manual
manual: cargo-cprof$(EXEEXT)
	$(MKDIR_P) %D% && EMULATOR='$(EMULATOR)' $(srcdir)/%D%/make-manual markdown ./cargo-cprof$(EXEEXT) $(srcdir)/%D%/manual.md.in >%D%/manual.md.tmp && mv %D%/manual.md.tmp $(srcdir)/%D%/manual.md

# cargo-cprof(1): the frame, with what the program says of its commands and options.
man_MANS = %D%/cargo-cprof.1
EXTRA_DIST += %D%/cargo-cprof.1.in %D%/make-manual
CLEANFILES += %D%/cargo-cprof.1
%D%/cargo-cprof.1: %D%/cargo-cprof.1.in %D%/make-manual cargo-cprof$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D% && EMULATOR='$(EMULATOR)' $(srcdir)/%D%/make-manual man ./cargo-cprof$(EXEEXT) $(srcdir)/%D%/cargo-cprof.1.in >$@.tmp && mv $@.tmp $@
