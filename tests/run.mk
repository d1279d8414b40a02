# Tests of run: options, processes, cargo, the ELF check, running Valgrind.
check_PROGRAMS += %D%/cli/run-base
TESTS += %D%/cli/run-base %D%/cli/run.test %D%/cli/run-paths.test %D%/cli/run-cargo.test %D%/cli/baseline.test %D%/cli/baseline-cargo.test %D%/cli/progress.test
EXTRA_DIST += %D%/cli/run.test %D%/cli/run-paths.test %D%/cli/run-cargo.test %D%/cli/baseline.test %D%/cli/baseline-cargo.test %D%/cli/progress.test
%C%_cli_run_base_LDADD = cli/libcli.la
check_PROGRAMS += %D%/unit/run-avx512
TESTS += %D%/unit/run-avx512 %D%/cli/prospect.test
EXTRA_DIST += %D%/cli/prospect.test
%C%_unit_run_avx512_LDADD = cli/libcli.la
%C%_unit_run_avx512_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests

TESTS += %D%/cli/faults.test
EXTRA_DIST += %D%/cli/faults.test

# Crates, groups and blame, on a project of their own.
TESTS += %D%/cli/crates.test
EXTRA_DIST += %D%/cli/crates.test %D%/cli/crates.py %D%/data/crates
check_PROGRAMS += %D%/unit/model-crates %D%/unit/model-groups
TESTS += %D%/unit/model-crates %D%/unit/model-groups
%C%_unit_model_crates_LDADD = cli/libcli.la $(JANSSON_LIBS)
%C%_unit_model_crates_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) -I$(top_srcdir)/tests
%C%_unit_model_groups_LDADD = cli/libcli.la
%C%_unit_model_groups_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests

# The installation and the machine: what doctor finds.
check_PROGRAMS += %D%/cli/deny
TESTS += %D%/cli/doctor.test
EXTRA_DIST += %D%/cli/doctor.test

# Completions of shells, and the archive for any Linux.
TESTS += %D%/cli/completions.test %D%/cli/archive.test
EXTRA_DIST += %D%/cli/completions.test %D%/cli/archive.test
