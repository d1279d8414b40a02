EXTRA_DIST += %D%/exports.md %D%/flamegraph.svg %D%/report.png %D%/format.md %D%/performance.md %D%/profile.schema.json %D%/named.md %D%/diff.schema.json %D%/example.c
dist_man_MANS = %D%/cprof.3
