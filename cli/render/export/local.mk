cli_libcli_a_SOURCES += \
	%D%/cachegrind.c \
	%D%/callgrind.c \
	%D%/csv.c \
	%D%/dhat.c \
	%D%/dot.c \
	%D%/export.h \
	%D%/folded.c \
	%D%/gzip.c \
	%D%/gzip.h \
	%D%/markdown_export.c \
	%D%/pprof.c \
	%D%/pprof_places.c \
	%D%/pprof_places.h \
	%D%/pprof_text.c \
	%D%/protobuf.c \
	%D%/protobuf.h \
	%D%/record_lines.c \
	%D%/record_lines.h \
	%D%/speedscope.c \
	%D%/valgrind_format.c \
	%D%/valgrind_format.h
