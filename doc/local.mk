EXTRA_DIST += %D%/exports.md %D%/format.md %D%/performance.md %D%/profile.schema.json
