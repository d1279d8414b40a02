cli_libcli_a_SOURCES += \
	%D%/allocation.c \
	%D%/allocation.h \
	%D%/source_file.c \
	%D%/source_file.h \
	%D%/tokens.c \
	%D%/tokens.h
