# Tests of parser. tests/data/parser/NAME/{input,output} are profiles and what parser-dump says of them: adding a case is adding a folder.
parser_units = \
	%D%/unit/parser-base \
	%D%/unit/parser-batches \
	%D%/unit/parser-builder \
	%D%/unit/parser-cuts \
	%D%/unit/parser-input \
	%D%/unit/parser-memory \
	%D%/unit/parser-write
check_PROGRAMS += $(parser_units) %D%/unit/parser-dump
%C%_unit_parser_batches_SOURCES = %D%/unit/parser-batches.c
%C%_unit_parser_batches_LDADD = $(parser_libraries)
%C%_unit_parser_base_SOURCES = %D%/unit/parser-base.c
%C%_unit_parser_base_LDADD = $(parser_libraries)
%C%_unit_parser_builder_SOURCES = %D%/unit/parser-builder.c
%C%_unit_parser_builder_LDADD = $(parser_libraries)
%C%_unit_parser_cuts_SOURCES = %D%/unit/parser-cuts.c
%C%_unit_parser_cuts_LDADD = $(parser_libraries)
%C%_unit_parser_input_SOURCES = %D%/unit/parser-input.c
%C%_unit_parser_input_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_unit_parser_input_LDADD = $(parser_libraries)
%C%_unit_parser_memory_SOURCES = %D%/unit/parser-memory.c
%C%_unit_parser_memory_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_unit_parser_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=inflateInit2_
%C%_unit_parser_memory_LDADD = $(parser_libraries)
%C%_unit_parser_write_SOURCES = %D%/unit/parser-write.c
%C%_unit_parser_write_LDADD = $(parser_libraries)
%C%_unit_parser_dump_SOURCES = %D%/unit/parser-dump.c
%C%_unit_parser_dump_LDADD = $(parser_libraries)
parser_scripts = \
	%D%/fuzz.test \
	%D%/library.test \
	%D%/parser-cases.test \
	%D%/parser-corpus.test \
	%D%/parser-stock.test
TESTS += $(parser_units) $(parser_scripts)
EXTRA_DIST += \
	%D%/data/parser \
	%D%/data/report/small.example \
	%D%/fuzz/fuzz-demangle.c \
	%D%/fuzz/fuzz-gate.c \
	%D%/fuzz/fuzz-profile.c \
	%D%/fuzz/fuzz-samples.c \
	%D%/fuzz/run \
	%D%/inclusive.py \
	%D%/make_profiles.py \
	%D%/parser.sh \
	$(parser_scripts)

# make fuzz [FUZZ_RUNS=2000000] [FUZZ_TARGETS="raw demangle"]: mutated inputs by clang's libFuzzer, under ASan and UBSan.
FUZZ_RUNS = 2000000
FUZZ_TARGETS =
.PHONY: fuzz fuzz-clean
fuzz:
	$(srcdir)/%D%/fuzz/run $(abs_builddir) $(FUZZ_RUNS) $(FUZZ_TARGETS)
fuzz-clean:
	rm -rf %D%/fuzz %D%/fuzz-blind
clean-local: fuzz-clean
