cli_libcli_a_SOURCES += \
	%D%/annotation.c \
	%D%/annotation.h \
	%D%/annotation_regions.c \
	%D%/disassembly.c \
	%D%/disassembly.h
