# Tests of model: names, columns, rows, tables, JSON, exports, the report command.
model_tests = %D%/unit/model-demangle %D%/unit/model-intervals %D%/unit/model-rows %D%/unit/model-text \
	%D%/unit/model-show %D%/unit/model-graph %D%/unit/model-tree %D%/unit/model-threads %D%/unit/model-rust-name \
	%D%/unit/model-normal %D%/unit/model-diff %D%/unit/model-gate %D%/unit/model-line-reader %D%/unit/model-resolve %D%/unit/base-sort %D%/unit/base-text
model_scripts = %D%/cli/report.test %D%/cli/report-paths.test %D%/cli/report-names.test %D%/cli/report-export.test %D%/cli/diff.test %D%/cli/cut.test %D%/cli/long-names.test %D%/cli/merge.test
# Those that are not in TESTS are run by the scripts.
check_PROGRAMS += $(model_tests) %D%/unit/model-names %D%/unit/model-export %D%/unit/model-keys %D%/unit/model-inlines %D%/unit/model-chains %D%/unit/model-mutations
TESTS += $(model_tests) $(model_scripts)
%C%_unit_base_sort_LDADD = cli/libcli.la
%C%_unit_base_text_LDADD = cli/libcli.la
%C%_unit_model_demangle_LDADD = cli/libcli.la
%C%_unit_model_intervals_LDADD = cli/libcli.la
%C%_unit_model_resolve_LDADD = cli/libcli.la
%C%_unit_model_resolve_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_rows_LDADD = cli/libcli.la
%C%_unit_model_rust_name_LDADD = cli/libcli.la
%C%_unit_model_rust_name_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_graph_LDADD = cli/libcli.la
%C%_unit_model_graph_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_threads_LDADD = cli/libcli.la
%C%_unit_model_threads_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_tree_LDADD = cli/libcli.la
%C%_unit_model_tree_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_diff_LDADD = cli/libcli.la
%C%_unit_model_diff_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_gate_LDADD = cli/libcli.la
%C%_unit_model_gate_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_keys_LDADD = cli/libcli.la
%C%_unit_model_keys_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_normal_LDADD = cli/libcli.la
%C%_unit_model_normal_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_text_LDADD = cli/libcli.la
%C%_unit_model_names_LDADD = cli/libcli.la
%C%_unit_model_inlines_LDADD = cli/libcli.la
%C%_unit_model_chains_LDADD = cli/libcli.la
%C%_unit_model_line_reader_LDADD = cli/libcli.la
%C%_unit_model_line_reader_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_mutations_LDADD = cli/libcli.la $(ELFUTILS_LIBS)
%C%_unit_model_mutations_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_model_chains_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_model_export_LDADD = cli/libcli.la
%C%_unit_model_demangle_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_intervals_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_rows_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_show_LDADD = cli/libcli.la
%C%_unit_model_show_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_text_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
EXTRA_DIST += $(model_scripts) %D%/addresses %D%/compare-chains %D%/data/report/small.callgrind %D%/data/report/small.cachegrind
# Source lines with costs.
annotate_units = %D%/unit/model-source %D%/unit/model-annotation
annotate_scripts = %D%/cli/annotate.test %D%/cli/annotate-run.test
check_PROGRAMS += $(annotate_units)
TESTS += $(annotate_units) $(annotate_scripts)
EXTRA_DIST += $(annotate_scripts)
%C%_unit_model_source_LDADD = cli/libcli.la
%C%_unit_model_source_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_annotation_LDADD = cli/libcli.la
%C%_unit_model_annotation_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
