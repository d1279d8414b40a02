cli_libcli_a_SOURCES += \
	%D%/bench_run.c \
	%D%/bench_run.h \
	%D%/document.c \
	%D%/document.h \
	%D%/doc_tests.c \
	%D%/doc_tests.h \
	%D%/failure.c \
	%D%/failure.h \
	%D%/gates.c \
	%D%/gates.h \
	%D%/harness.c \
	%D%/harness.h \
	%D%/measured.c \
	%D%/measured.h \
	%D%/name_tree.c \
	%D%/name_tree.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/session.c \
	%D%/session.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/table.c \
	%D%/table.h
