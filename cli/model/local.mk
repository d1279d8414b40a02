cli_libcli_la_SOURCES += %D%/resolve.h
