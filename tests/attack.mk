# Attacks: mutated command lines and profiles, system calls and allocations that fail, runs that are killed or run side by side, programs
# whose costs are known. `make check` does a little of each; `make attack` all.
check_PROGRAMS += %D%/attack/server %D%/attack/launch
%C%_attack_server_LDADD = cli/libcli.la
%C%_attack_launch_SOURCES = %D%/attack/launch.c
%C%_attack_launch_CPPFLAGS = $(AM_CPPFLAGS) -DVG_VERSION='"$(VG_VERSION)"'
attack_tests = 
TESTS += $(attack_tests)
EXTRA_DIST += $(attack_tests)
