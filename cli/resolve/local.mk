cli_libcli_la_SOURCES += \
	%D%/resolve.c \
	%D%/resolve.h \
	%D%/resolve_costs.c \
	%D%/resolve_data.c \
	%D%/resolve_inclusive.c \
	%D%/resolve_paths.c \
	%D%/resolver.h
