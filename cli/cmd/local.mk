cli_libcli_la_SOURCES += %D%/command.h %D%/command.c %D%/help.c %D%/callgrind.c %D%/cachegrind.c \
	%D%/run_notes.h %D%/run_notes.c %D%/run_show.h %D%/run_show.c %D%/run_background.c %D%/profile_run.h %D%/profile_run.c %D%/compare.h %D%/compare.c %D%/filters.h %D%/filters.c %D%/summary.h %D%/summary.c %D%/diff.c %D%/merge.c %D%/baselines.c %D%/save.h %D%/save.c %D%/load.h %D%/load.c %D%/calls.c %D%/tree.c %D%/annotate.c %D%/sources.h %D%/sources.c %D%/paths.h %D%/paths.c %D%/blame.h %D%/blame.c %D%/choice.h %D%/choice.c %D%/show.h %D%/show.c %D%/side.h %D%/side.c %D%/report.c %D%/browse_profile.h %D%/browse_profile.c %D%/browse.c
cli_libcli_la_SOURCES += %D%/export.c %D%/threshold.h %D%/threshold.c %D%/flame.h %D%/flame.c %D%/flamegraph.c
cli_libcli_la_SOURCES += %D%/doctor.c
cli_libcli_la_SOURCES += %D%/html.h %D%/html.c
cli_libcli_la_SOURCES += %D%/completions.h %D%/completions.c %D%/completions_bash.c %D%/completions_zsh.c %D%/completions_fish.c
