cli_libcli_a_SOURCES += \
	%D%/column_selection.c \
	%D%/column_selection.h \
	%D%/command.c \
	%D%/command.h \
	%D%/open_file.c \
	%D%/open_file.h \
	%D%/show_options.c \
	%D%/show_options.h
