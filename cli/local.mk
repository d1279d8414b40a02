# The program. Everything but main.c is in libcli, so that tests can link it. Each folder adds its own files.
noinst_LIBRARIES += %D%/libcli.a
%C%_libcli_a_SOURCES =
%C%_libcli_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(ELFUTILS_CFLAGS) $(UNPACK_CFLAGS) $(DEFLATE_CFLAGS) $(NCURSES_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DVG_VERSION='"$(VG_VERSION)"' \
	-DVG_PLATFORM='"$(VG_ARCH)-$(VG_OS)"'
cli_others = $(ELFUTILS_LIBS) $(IBERTY_LIBS) $(JANSSON_LIBS) $(NCURSES_LIBS) $(UNPACK_LIBS) $(DEFLATE_LIBS) -lm
cli_libraries = %D%/libcli.a $(parser_archive) $(cli_others)
include $(top_srcdir)/cli/base/local.mk
include $(top_srcdir)/cli/source/local.mk
include $(top_srcdir)/cli/names/local.mk
include $(top_srcdir)/cli/symbols/local.mk
include $(top_srcdir)/cli/run/local.mk
include $(top_srcdir)/cli/calls/local.mk
include $(top_srcdir)/cli/derive/local.mk
include $(top_srcdir)/cli/resolve/local.mk
include $(top_srcdir)/cli/table/local.mk
include $(top_srcdir)/cli/paths/local.mk
include $(top_srcdir)/cli/annotate/local.mk
include $(top_srcdir)/cli/diff/local.mk
include $(top_srcdir)/cli/render/text/local.mk
include $(top_srcdir)/cli/render/json/local.mk
include $(top_srcdir)/cli/render/html/local.mk
include $(top_srcdir)/cli/render/export/local.mk
include $(top_srcdir)/cli/tui/local.mk
include $(top_srcdir)/cli/options/local.mk
include $(top_srcdir)/cli/profiles/local.mk
include $(top_srcdir)/cli/views/local.mk
include $(top_srcdir)/cli/runs/local.mk
include $(top_srcdir)/cli/bench/local.mk
include $(top_srcdir)/cli/scale/local.mk
include $(top_srcdir)/cli/bisect/local.mk
include $(top_srcdir)/cli/cmd/local.mk

# Linked with libcprof's static form: build/cargo-cprof runs in place and is one file when installed.
bin_PROGRAMS += cargo-cprof
cargo_cprof_SOURCES = %D%/main.c
cargo_cprof_LDADD = $(cli_libraries)

# What the program executes, and Valgrind for each traced child, to start the tool.
pkglibexec_PROGRAMS += %D%/cprof-launch
%C%_cprof_launch_SOURCES = %D%/launch.c
%C%_cprof_launch_CPPFLAGS = $(AM_CPPFLAGS) -DVG_PLATFORM='"$(VG_ARCH)-$(VG_OS)"'
# LD_PRELOAD and its like are for the profiled program. A static program has no sanitizers' libraries.
%C%_cprof_launch_LDFLAGS = -static
$(%C%_cprof_launch_OBJECTS): override CFLAGS += -fno-sanitize=all -fno-lto
%C%_cprof_launch_LINK = $(CCLD) -O2 -static -o $@

# What shells complete, as the program says; each in the folder where its shell looks.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_bashcompletion_DATA = %D%/completions/cargo-cprof
nodist_zshcompletion_DATA = %D%/completions/_cargo-cprof
nodist_fishcompletion_DATA = %D%/completions/cargo-cprof.fish
completions = $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) $(nodist_fishcompletion_DATA)
CLEANFILES += $(completions)
make_completions = $(AM_V_GEN)$(MKDIR_P) $(@D) && $(EMULATOR) ./cargo-cprof$(EXEEXT) completions
%D%/completions/cargo-cprof: cargo-cprof$(EXEEXT)
	$(make_completions) bash >$@.tmp && mv $@.tmp $@
%D%/completions/_cargo-cprof: cargo-cprof$(EXEEXT)
	$(make_completions) zsh >$@.tmp && mv $@.tmp $@
%D%/completions/cargo-cprof.fish: cargo-cprof$(EXEEXT)
	$(make_completions) fish >$@.tmp && mv $@.tmp $@
