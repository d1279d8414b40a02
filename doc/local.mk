EXTRA_DIST += %D%/exports.md %D%/flamegraph.svg %D%/format.md %D%/performance.md %D%/profile.schema.json %D%/named.md %D%/diff.schema.json
