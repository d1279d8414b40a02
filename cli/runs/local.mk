cli_libcli_a_SOURCES += \
	%D%/profile_run.c \
	%D%/profile_run.h \
	%D%/run_background.c \
	%D%/run_background.h \
	%D%/run_load.c \
	%D%/run_load.h \
	%D%/run_notes.c \
	%D%/run_notes.h \
	%D%/run_repeats.c \
	%D%/run_repeats.h \
	%D%/run_settings.c \
	%D%/run_settings.h \
	%D%/run_show.c \
	%D%/run_show.h
