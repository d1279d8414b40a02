cli_libcli_la_SOURCES += \
	%D%/dwarf.c \
	%D%/dwarf.h \
	%D%/dwarf_dies.c \
	%D%/dwarf_functions.c \
	%D%/dwarf_private.h \
	%D%/dwz.c \
	%D%/dwz.h \
	%D%/eh_frame.c \
	%D%/eh_frame.h \
	%D%/elf_file.c \
	%D%/elf_file.h \
	%D%/forecast.c \
	%D%/forecast.h \
	%D%/inline_chains.c \
	%D%/inline_chains.h \
	%D%/intervals.c \
	%D%/intervals.h \
	%D%/line_reader.c \
	%D%/line_reader.h \
	%D%/object_names.c \
	%D%/object_names.h \
	%D%/symbol_search.c \
	%D%/symbol_search.h \
	%D%/symbol_table.c \
	%D%/symbol_table.h
