cli_libcli_a_SOURCES += \
	%D%/bench_names.c \
	%D%/bench_names.h \
	%D%/check.c \
	%D%/check.h \
	%D%/growth.c \
	%D%/growth.h \
	%D%/inclusive.c \
	%D%/inclusive.h \
	%D%/probe.c \
	%D%/probe.h \
	%D%/scale_gate.c \
	%D%/scale_gate.h \
	%D%/scale_json.c \
	%D%/scale_json.h \
	%D%/scale_plot.c \
	%D%/scale_plot.h \
	%D%/scale_table.c \
	%D%/scale_table.h \
	%D%/series.c \
	%D%/series.h \
	%D%/session.c \
	%D%/session.h \
	%D%/size_run.c \
	%D%/size_run.h \
	%D%/sizes.c \
	%D%/sizes.h
