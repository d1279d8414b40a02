cli_libcli_a_SOURCES += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_lines.c \
	%D%/diff_lines.h \
	%D%/diff_names.c \
	%D%/diff_names.h \
	%D%/gate.c \
	%D%/gate.h \
	%D%/gate_check.c \
	%D%/matching.c \
	%D%/matching.h \
	%D%/noise.c \
	%D%/noise.h \
	%D%/noise_file.c \
	%D%/noise_thresholds.c \
	%D%/noise_thresholds.h \
	%D%/own_diff.c \
	%D%/own_diff.h \
	%D%/sample_noise.c \
	%D%/sample_noise.h \
	%D%/section_pairs.c \
	%D%/section_pairs.h \
	%D%/time_rows.c \
	%D%/time_rows.h
