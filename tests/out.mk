# Tests of out: flame graphs, the exports, and the readers that others have for them.
out_tests = %D%/unit/out-markdown %D%/unit/out-noise-table %D%/unit/out-protobuf %D%/unit/model-flame
check_PROGRAMS += $(out_tests)
TESTS += $(out_tests)
%C%_unit_out_noise_table_LDADD = cli/libcli.la
%C%_unit_out_noise_table_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_out_markdown_LDADD = cli/libcli.la
%C%_unit_model_flame_LDADD = cli/libcli.la
%C%_unit_model_flame_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_out_protobuf_LDADD = cli/libcli.la
%C%_unit_out_protobuf_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_out_markdown_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
out_scripts = %D%/pages.test %D%/cli/schemas.test %D%/cli/golden.test %D%/cli/export.test %D%/cli/export-readers.test %D%/cli/flamegraph.test %D%/cli/flamegraph-browser.test %D%/cli/html.test %D%/cli/html-browser.test %D%/cli/hostile.test %D%/cli/foreign-text.test %D%/cli/export-inclusive.test
TESTS += $(out_scripts)
EXTRA_DIST += $(out_scripts) %D%/export.sh %D%/schema.sh %D%/schema.py %D%/flame.py %D%/foreign_text.py %D%/export_inclusive.py %D%/webdriver.py %D%/marionette.py %D%/browsers.py %D%/browsers.sh \
	%D%/cli/profile.proto %D%/pages/load.js %D%/pages/report.test.js %D%/pages/flamegraph.test.js %D%/data/golden
