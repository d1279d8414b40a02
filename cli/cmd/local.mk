cli_libcli_a_SOURCES += \
	%D%/annotate.c \
	%D%/baselines.c \
	%D%/bisect.c \
	%D%/bench.c \
	%D%/browse.c \
	%D%/calls.c \
	%D%/clean.c \
	%D%/commands.c \
	%D%/commands.h \
	%D%/completions.c \
	%D%/defaults.c \
	%D%/defaults.h \
	%D%/diff.c \
	%D%/doctor.c \
	%D%/export.c \
	%D%/flamegraph.c \
	%D%/merge.c \
	%D%/profile.c \
	%D%/report.c \
	%D%/scale.c \
	%D%/time.c \
	%D%/tree.c
