cli_libcli_a_SOURCES += \
	%D%/allocation.c \
	%D%/allocation.h \
	%D%/source_file.c \
	%D%/source_file.h \
	%D%/source_path.c \
	%D%/source_path.h \
	%D%/tokens.c \
	%D%/tokens.h
