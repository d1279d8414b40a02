cli_libcli_a_SOURCES += \
	%D%/pace_runs.c \
	%D%/pace_runs.h \
	%D%/profile_run.c \
	%D%/profile_run.h \
	%D%/run_notes.c \
	%D%/run_notes.h \
	%D%/run_settings.c \
	%D%/run_settings.h \
	%D%/run_show.c \
	%D%/run_show.h \
	%D%/several_runs.c \
	%D%/several_runs.h
