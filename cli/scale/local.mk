cli_libcli_a_SOURCES += \
	%D%/fit.c \
	%D%/fit.h
