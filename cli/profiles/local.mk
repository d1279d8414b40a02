cli_libcli_a_SOURCES += \
	%D%/compared.c \
	%D%/compared.h \
	%D%/load.c \
	%D%/load.h \
	%D%/sources.c \
	%D%/sources.h
