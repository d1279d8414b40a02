# Tests of parser.
