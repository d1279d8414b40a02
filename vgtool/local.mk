# The Valgrind tool. It is linked statically against Valgrind's core at Valgrind's load address, has no libc and never sees config.h
# (Valgrind's headers bring one of their own).
cprof_tool = cprof-$(VG_ARCH)-$(VG_OS)
pkglibexec_PROGRAMS += %D%/cprof-@VG_ARCH@-@VG_OS@
%C%_cprof_@VG_ARCH@_@VG_OS@_SOURCES = \
	%D%/cp_allocator.c \
	%D%/cp_allocator.h \
	%D%/cp_arch.c \
	%D%/cp_arch.h \
	%D%/cp_argument.c \
	%D%/cp_argument.h \
	%D%/cp_block.c \
	%D%/cp_block.h \
	%D%/cp_blocking.c \
	%D%/cp_blocking.h \
	%D%/cp_branch.c \
	%D%/cp_branch.h \
	%D%/cp_cache.c \
	%D%/cp_cache.h \
	%D%/cp_child.c \
	%D%/cp_child.h \
	%D%/cp_clock.c \
	%D%/cp_clock.h \
	%D%/cp_context.c \
	%D%/cp_context.h \
	%D%/cp_core.c \
	%D%/cp_core.h \
	%D%/cp_curve.c \
	%D%/cp_curve.h \
	%D%/cp_data.c \
	%D%/cp_data.h \
	%D%/cp_descriptor.c \
	%D%/cp_descriptor.h \
	%D%/cp_distance.c \
	%D%/cp_distance.h \
	%D%/cp_dump.c \
	%D%/cp_dump.h \
	%D%/cp_elf.c \
	%D%/cp_elf.h \
	%D%/cp_engine.c \
	%D%/cp_engine.h \
	%D%/cp_event.c \
	%D%/cp_event.h \
	%D%/cp_fetched.c \
	%D%/cp_fetched.h \
	%D%/cp_fibre.c \
	%D%/cp_fibre.h \
	%D%/cp_filter.c \
	%D%/cp_filter.h \
	%D%/cp_file.c \
	%D%/cp_file.h \
	%D%/cp_fixed.h \
	%D%/cp_fixed_calls.c \
	%D%/cp_fixed_files.c \
	%D%/cp_fixed_names.c \
	%D%/cp_fixed_stack.c \
	%D%/cp_format.h \
	%D%/cp_frame.c \
	%D%/cp_frame.h \
	%D%/cp_function.c \
	%D%/cp_function.h \
	%D%/cp_futex.c \
	%D%/cp_futex.h \
	%D%/cp_hash.c \
	%D%/cp_hash.h \
	%D%/cp_heap.c \
	%D%/cp_heap.h \
	%D%/cp_hidden.c \
	%D%/cp_inclusive.c \
	%D%/cp_inclusive.h \
	%D%/cp_instrument.c \
	%D%/cp_instrument.h \
	%D%/cp_ir.h \
	%D%/cp_kept_names.c \
	%D%/cp_kept_names.h \
	%D%/cp_l1.c \
	%D%/cp_l1.h \
	%D%/cp_leap.c \
	%D%/cp_leap.h \
	%D%/cp_lines.c \
	%D%/cp_lines.h \
	%D%/cp_live.c \
	%D%/cp_live.h \
	%D%/cp_ll.c \
	%D%/cp_ll.h \
	%D%/cp_main.c \
	%D%/cp_maps.c \
	%D%/cp_maps.h \
	%D%/cp_misses.c \
	%D%/cp_misses.h \
	%D%/cp_model.c \
	%D%/cp_model.h \
	%D%/cp_names.c \
	%D%/cp_names.h \
	%D%/cp_object.c \
	%D%/cp_object.h \
	%D%/cp_options.c \
	%D%/cp_parked.c \
	%D%/cp_parked.h \
	%D%/cp_pending.c \
	%D%/cp_pending.h \
	%D%/cp_patched.c \
	%D%/cp_patched.h \
	%D%/cp_place.c \
	%D%/cp_place.h \
	%D%/cp_pieces.c \
	%D%/cp_pieces.h \
	%D%/cp_progress.c \
	%D%/cp_progress.h \
	%D%/cp_random.c \
	%D%/cp_random.h \
	%D%/cp_request.c \
	%D%/cp_request.h \
	%D%/cp_role.c \
	%D%/cp_role.h \
	%D%/cp_schedule.c \
	%D%/cp_schedule.h \
	%D%/cp_section.c \
	%D%/cp_section.h \
	%D%/cp_sent.c \
	%D%/cp_sent.h \
	%D%/cp_set.h \
	%D%/cp_stack.c \
	%D%/cp_stack.h \
	%D%/cp_syscall.c \
	%D%/cp_syscall.h \
	%D%/cp_thread.c \
	%D%/cp_thread.h \
	%D%/cp_timer.c \
	%D%/cp_timer.h \
	%D%/cp_timer_file.c \
	%D%/cp_timer_made.c \
	%D%/cp_timer_own.c \
	%D%/cp_tool.h \
	%D%/cp_turn.c \
	%D%/cp_turn.h \
	%D%/cp_vfork.c \
	%D%/cp_vfork.h \
	%D%/cp_wait.c \
	%D%/cp_wait.h
