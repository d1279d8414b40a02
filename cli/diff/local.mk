cli_libcli_a_SOURCES += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_lines.c \
	%D%/diff_lines.h \
	%D%/diff_names.c \
	%D%/diff_names.h \
	%D%/gate.c \
	%D%/gate.h \
	%D%/matching.c \
	%D%/matching.h \
	%D%/noise_thresholds.c \
	%D%/noise_thresholds.h \
	%D%/noise.c \
	%D%/noise.h \
	%D%/own_diff.c \
	%D%/own_diff.h \
	%D%/own_views.c \
	%D%/own_views.h \
	%D%/same_program.c \
	%D%/same_program.h \
	%D%/section_pairs.c \
	%D%/section_pairs.h \
	%D%/time_load.c \
	%D%/time_load.h \
	%D%/time_rows.c \
	%D%/time_rows.h
