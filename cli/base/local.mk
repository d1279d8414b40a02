cli_libcli_la_SOURCES += \
	%D%/clean.c \
	%D%/clean.h \
	%D%/cleanup.c \
	%D%/cleanup.h \
	%D%/count.c \
	%D%/count.h \
	%D%/file.c \
	%D%/file.h \
	%D%/memory.c \
	%D%/memory.h \
	%D%/message.c \
	%D%/message.h \
	%D%/nearest.c \
	%D%/nearest.h \
	%D%/options.c \
	%D%/options.h \
	%D%/output.c \
	%D%/output.h \
	%D%/process.c \
	%D%/process.h \
	%D%/sort.c \
	%D%/sort.h \
	%D%/terminal.c \
	%D%/terminal.h \
	%D%/wrap.c \
	%D%/wrap.h
