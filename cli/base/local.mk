cli_libcli_la_SOURCES += %D%/memory.h %D%/memory.c %D%/message.h %D%/options.h
