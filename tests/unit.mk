# Unit tests of the program: tests/unit/ROOM-TOPIC.c, where a room is a folder of cli/. Those of the library are in parser.mk.
unit_tests = \
	%D%/unit/annotate-lines \
	%D%/unit/base-files \
	%D%/unit/base-sort \
	%D%/unit/base-text \
	%D%/unit/bench-document \
	%D%/unit/bench-names \
	%D%/unit/bench-output \
	%D%/unit/calls-graph \
	%D%/unit/derive-startup \
	%D%/unit/derive-threads \
	%D%/unit/diff-gate \
	%D%/unit/diff-pace \
	%D%/unit/diff-rows \
	%D%/unit/names-brackets \
	%D%/unit/names-cplusplus-name \
	%D%/unit/names-crates \
	%D%/unit/names-demangle \
	%D%/unit/names-forms \
	%D%/unit/names-libc \
	%D%/unit/names-normalise \
	%D%/unit/names-ownership \
	%D%/unit/names-purpose \
	%D%/unit/names-rust-name \
	%D%/unit/paths-flame \
	%D%/unit/paths-line-callers \
	%D%/unit/paths-startup \
	%D%/unit/paths-tree \
	%D%/unit/render-table-data \
	%D%/unit/render-table-text \
	%D%/unit/render-markdown \
	%D%/unit/render-noise-table \
	%D%/unit/render-palette \
	%D%/unit/render-protobuf \
	%D%/unit/render-table \
	%D%/unit/render-text \
	%D%/unit/resolve-costs \
	%D%/unit/run-avx512 \
	%D%/unit/run-geometry \
	%D%/unit/source-allocation \
	%D%/unit/source-file \
	%D%/unit/source-tokens \
	%D%/unit/scale-growth \
	%D%/unit/symbols-code-hash \
	%D%/unit/symbols-intervals \
	%D%/unit/symbols-line-reader \
	%D%/unit/symbols-stubs \
	%D%/unit/table-groups \
	%D%/unit/table-rows \
	%D%/unit/table-share
# Programs that scripts run.
unit_programs = \
	%D%/unit/calls-sound \
	%D%/unit/names-keys \
	%D%/unit/render-export \
	%D%/unit/resolve-blocks \
	%D%/unit/resolve-inlines \
	%D%/unit/symbols-chains \
	%D%/unit/symbols-mutations \
	%D%/unit/symbols-names \
	%D%/unit/symbols-types
check_PROGRAMS += $(unit_tests) $(unit_programs)
TESTS += $(unit_tests)
EXTRA_DIST += %D%/unit/fixture.h
%C%_unit_annotate_lines_LDADD = $(cli_libraries)
%C%_unit_base_files_LDADD = $(cli_libraries)
%C%_unit_base_sort_LDADD = $(cli_libraries)
%C%_unit_base_text_LDADD = $(cli_libraries)
%C%_unit_bench_document_LDADD = $(cli_libraries)
%C%_unit_bench_document_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_unit_bench_names_LDADD = $(cli_libraries)
%C%_unit_bench_output_LDADD = $(cli_libraries)
%C%_unit_bench_output_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_unit_calls_graph_LDADD = $(cli_libraries)
%C%_unit_derive_startup_LDADD = $(cli_libraries)
%C%_unit_derive_threads_LDADD = $(cli_libraries)
%C%_unit_diff_gate_LDADD = $(cli_libraries)
%C%_unit_diff_pace_LDADD = $(cli_libraries)
%C%_unit_diff_rows_LDADD = $(cli_libraries)
%C%_unit_names_brackets_LDADD = $(cli_libraries)
%C%_unit_calls_sound_LDADD = $(cli_libraries)
%C%_unit_names_cplusplus_name_LDADD = $(cli_libraries)
%C%_unit_names_crates_LDADD = $(cli_libraries)
%C%_unit_names_crates_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_unit_names_ownership_LDADD = $(cli_libraries)
%C%_unit_names_ownership_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_unit_names_demangle_LDADD = $(cli_libraries)
%C%_unit_names_forms_LDADD = $(cli_libraries)
%C%_unit_names_keys_LDADD = $(cli_libraries)
%C%_unit_names_libc_LDADD = $(cli_libraries)
%C%_unit_names_normalise_LDADD = $(cli_libraries)
%C%_unit_names_purpose_LDADD = $(cli_libraries)
%C%_unit_names_rust_name_LDADD = $(cli_libraries)
%C%_unit_paths_flame_LDADD = $(cli_libraries)
%C%_unit_paths_line_callers_LDADD = $(cli_libraries)
%C%_unit_paths_startup_LDADD = $(cli_libraries)
%C%_unit_paths_tree_LDADD = $(cli_libraries)
%C%_unit_render_export_LDADD = $(cli_libraries)
%C%_unit_render_table_data_LDADD = $(cli_libraries)
%C%_unit_render_table_data_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_unit_render_table_text_LDADD = $(cli_libraries)
%C%_unit_render_markdown_LDADD = $(cli_libraries)
%C%_unit_render_noise_table_LDADD = $(cli_libraries)
%C%_unit_render_palette_LDADD = $(cli_libraries)
%C%_unit_render_protobuf_LDADD = $(cli_libraries)
%C%_unit_render_table_LDADD = $(cli_libraries)
%C%_unit_render_text_LDADD = $(cli_libraries)
%C%_unit_resolve_costs_LDADD = $(cli_libraries)
%C%_unit_resolve_inlines_LDADD = $(cli_libraries)
%C%_unit_resolve_blocks_LDADD = $(cli_libraries)
%C%_unit_run_avx512_LDADD = $(cli_libraries)
%C%_unit_run_geometry_LDADD = $(cli_libraries)
%C%_unit_source_allocation_LDADD = $(cli_libraries)
%C%_unit_source_file_LDADD = $(cli_libraries)
%C%_unit_source_tokens_LDADD = $(cli_libraries)
%C%_unit_scale_growth_LDADD = $(cli_libraries)
%C%_unit_symbols_chains_LDADD = $(cli_libraries)
%C%_unit_symbols_chains_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_symbols_types_LDADD = $(cli_libraries)
%C%_unit_symbols_types_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_symbols_code_hash_LDADD = $(cli_libraries)
%C%_unit_symbols_code_hash_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_symbols_intervals_LDADD = $(cli_libraries)
%C%_unit_symbols_line_reader_LDADD = $(cli_libraries)
%C%_unit_symbols_mutations_LDADD = $(cli_libraries)
%C%_unit_symbols_mutations_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_symbols_names_LDADD = $(cli_libraries)
%C%_unit_symbols_stubs_LDADD = $(cli_libraries)
%C%_unit_symbols_stubs_CPPFLAGS = $(AM_CPPFLAGS) $(ELFUTILS_CFLAGS)
%C%_unit_table_groups_LDADD = $(cli_libraries)
%C%_unit_table_rows_LDADD = $(cli_libraries)
%C%_unit_table_share_LDADD = $(cli_libraries)
