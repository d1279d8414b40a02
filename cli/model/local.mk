cli_libcli_la_SOURCES += %D%/line_reader.h %D%/line_reader.c %D%/namer.h %D%/namer.c %D%/resolve.h %D%/resolve.c %D%/merge.h %D%/merge.c %D%/copy.h %D%/copy.c %D%/alternate.h %D%/alternate.c %D%/binary.h %D%/binary.c \
	%D%/unnamed.h %D%/unnamed.c %D%/unwind.h %D%/unwind.c %D%/symbols.h %D%/symbols.c %D%/debug.h %D%/debug_private.h %D%/debug.c %D%/debug_dies.c %D%/debug_functions.c %D%/chains.h %D%/chains.c %D%/rust_name.h %D%/rust_name.c %D%/names.h %D%/names.c %D%/alike.h %D%/alike.c %D%/fold.h %D%/fold.c %D%/resolver.h %D%/resolve_paths.c %D%/resolve_costs.c %D%/resolve_inclusive.c %D%/intervals.h %D%/intervals.c \
	%D%/demangle.h %D%/demangle.c %D%/graph.h %D%/graph.c %D%/cycles.h %D%/cycles.c %D%/calls.h %D%/calls.c %D%/tree.h %D%/tree.c %D%/shallow.h %D%/shallow.c %D%/below.h %D%/below.c %D%/find.h %D%/find.c %D%/columns.h %D%/columns.c %D%/rows.h %D%/rows.c \
	%D%/diff.h %D%/diff.c %D%/diff_lines.c %D%/noise.h %D%/noise.c %D%/noise_file.c %D%/gate.h %D%/gate.c %D%/normal.h %D%/normal.c %D%/normal_file.c %D%/threads.h %D%/threads.c %D%/location.h %D%/location.c
cli_libcli_la_SOURCES += %D%/name_ids.h %D%/name_ids.c %D%/flame.h %D%/flame.c %D%/flame_build.h %D%/flame_reversed.c \
	%D%/flame_groups.h %D%/flame_groups.c %D%/edges.h %D%/edges.c
cli_libcli_la_SOURCES += %D%/annotation.h %D%/annotation.c %D%/annotation_regions.c %D%/source.h %D%/source.c %D%/source_path.h %D%/source_path.c \
	%D%/disassembly.h %D%/disassembly.c %D%/prospect.h %D%/prospect.c
cli_libcli_la_SOURCES += %D%/folds.h %D%/folds.c %D%/groups.h %D%/groups.c %D%/group_keys.h %D%/group_keys.c \
	%D%/group_costs.h %D%/group_costs.c %D%/blame.h %D%/blame.c %D%/crate_path.h %D%/crate_path.c %D%/crates.h %D%/crates.c
cli_libcli_la_SOURCES += %D%/name_quality.h
