cli_libcli_a_SOURCES += \
	%D%/diff_input.c \
	%D%/diff_input.h \
	%D%/load.c \
	%D%/load.h \
	%D%/save.c \
	%D%/save.h \
	%D%/sources.c \
	%D%/sources.h \
	%D%/spread.c \
	%D%/spread.h \
	%D%/warnings.c \
	%D%/warnings.h
