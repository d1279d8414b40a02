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

# make check-engines [SEQUENCES=1000000] [GENERATED=200] [INSTALLED=100]: an hour.
SEQUENCES = 1000000
GENERATED = 200
INSTALLED = 100
.PHONY: check-engines
check-engines: $(check_PROGRAMS)
	for test in $(engines_tests); do \
	  $(AM_TESTS_ENVIRONMENT) SEQUENCES='$(SEQUENCES)' GENERATED='$(GENERATED)' INSTALLED='$(INSTALLED)' \
	    $(SHELL) $(srcdir)/$$test || exit 1; \
	done
