cli_libcli_a_SOURCES += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_lines.c \
	%D%/diff_lines.h \
	%D%/environment.c \
	%D%/environment.h \
	%D%/gate.c \
	%D%/gate.h \
	%D%/matching.c \
	%D%/matching.h \
	%D%/noise.c \
	%D%/noise.h \
	%D%/own_diff.c \
	%D%/own_diff.h \
	%D%/same_program.c \
	%D%/same_program.h \
	%D%/section_pairs.c \
	%D%/section_pairs.h \
	%D%/time_rows.c \
	%D%/time_rows.h \
	%D%/why.c \
	%D%/why.h \
	%D%/why_pair.c \
	%D%/why_pair.h \
	%D%/why_tree.c \
	%D%/why_tree.h
