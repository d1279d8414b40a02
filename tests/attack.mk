# Attacks: mutated command lines and profiles, system calls and allocations that fail, runs that are killed or run side by side, programs
# whose costs are known. `make check` does a little of each; `make attack` all.
attack_tests = \
	%D%/attack/attack.test \
	%D%/attack/faults.test \
	%D%/attack/library.test \
	%D%/attack/reality.test
TESTS += $(attack_tests)
check_PROGRAMS += %D%/attack/server %D%/attack/launch %D%/attack/allocations
%C%_attack_server_LDADD = $(cli_libraries)
%C%_attack_launch_SOURCES = %D%/attack/launch.c
%C%_attack_launch_CPPFLAGS = $(AM_CPPFLAGS) -DVG_VERSION='"$(VG_VERSION)"'
%C%_attack_allocations_SOURCES = %D%/attack/allocations.c
%C%_attack_allocations_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS)
%C%_attack_allocations_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=inflateInit2_
%C%_attack_allocations_LDADD = $(parser_libraries)
attack_programs = \
	across.cc \
	between.c \
	fixed.c \
	jit.lua \
	nested.c \
	static.c \
	turns.go
EXTRA_DIST += \
	%D%/attack/attack.sh \
	%D%/attack/faults.py \
	%D%/attack/forms.py \
	%D%/attack/generate.py \
	%D%/attack/mutate.py \
	%D%/attack/preload.c \
	%D%/attack/profiles.py \
	%D%/attack/run \
	%D%/attack/side-by-side.py \
	%D%/attack/tiny.c \
	%D%/failing.h \
	$(attack_programs:%=%D%/attack/programs/%) \
	$(attack_tests)

# make attack [ATTACK_RUNS=200000] [ATTACK_PARTS="mutate generate calls kills allocations library side reality"] [ATTACK_SEED=1]: all of them,
# in full; mutation with a build of its own that has sanitizers.
ATTACK_RUNS = 200000
.PHONY: attack attack-clean
attack: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/%D%/attack/run $(abs_builddir) $(ATTACK_RUNS)
attack-clean:
	rm -rf %D%/attack/sanitized %D%/attack/found %D%/attack/summary %D%/attack/*.log
clean-local: attack-clean
