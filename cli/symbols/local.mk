cli_libcli_a_SOURCES += \
	%D%/code_hash.c \
	%D%/code_hash.h \
	%D%/code_places.c \
	%D%/code_places.h \
	%D%/compiler_flags.c \
	%D%/compiler_flags.h \
	%D%/debug_files.c \
	%D%/debug_files.h \
	%D%/dwarf.c \
	%D%/dwarf.h \
	%D%/eh_frame.c \
	%D%/eh_frame.h \
	%D%/elf_file.c \
	%D%/elf_file.h \
	%D%/forecast.c \
	%D%/forecast.h \
	%D%/intervals.c \
	%D%/intervals.h \
	%D%/object_names.c \
	%D%/object_names.h \
	%D%/probe_places.c \
	%D%/probe_places.h \
	%D%/symbol_table.c \
	%D%/symbol_table.h \
	%D%/type.c \
	%D%/type.h
