cli_libcli_a_SOURCES += \
	%D%/callgrind.c \
	%D%/chrome_trace.c \
	%D%/dhat.c \
	%D%/dot.c \
	%D%/export.h \
	%D%/firefox.c \
	%D%/folded.c \
	%D%/pool.c \
	%D%/pool.h \
	%D%/pprof.c \
	%D%/pprof.h \
	%D%/speedscope.c \
	%D%/table_export.c \
	%D%/tracks.c \
	%D%/tracks.h
