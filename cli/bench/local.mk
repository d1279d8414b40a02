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
	%D%/session.c \
	%D%/session.h \
	%D%/table.c \
	%D%/table.h \
	%D%/why.c \
	%D%/why.h
