# The archive for any Linux on this processor: what is installed, linked with no library but libc, in one folder that works anywhere.
archive_name = $(PACKAGE)-$(VERSION)-$(ARCHIVE_PROCESSOR)-linux
archive_file = $(archive_name).tar.xz
EXTRA_DIST += %D%/install %D%/make-archive %D%/README.in
CLEANFILES += %D%/cargo-cprof %D%/linked $(archive_name).tar.xz

# `linked` is the list of all that the linker read.
%D%/cargo-cprof: cargo-cprof$(EXEEXT)
	@if test -n "$(ARCHIVE_MISSING)"; then echo "no archive can be made here: $(ARCHIVE_MISSING)" >&2; exit 1; fi
	$(AM_V_CCLD)$(MKDIR_P) %D% && $(CC) $(CFLAGS) $(LDFLAGS) -o $@.tmp cli/main.$(OBJEXT) cli/libcli.a $(parser_archive) \
	  -Wl,-Bstatic $(ARCHIVE_LIBS) -Wl,-Bdynamic -lm -Wl,-t >%D%/linked && mv $@.tmp $@

dist-binary: %D%/cargo-cprof all-am
	$(AM_V_GEN)$(srcdir)/%D%/make-archive $(srcdir) . %D%/$(archive_name) $(archive_file)

# Built twice, in two folders of different depth, it must be the same. What configure was given says for which processor.
dist-binary-check: dist-binary
	rm -rf %D%/again && mkdir -p %D%/again/build && source=`cd $(srcdir) && pwd` && \
	arguments=`./config.status --config` && \
	(cd %D%/again/build && eval "set -- $$arguments" && "$$source/configure" -q "$$@" CFLAGS='$(CFLAGS)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' CC='$(CC)' --prefix='$(prefix)' && \
	$(MAKE) $(AM_MAKEFLAGS) dist-binary) && \
	cmp $(archive_file) %D%/again/build/$(archive_file) && rm -rf %D%/again && echo "$(archive_file): twice the same bytes"
clean-local: clean-archive
clean-archive:
	rm -rf %D%/$(archive_name) %D%/again
.PHONY: dist-binary dist-binary-check clean-archive
