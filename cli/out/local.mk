cli_libcli_la_SOURCES += %D%/export.h
