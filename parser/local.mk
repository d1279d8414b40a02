# libcprof: reads profiles into structs. libc, jansson and libraries of compression only. The objects are in libparser, which tests and the program link
# whole; the installed library shows the functions of cprof.h alone.
noinst_LTLIBRARIES += %D%/libparser.la
# libtool makes this archive on its way. Programs are linked with it, without libtool's script, which takes longer than the linker.
parser_archive = %D%/.libs/libparser.a
$(parser_archive): %D%/libparser.la
	@: make looks at the archive anew
parser_others = $(UNPACK_LIBS) $(JANSSON_LIBS) -lm
parser_libraries = $(parser_archive) $(parser_others)
%C%_libparser_la_SOURCES = \
	%D%/arena.c \
	%D%/arena.h \
	%D%/blocks.h \
	%D%/builder.c \
	%D%/builder.h \
	%D%/builder_data.c \
	%D%/builder_private.h \
	%D%/builder_records.c \
	%D%/cachegrind.c \
	%D%/callgrind.c \
	%D%/callgrind.h \
	%D%/callgrind_names.c \
	%D%/cprof.h \
	%D%/cprof_internal.h \
	%D%/error.c \
	%D%/error.h \
	%D%/folded.c \
	%D%/framed.c \
	%D%/framed.h \
	%D%/gperf.c \
	%D%/input.c \
	%D%/input.h \
	%D%/json_cpuprofile.c \
	%D%/json_dhat.c \
	%D%/json_file.c \
	%D%/json_file.h \
	%D%/json_firefox.c \
	%D%/json_speedscope.c \
	%D%/lex.c \
	%D%/lex.h \
	%D%/load.c \
	%D%/map.c \
	%D%/map.h \
	%D%/massif.c \
	%D%/named.c \
	%D%/named.h \
	%D%/named_header.c \
	%D%/paths.h \
	%D%/perf.c \
	%D%/perf.h \
	%D%/perf_lines.c \
	%D%/pprof.c \
	%D%/profile.c \
	%D%/profile.h \
	%D%/raw.c \
	%D%/raw.h \
	%D%/raw_contexts.c \
	%D%/raw_data.c \
	%D%/raw_records.c \
	%D%/reader.c \
	%D%/reader.h \
	%D%/samples.c \
	%D%/samples.h \
	%D%/sampled.c \
	%D%/sampled.h \
	%D%/sink.c \
	%D%/sink.h \
	%D%/stacks.c \
	%D%/stacks.h \
	%D%/table.c \
	%D%/table.h \
	%D%/worker.c \
	%D%/worker.h
%C%_libparser_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNPACK_CFLAGS) $(JANSSON_CFLAGS)
%C%_libparser_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
%C%_libparser_la_LIBADD = $(parser_others)

lib_LTLIBRARIES += %D%/libcprof.la
include_HEADERS += %D%/cprof.h
%C%_libcprof_la_SOURCES =
%C%_libcprof_la_LIBADD = %D%/libparser.la $(parser_others)
%C%_libcprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(CPROF_LT_VERSION) -no-undefined
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/cprof.pc
