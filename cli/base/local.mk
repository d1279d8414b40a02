cli_libcli_la_SOURCES += %D%/memory.h %D%/memory.c %D%/message.h %D%/message.c \
	%D%/count.h %D%/count.c %D%/clean.h %D%/clean.c %D%/cleanup.h %D%/cleanup.c %D%/file.h %D%/file.c %D%/nearest.h %D%/nearest.c \
	%D%/options.h %D%/options.c %D%/output.h %D%/output.c %D%/process.h %D%/process.c %D%/terminal.h %D%/terminal.c \
	%D%/sort.h %D%/sort.c %D%/wrap.h %D%/wrap.c
