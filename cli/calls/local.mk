cli_libcli_la_SOURCES += \
	%D%/cycles.c \
	%D%/cycles.h \
	%D%/graph.c \
	%D%/graph.h \
	%D%/recursion.c \
	%D%/recursion.h
