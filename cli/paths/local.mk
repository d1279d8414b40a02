cli_libcli_a_SOURCES += \
	%D%/call_rows.c \
	%D%/call_rows.h \
	%D%/flame.c \
	%D%/flame.h \
	%D%/line_callers.c \
	%D%/line_callers.h \
	%D%/startup.c \
	%D%/startup.h \
	%D%/tree.c \
	%D%/tree.h
