cli_libcli_la_SOURCES += \
	%D%/arguments.c \
	%D%/arguments.h \
	%D%/blame.c \
	%D%/blame.h \
	%D%/columns.c \
	%D%/columns.h \
	%D%/curves.c \
	%D%/curves.h \
	%D%/data_rows.c \
	%D%/data_rows.h \
	%D%/derived.c \
	%D%/derived.h \
	%D%/group_costs.c \
	%D%/group_costs.h \
	%D%/group_keys.c \
	%D%/group_keys.h \
	%D%/groups.c \
	%D%/groups.h \
	%D%/heap.c \
	%D%/heap.h \
	%D%/own.c \
	%D%/own.h \
	%D%/rows.c \
	%D%/rows.h \
	%D%/search.c \
	%D%/search.h
