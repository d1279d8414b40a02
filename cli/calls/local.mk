cli_libcli_a_SOURCES += \
	%D%/graph.c \
	%D%/graph.h \
	%D%/recursion.c \
	%D%/recursion.h \
	%D%/sound.c \
	%D%/sound.h
