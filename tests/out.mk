# Tests of out: the exports, and the readers that others have for them.
out_tests = %D%/unit/out-markdown
check_PROGRAMS += $(out_tests)
TESTS += $(out_tests)
%C%_unit_out_markdown_LDADD = cli/libcli.la
%C%_unit_out_markdown_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
