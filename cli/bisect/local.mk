cli_libcli_a_SOURCES += \
	%D%/bisect_report.c \
	%D%/bisect_report.h \
	%D%/commit_run.c \
	%D%/commit_run.h \
	%D%/repository.c \
	%D%/repository.h \
	%D%/session.c \
	%D%/session.h
