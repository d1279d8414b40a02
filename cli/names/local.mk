cli_libcli_la_SOURCES += \
	%D%/brackets.c \
	%D%/brackets.h \
	%D%/crate_path.c \
	%D%/crate_path.h \
	%D%/crates.c \
	%D%/crates.h \
	%D%/demangle.c \
	%D%/demangle.h \
	%D%/location.c \
	%D%/location.h \
	%D%/name_ids.c \
	%D%/name_ids.h \
	%D%/name_quality.h \
	%D%/names.c \
	%D%/names.h \
	%D%/normalise.c \
	%D%/normalise.h \
	%D%/normalise_file.c \
	%D%/packages.c \
	%D%/packages.h \
	%D%/repeated.c \
	%D%/repeated.h \
	%D%/rust_name.c \
	%D%/rust_name.h \
	%D%/unnamed.c \
	%D%/unnamed.h
