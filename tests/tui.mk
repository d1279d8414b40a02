# Tests of tui: the browser, by keys and what the screen then shows.
TESTS += %D%/tui/browse.test
EXTRA_DIST += %D%/tui/tui.sh %D%/tui/browse.test
