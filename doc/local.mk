EXTRA_DIST += %D%/format.md
