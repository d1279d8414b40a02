# Tests of meta.
