cli_libcli_a_SOURCES += \
	%D%/embedded.h \
	%D%/flamegraph.c \
	%D%/flamegraph.h \
	%D%/html.c \
	%D%/html.h \
	%D%/html_curves.c \
	%D%/html_diff.c \
	%D%/html_source.c \
	%D%/html_summary.c \
	%D%/html_table.c \
	%D%/xml.c \
	%D%/xml.h

# Scripts and styles of pages are files of their own; C is made of them.
embedded = \
	%D%/flamegraph.css \
	%D%/flamegraph.js \
	%D%/highlight.js \
	%D%/palette.css \
	%D%/print.js \
	%D%/report.css \
	%D%/report.js \
	%D%/short_names.js
embedded_sources = \
	%D%/flamegraph_css.c \
	%D%/flamegraph_js.c \
	%D%/highlight_js.c \
	%D%/palette_css.c \
	%D%/print_js.c \
	%D%/report_css.c \
	%D%/report_js.c \
	%D%/short_names_js.c
nodist_cli_libcli_a_SOURCES = $(embedded_sources)
%D%/report_css.c: %D%/report.css %D%/embed
	$(embed) $(srcdir)/%D%/report.css >$@.tmp && mv $@.tmp $@
%D%/report_js.c: %D%/report.js %D%/embed
	$(embed) $(srcdir)/%D%/report.js >$@.tmp && mv $@.tmp $@
%D%/flamegraph_css.c: %D%/flamegraph.css %D%/embed
	$(embed) $(srcdir)/%D%/flamegraph.css >$@.tmp && mv $@.tmp $@
%D%/flamegraph_js.c: %D%/flamegraph.js %D%/embed
	$(embed) $(srcdir)/%D%/flamegraph.js >$@.tmp && mv $@.tmp $@
%D%/highlight_js.c: %D%/highlight.js %D%/embed
	$(embed) $(srcdir)/%D%/highlight.js >$@.tmp && mv $@.tmp $@
%D%/print_js.c: %D%/print.js %D%/embed
	$(embed) $(srcdir)/%D%/print.js >$@.tmp && mv $@.tmp $@
%D%/palette_css.c: %D%/palette.css %D%/embed
	$(embed) $(srcdir)/%D%/palette.css >$@.tmp && mv $@.tmp $@
%D%/short_names_js.c: %D%/short_names.js %D%/embed
	$(embed) $(srcdir)/%D%/short_names.js >$@.tmp && mv $@.tmp $@
embed = $(AM_V_GEN)$(MKDIR_P) %D%; $(SHELL) $(srcdir)/%D%/embed
EXTRA_DIST += %D%/embed $(embedded)
CLEANFILES += $(embedded_sources)
