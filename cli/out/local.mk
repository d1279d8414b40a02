cli_libcli_la_SOURCES += %D%/export.h %D%/callgrind.c %D%/cachegrind.c %D%/markdown.h %D%/markdown.c %D%/lines.h %D%/lines.c \
	%D%/text.h %D%/text.c %D%/text_name.c %D%/table.h %D%/table.c %D%/table_markdown.c %D%/style.h %D%/paths.h %D%/paths.c %D%/named.c %D%/spread.h %D%/spread.c %D%/grid.h %D%/grid.c %D%/diff.h %D%/diff.c %D%/diff_json.c %D%/lanes.h %D%/lanes.c %D%/heading.c %D%/json_document.h %D%/json_groups.c %D%/json.h %D%/json.c %D%/json_tree.h %D%/json_tree.c
cli_libcli_la_SOURCES += %D%/labels.h %D%/labels.c %D%/csv.c %D%/markdown_export.c %D%/folded.c \
	%D%/speedscope.c %D%/dot.c %D%/gzip.h %D%/gzip.c %D%/protobuf.h %D%/protobuf.c %D%/pprof.c %D%/pprof_places.h %D%/pprof_places.c \
	%D%/xml.h %D%/xml.c %D%/flamegraph.h %D%/flamegraph.c
cli_libcli_la_SOURCES += %D%/findings.h %D%/findings.c
cli_libcli_la_SOURCES += %D%/json_value.h %D%/json_value.c
cli_libcli_la_SOURCES += %D%/annotation.h %D%/annotation.c %D%/annotation_json.c %D%/code.h %D%/code.c %D%/sheet.h %D%/sheet.c %D%/disassembly.h %D%/disassembly.c
cli_libcli_la_SOURCES += %D%/heading.h %D%/html.h %D%/html.c %D%/html_source.c %D%/html_diff.c

# Scripts and styles of pages are files of their own; C is made of them.
embedded = %D%/report.css %D%/report.js %D%/flamegraph.css %D%/flamegraph.js
embedded_sources = %D%/report_css.c %D%/report_js.c %D%/flamegraph_css.c %D%/flamegraph_js.c
cli_libcli_la_SOURCES += %D%/embedded.h
nodist_cli_libcli_la_SOURCES = $(embedded_sources)
%D%/report_css.c: %D%/report.css %D%/embed
	$(embed) $(srcdir)/%D%/report.css >$@.tmp && mv $@.tmp $@
%D%/report_js.c: %D%/report.js %D%/embed
	$(embed) $(srcdir)/%D%/report.js >$@.tmp && mv $@.tmp $@
%D%/flamegraph_css.c: %D%/flamegraph.css %D%/embed
	$(embed) $(srcdir)/%D%/flamegraph.css >$@.tmp && mv $@.tmp $@
%D%/flamegraph_js.c: %D%/flamegraph.js %D%/embed
	$(embed) $(srcdir)/%D%/flamegraph.js >$@.tmp && mv $@.tmp $@
embed = $(AM_V_GEN)$(MKDIR_P) %D%; $(SHELL) $(srcdir)/%D%/embed
EXTRA_DIST += %D%/embed $(embedded)
CLEANFILES += $(embedded_sources)
cli_libcli_la_SOURCES += %D%/annotation_json.h %D%/disassembly_json.h %D%/disassembly_json.c %D%/diff_json.h %D%/findings_json.h %D%/findings_json.c
