cli_libcli_a_SOURCES += \
	%D%/annotation.c \
	%D%/annotation.h \
	%D%/annotation_callees.c \
	%D%/annotation_loader.h \
	%D%/annotation_regions.c \
	%D%/annotation_subject.c \
	%D%/annotation_subject.h \
	%D%/disassembly.c \
	%D%/disassembly.h
