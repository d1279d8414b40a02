cli_libcli_la_SOURCES += %D%/baseline.h %D%/baseline.c %D%/cargo.h %D%/cargo.c %D%/elf_check.h %D%/elf_check.c \
	%D%/geometry.h %D%/geometry.c %D%/last.h %D%/last.c %D%/libraries.h %D%/libraries.c %D%/packages.h %D%/packages.c %D%/program.h %D%/program.c %D%/target.h %D%/target.c \
	%D%/measure.h %D%/measure.c %D%/progress.h %D%/progress.c %D%/rawset.h %D%/rawset.c %D%/tempdir.h %D%/tempdir.c %D%/valgrind.h %D%/valgrind.c
cli_libcli_la_SOURCES += %D%/denied.h %D%/denied.c %D%/finding.h %D%/finding.c %D%/machine.h %D%/machine.c %D%/tool.h %D%/tool.c
cli_libcli_la_SOURCES += %D%/avx512.h %D%/avx512.c
