cli_libcli_la_SOURCES += %D%/command.h %D%/show.h %D%/show.c %D%/report.c
