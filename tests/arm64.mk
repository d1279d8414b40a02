# arm64, on a machine of another processor: tests/arm64/ makes an installation of Debian's packages, cross-builds this tree and runs tests
# there. The installation is kept below $CPROF_ARM64 (/var/tmp/cprof-arm64); all needs root.
EXTRA_DIST += \
	%D%/arm64/archive \
	%D%/arm64/build \
	%D%/arm64/common.sh \
	%D%/arm64/emulator.c \
	%D%/arm64/guest \
	%D%/arm64/in-root \
	%D%/arm64/make-root \
	%D%/arm64/package \
	%D%/arm64/quick \
	%D%/arm64/run-tests

# make check-arm64-quick: the counts against stock cachegrind's, by qemu-user.
arm64_quick_tests = tests/tool/programs.test
.PHONY: check-arm64-quick
check-arm64-quick:
	$(srcdir)/%D%/arm64/quick $(arm64_quick_tests)

# make check-arm64-archive: the archive, cross-built twice, in a bare installation.
.PHONY: check-arm64-archive
check-arm64-archive:
	$(srcdir)/%D%/arm64/archive

# make check-arm64: a machine of qemu-system-aarch64 with Debian's kernel boots and runs these, for a quarter of an hour or more. tests/tool/calls.test
# is not among them: stock callgrind counts each jump of arm64 by "b" as a call.
arm64_tests = \
	tests/tool/programs.test \
	tests/tool/paths.test \
	tests/tool/caches.test \
	tests/tool/step.test \
	tests/tool/retranslation.test \
	tests/tool/arguments.test \
	tests/tool/bad-debug.test \
	tests/tool/curves.test \
	tests/tool/data.test \
	tests/tool/deterministic.test \
	tests/tool/foreign.test \
	tests/tool/heap.test \
	tests/tool/heap-callers.test \
	tests/tool/inlined-costs.test \
	tests/tool/inlines.test \
	tests/tool/installed.test \
	tests/tool/kept-blocks.test \
	tests/tool/line-use.test \
	tests/tool/maps.test \
	tests/tool/named.test \
	tests/tool/progress.test \
	tests/tool/raw.test \
	tests/tool/robust.test \
	tests/tool/sections.test \
	tests/tool/types.test \
	tests/cli/annotate.test \
	tests/cli/export.test \
	tests/cli/golden.test \
	tests/cli/report.test \
	tests/cli/run.test \
	tests/rust/sections.test \
	$(unit_tests)
.PHONY: check-arm64
check-arm64:
	$(srcdir)/%D%/arm64/guest $(arm64_tests)
