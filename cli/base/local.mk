cli_libcli_la_SOURCES += %D%/memory.h %D%/memory.c %D%/message.h %D%/message.c \
	%D%/nearest.h %D%/nearest.c %D%/options.h %D%/options.c %D%/terminal.h %D%/terminal.c
