cli_libcli_la_SOURCES += %D%/command.h %D%/command.c %D%/help.c %D%/callgrind.c %D%/cachegrind.c \
	%D%/run_notes.h %D%/run_notes.c %D%/run_show.h %D%/run_show.c %D%/profile_run.h %D%/profile_run.c %D%/load.h %D%/load.c %D%/calls.c %D%/tree.c %D%/paths.h %D%/paths.c %D%/choice.h %D%/choice.c %D%/show.h %D%/show.c %D%/report.c %D%/browse.h %D%/browse.c
