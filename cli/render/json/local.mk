cli_libcli_a_SOURCES += \
	%D%/annotation_json.c \
	%D%/diff_json.c \
	%D%/json.c \
	%D%/json.h \
	%D%/json_value.c \
	%D%/json_value.h \
	%D%/time_json.c
