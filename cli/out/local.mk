cli_libcli_la_SOURCES += %D%/export.h %D%/callgrind.c %D%/cachegrind.c %D%/markdown.h %D%/markdown.c %D%/lines.h %D%/lines.c \
	%D%/text.h %D%/text.c %D%/table.h %D%/table.c %D%/style.h %D%/paths.h %D%/paths.c %D%/lanes.h %D%/lanes.c %D%/heading.c %D%/json.h %D%/json.c %D%/json_tree.h %D%/json_tree.c
cli_libcli_la_SOURCES += %D%/json_value.h %D%/json_value.c
cli_libcli_la_SOURCES += %D%/annotation.h %D%/annotation.c %D%/annotation_json.c %D%/code.h %D%/code.c %D%/sheet.h %D%/sheet.c %D%/disassembly.h %D%/disassembly.c
