EXTRA_DIST += %D%/format.md %D%/performance.md %D%/profile.schema.json %D%/example.c
dist_man_MANS = %D%/cprof.3
