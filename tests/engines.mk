# Tests of both engines: random sequences of instructions, generated programs, programs of the system. make check does a little of each.
engines_tests = \
	%D%/engines/generated.test \
	%D%/engines/sequences.test \
	%D%/engines/system.test
TESTS += $(engines_tests)
EXTRA_DIST += \
	%D%/engines/both.sh \
	%D%/engines/program.py \
	%D%/engines/random-code.h \
	%D%/engines/repeating.c \
	%D%/engines/run-sequences.c \
	%D%/engines/sequences.c \
	%D%/engines/sequences.h \
	$(engines_tests)

# make -j2 check-engines [SEQUENCES=1000000] [GENERATED=200] [INSTALLED=100]: an hour of one processor. Called again, it goes on with what has not
# passed yet by the tool as it is. SEQUENCES_SEED= and GENERATED_SEED= in the environment begin elsewhere.
SEQUENCES = 1000000
GENERATED = 200
INSTALLED = 100
.PHONY: check-engines
check-engines:
	ENGINES_GO_ON=yes SEQUENCES='$(SEQUENCES)' GENERATED='$(GENERATED)' INSTALLED='$(INSTALLED)' $(MAKE) check TESTS='$(engines_tests)'
