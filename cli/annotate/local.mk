cli_libcli_la_SOURCES += \
	%D%/annotation.c \
	%D%/annotation.h \
	%D%/annotation_regions.c \
	%D%/disassembly.c \
	%D%/disassembly.h
