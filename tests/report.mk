# Tests of tables: the commands report, diff, merge and annotate.
report_scripts = \
	%D%/cli/annotate.test \
	%D%/cli/annotate-run.test \
	%D%/cli/cut.test \
	%D%/cli/diff.test \
	%D%/cli/long-names.test \
	%D%/cli/merge.test \
	%D%/cli/report.test \
	%D%/cli/report-export.test \
	%D%/cli/report-names.test \
	%D%/cli/report-paths.test
TESTS += $(report_scripts)
EXTRA_DIST += $(report_scripts) \
	%D%/addresses \
	%D%/compare-chains \
	%D%/data/report/small.callgrind \
	%D%/data/report/small.cachegrind
