# libcprof: reads profiles into structs. libc and zlib only.
lib_LTLIBRARIES += %D%/libcprof.la
include_HEADERS += %D%/cprof.h
%C%_libcprof_la_SOURCES = %D%/cprof.h %D%/error.h %D%/error.c %D%/builder.h
%C%_libcprof_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_libcprof_la_LIBADD = $(ZLIB_LIBS)
%C%_libcprof_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(CPROF_LT_VERSION) -no-undefined
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/cprof.pc
