cli_libcli_a_SOURCES += \
	%D%/allocation_type.c \
	%D%/allocation_type.h \
	%D%/resolve.c \
	%D%/resolve.h \
	%D%/resolve_costs.c \
	%D%/resolve_data.c \
	%D%/resolve_inclusive.c \
	%D%/resolve_runs.c \
	%D%/resolve_paths.c \
	%D%/resolve_types.c \
	%D%/resolver.h