# Copies call the tool's code while upper halves of vectors are the program's, which instructions of AVX would change.
if ARM64
without_avx =
%C%_cprof_@VG_ARCH@_@VG_OS@_SOURCES += %D%/cp_arm64.c %D%/cp_arm64.h
else
without_avx = -mno-avx
%C%_cprof_@VG_ARCH@_@VG_OS@_SOURCES += %D%/cp_amd64.c %D%/cp_amd64.h \
	%D%/cp_accesses.c \
	%D%/cp_accesses.h \
	%D%/cp_assembler.h \
	%D%/cp_decode.c \
	%D%/cp_decode.h \
	%D%/cp_near.h \
	%D%/cp_near_arrive.c \
	%D%/cp_near_branch.c \
	%D%/cp_near_cache.c \
	%D%/cp_near_call.c \
	%D%/cp_near_copy.c \
	%D%/cp_near_count.c \
	%D%/cp_near_count.h \
	%D%/cp_near_data.c \
	%D%/cp_near_end.c \
	%D%/cp_near_fault.c \
	%D%/cp_near_fetch.c \
	%D%/cp_near_found.c \
	%D%/cp_near_free.c \
	%D%/cp_near_help.c \
	%D%/cp_near_hold.c \
	%D%/cp_near_jump.c \
	%D%/cp_near_known.c \
	%D%/cp_near_lines.c \
	%D%/cp_near_model.c \
	%D%/cp_near_made.c \
	%D%/cp_near_marks.c \
	%D%/cp_near_place.c \
	%D%/cp_near_plain.c \
	%D%/cp_near_quick.c \
	%D%/cp_near_registers.c \
	%D%/cp_near_routines.c \
	%D%/cp_near_spill.c \
	%D%/cp_near_state.c \
	%D%/cp_near_tail.c \
	%D%/cp_near_translate.c \
	%D%/cp_near_unknown.c \
	%D%/cp_near_vectors.c \
	%D%/cp_near_wide.c \
	%D%/cp_near_x87.c \
	%D%/cp_opcodes.c \
	%D%/cp_opcodes.h
endif
%C%_cprof_@VG_ARCH@_@VG_OS@_CPPFLAGS = $(VALGRIND_CFLAGS) -DVGA_@VG_ARCH@=1 -DVGO_@VG_OS@=1 \
	-DVGP_@VG_ARCH@_@VG_OS@=1 $(VG_CORE_DEFS) -DCPROF_VERSION='"$(VERSION)"' -DCPROF_VG_VERSION='"$(VG_VERSION)"'
%C%_cprof_@VG_ARCH@_@VG_OS@_CFLAGS = -std=gnu11 -O2 -g $(TOOL_CFLAGS) \
	-fno-strict-aliasing -fno-builtin -fno-stack-protector -fomit-frame-pointer -fno-pic
# valgrind.m4 finds what differs between Valgrinds; cp_core.c says which functions are replaced, and why.
%C%_cprof_@VG_ARCH@_@VG_OS@_LDFLAGS = -static -nodefaultlibs -nostartfiles -u _start \
	-Wl,-Ttext-segment=$(VG_LOAD_ADDRESS) -Wl,--build-id=none $(VG_CORE_WRAPS)
%C%_cprof_@VG_ARCH@_@VG_OS@_LDADD = $(VALGRIND_LIBS)
%C%_cprof_@VG_ARCH@_@VG_OS@_LINK = $(CCLD) $(%C%_cprof_@VG_ARCH@_@VG_OS@_CFLAGS) \
	$(%C%_cprof_@VG_ARCH@_@VG_OS@_LDFLAGS) -o $@

# The user's CFLAGS, which packagers fill, come last in a compile. The tool has no runtime for some of what they ask for.
$(%C%_cprof_@VG_ARCH@_@VG_OS@_OBJECTS): override CFLAGS += -fno-stack-protector -fno-sanitize=all -fno-lto -fno-pic $(without_avx)
# Copies call these while vectors are the program's.
quick = cp_fetched cp_hidden cp_l1 cp_near_quick cp_parked cp_pending
$(quick:%=%D%/cprof_@VG_ARCH@_@VG_OS@-%.$(OBJEXT)): override CFLAGS += -mgeneral-regs-only

# VALGRIND_LIB must hold the tool and Valgrind's preload library. tool_dir is such a folder for use without installation. The parts of
# Valgrind are copies: the tool is of one version, and they must stay of the same one when Valgrind is upgraded.
tool_dir = %D%/in-place
vg_companions = vgpreload_core-$(VG_ARCH)-$(VG_OS).so default.supp
all-local: $(tool_dir)/.stamp
$(tool_dir)/.stamp: %D%/$(cprof_tool)$(EXEEXT) cli/cprof-launch$(EXEEXT)
	$(AM_V_GEN)mkdir -p $(tool_dir) && \
	ln -sf ../$(cprof_tool) ../../cli/cprof-launch $(tool_dir)/ && \
	for f in $(vg_companions); do cp --remove-destination "$(VG_LIBEXEC)/$$f" $(tool_dir)/ || exit 1; done && touch $@
install-exec-hook:
	for f in $(vg_companions); do $(INSTALL_DATA) "$(VG_LIBEXEC)/$$f" "$(DESTDIR)$(pkglibexecdir)/$$f" || exit 1; done
uninstall-hook:
	for f in $(vg_companions); do rm -f "$(DESTDIR)$(pkglibexecdir)/$$f"; done
	-rmdir "$(DESTDIR)$(pkglibexecdir)"
EXTRA_DIST += %D%/valgrind.m4
clean-local:
	rm -rf $(tool_dir)
