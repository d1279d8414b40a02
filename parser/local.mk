# libcprof: reads profiles into structs. libc and zlib only. The objects are in libparser.la, which tests and the program link
# whole; the installed library shows the functions of cprof.h alone.
noinst_LTLIBRARIES += %D%/libparser.la
%C%_libparser_la_SOURCES = %D%/cprof.h %D%/cprof_internal.h %D%/error.h %D%/error.c %D%/arena.h %D%/arena.c %D%/map.h %D%/map.c \
	%D%/input.h %D%/input.c %D%/lex.h %D%/lex.c %D%/table.h %D%/table.c %D%/profile.h %D%/profile.c \
	%D%/builder.h %D%/builder.c %D%/builder_private.h \
	%D%/builder_records.c %D%/builder_callees.c %D%/builder_contexts.c %D%/builder_finish.c %D%/reader.h %D%/reader.c %D%/framed.h %D%/framed.c %D%/callgrind.h %D%/callgrind.c \
	%D%/callgrind_header.c %D%/callgrind_names.c %D%/callgrind_quick.c %D%/cachegrind.c %D%/raw.h %D%/raw.c \
	%D%/raw_fields.c %D%/raw_header.c %D%/raw_records.c %D%/raw_counts.c %D%/raw_contexts.c %D%/raw_batch.c %D%/worker.h %D%/worker.c %D%/raw_expand.c %D%/raw_sections.c %D%/sections.h %D%/named.h %D%/named.c %D%/named_header.c %D%/named_fields.c \
	%D%/load.c
%C%_libparser_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_libparser_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
%C%_libparser_la_LIBADD = $(ZLIB_LIBS)

lib_LTLIBRARIES += %D%/libcprof.la
include_HEADERS += %D%/cprof.h
%C%_libcprof_la_SOURCES =
%C%_libcprof_la_LIBADD = %D%/libparser.la $(ZLIB_LIBS)
%C%_libcprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(CPROF_LT_VERSION) -no-undefined
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/cprof.pc
