# Tests of tool.
