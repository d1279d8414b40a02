cli_libcli_la_SOURCES += \
	%D%/annotation_json.c \
	%D%/annotation_json.h \
	%D%/diff_json.c \
	%D%/diff_json.h \
	%D%/disassembly_json.c \
	%D%/disassembly_json.h \
	%D%/findings_json.c \
	%D%/findings_json.h \
	%D%/json.c \
	%D%/json.h \
	%D%/json_arguments.c \
	%D%/json_arguments.h \
	%D%/json_blame.c \
	%D%/json_data.c \
	%D%/json_data.h \
	%D%/json_document.c \
	%D%/json_document.h \
	%D%/json_groups.c \
	%D%/json_own.c \
	%D%/json_own.h \
	%D%/json_sections.c \
	%D%/json_sections.h \
	%D%/json_tree.c \
	%D%/json_tree.h \
	%D%/json_value.c \
	%D%/json_value.h
