cli_libcli_la_SOURCES += %D%/command.h %D%/show.h
