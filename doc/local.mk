EXTRA_DIST += %D%/format.md %D%/performance.md %D%/profile.schema.json %D%/named.md %D%/diff.schema.json
