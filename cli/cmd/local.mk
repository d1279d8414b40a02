cli_libcli_a_SOURCES += \
	%D%/annotate.c \
	%D%/baselines.c \
	%D%/bench.c \
	%D%/browse.c \
	%D%/cachegrind.c \
	%D%/callgrind.c \
	%D%/calls.c \
	%D%/clean.c \
	%D%/commands.c \
	%D%/commands.h \
	%D%/completions.c \
	%D%/completions.h \
	%D%/data.c \
	%D%/defaults.c \
	%D%/defaults.h \
	%D%/diff.c \
	%D%/doctor.c \
	%D%/export.c \
	%D%/flamegraph.c \
	%D%/heap.c \
	%D%/help.c \
	%D%/merge.c \
	%D%/report.c \
	%D%/sample.c \
	%D%/test.c \
	%D%/time.c \
	%D%/tree.c
