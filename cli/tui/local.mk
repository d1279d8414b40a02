cli_libcli_la_SOURCES += \
	%D%/browser.c \
	%D%/browser.h \
	%D%/data.c \
	%D%/data.h \
	%D%/input.c \
	%D%/input.h \
	%D%/keys.c \
	%D%/keys.h \
	%D%/list.c \
	%D%/list.h \
	%D%/pane.c \
	%D%/pane.h \
	%D%/prompt.c \
	%D%/prompt.h \
	%D%/screen.c \
	%D%/screen.h \
	%D%/view.h \
	%D%/view_calls.c \
	%D%/view_diff.c \
	%D%/view_functions.c \
	%D%/view_groups.c \
	%D%/view_help.c \
	%D%/view_source.c \
	%D%/view_tree.c
