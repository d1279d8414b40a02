cli_libcli_a_SOURCES += \
	%D%/copy.c \
	%D%/copy.h \
	%D%/generics.c \
	%D%/generics.h \
	%D%/sections.c \
	%D%/short_paths.c \
	%D%/short_paths.h \
	%D%/sections.h
