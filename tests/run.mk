# Tests of run.
