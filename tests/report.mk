# Tests of tables: the commands report, diff, merge and annotate.
report_scripts = \
	%D%/cli/annotate-run.test \
	%D%/cli/annotate.test \
	%D%/cli/addresses.test \
	%D%/cli/cut.test \
	%D%/cli/diff.test \
	%D%/cli/dwp.test \
	%D%/cli/forms.test \
	%D%/cli/inlined-deep.test \
	%D%/cli/links.test \
	%D%/cli/long-names.test \
	%D%/cli/merge.test \
	%D%/cli/names.test \
	%D%/cli/packed-debug.test \
	%D%/cli/packed.test \
	%D%/cli/pager.test \
	%D%/cli/report-export.test \
	%D%/cli/report-names.test \
	%D%/cli/report-paths.test \
	%D%/cli/ratio.test \
	%D%/cli/rep.test \
	%D%/cli/report.test \
	%D%/cli/probes.test \
	%D%/cli/sample.test \
	%D%/cli/frames.test \
	%D%/cli/readers.test \
	%D%/cli/rebuilt.test \
	%D%/cli/recursion.test \
	%D%/cli/samplers.test \
	%D%/cli/time.test \
	%D%/cli/units.test \
	%D%/cli/whose.test \
	%D%/cli/why.test \
	%D%/cli/widths.test
TESTS += $(report_scripts)
EXTRA_DIST += \
	%D%/cli/whose \
	%D%/cli/whose.py \
	%D%/data/sample \
	%D%/addresses \
	%D%/compare-chains \
	%D%/frames.py \
	%D%/data/report/small.cachegrind \
	%D%/data/report/small.callgrind \
	%D%/cli/forms.py \
	%D%/cli/inlined-deep.py \
	%D%/views.sh \
	%D%/widths.py \
	%D%/widths.sh \
	$(report_scripts)
