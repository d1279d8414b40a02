EXTRA_DIST += %D%/format.md %D%/profile.schema.json
