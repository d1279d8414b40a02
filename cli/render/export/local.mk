cli_libcli_a_SOURCES += \
	%D%/cachegrind.c \
	%D%/callgrind.c \
	%D%/chrome_trace.c \
	%D%/csv.c \
	%D%/dhat.c \
	%D%/dot.c \
	%D%/export.h \
	%D%/firefox.c \
	%D%/folded.c \
	%D%/gzip.c \
	%D%/gzip.h \
	%D%/markdown_export.c \
	%D%/pool.c \
	%D%/pool.h \
	%D%/pprof.c \
	%D%/pprof.h \
	%D%/pprof_text.c \
	%D%/record_lines.c \
	%D%/record_lines.h \
	%D%/speedscope.c \
	%D%/tracks.c \
	%D%/tracks.h \
	%D%/valgrind_format.c \
	%D%/valgrind_format.h
