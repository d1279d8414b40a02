cli_libcli_la_SOURCES += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_lines.c \
	%D%/gate.c \
	%D%/gate.h \
	%D%/noise.c \
	%D%/noise.h \
	%D%/noise_file.c
