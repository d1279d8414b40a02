cli_libcli_la_SOURCES += %D%/browser.h %D%/browser.c %D%/data.h %D%/data.c %D%/input.h %D%/input.c %D%/keys.h %D%/keys.c %D%/list.h %D%/list.c %D%/pane.h %D%/pane.c %D%/prompt.h %D%/prompt.c \
	%D%/screen.h %D%/screen.c %D%/view.h %D%/view_calls.c %D%/view_diff.c %D%/view_functions.c %D%/view_groups.c %D%/view_help.c %D%/view_source.c %D%/view_tree.c
