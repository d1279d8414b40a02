cli_libcli_a_SOURCES += \
	%D%/resolve.c \
	%D%/resolve.h \
	%D%/resolve_costs.c \
	%D%/resolve_data.c \
	%D%/resolve_inclusive.c \
	%D%/resolver.h
