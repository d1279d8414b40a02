cli_libcli_a_SOURCES += \
	%D%/annotation_json.c \
	%D%/annotation_json.h \
	%D%/diff_json.c \
	%D%/diff_json.h \
	%D%/findings_json.c \
	%D%/findings_json.h \
	%D%/json.c \
	%D%/json.h \
	%D%/json_curves.c \
	%D%/json_curves.h \
	%D%/json_data.c \
	%D%/json_data.h \
	%D%/json_document.c \
	%D%/json_document.h \
	%D%/json_tree.c \
	%D%/json_tree.h \
	%D%/json_value.c \
	%D%/json_value.h \
	%D%/time_json.c \
	%D%/time_json.h
