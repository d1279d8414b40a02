# Tests by topic; each file adds to check_PROGRAMS, TESTS and EXTRA_DIST. srcdir and builddir reach the shell tests through the environment.
EXTRA_DIST += %D%/tap.h %D%/tap.sh
AM_TESTS_ENVIRONMENT = top_srcdir='$(top_srcdir)'; srcdir='$(srcdir)'; builddir='$(builddir)'; CC='$(CC)'; CARGO='$(CARGO)'; \
	VALGRIND_BIN='$(VALGRIND_BIN)'; VG_LIBEXEC='$(VG_LIBEXEC)'; export top_srcdir srcdir builddir CC CARGO VALGRIND_BIN VG_LIBEXEC;
# It takes longest, and begins first, so that nothing waits for it at the end.
TESTS += %D%/cli/samples.test
include $(top_srcdir)/tests/parser.mk
include $(top_srcdir)/tests/run.mk
include $(top_srcdir)/tests/unit.mk
include $(top_srcdir)/tests/report.mk
include $(top_srcdir)/tests/render.mk
include $(top_srcdir)/tests/tool.mk
include $(top_srcdir)/tests/rust.mk
include $(top_srcdir)/tests/tui.mk
include $(top_srcdir)/tests/engines.mk
include $(top_srcdir)/tests/attack.mk
include $(top_srcdir)/tests/arm64.mk
include $(top_srcdir)/tests/meta.mk
# What of tests of both engines has passed.
.PHONY: passed-clean
passed-clean:
	rm -rf %D%/engines/passed
clean-local: passed-clean
