# Tests of tui: the browser, by keys and what the screen then shows.
TESTS += \
	%D%/tui/browse-large.test \
	%D%/tui/browse-many.test \
	%D%/tui/browse-terminal.test \
	%D%/tui/browse.test \
	%D%/tui/memory.test \
	%D%/tui/own.test \
	%D%/tui/ratio.test \
	%D%/tui/sections.test \
	%D%/tui/time.test \
	%D%/tui/views.test
EXTRA_DIST += \
	%D%/tui/browse-large.test \
	%D%/tui/browse-many.test \
	%D%/tui/browse-terminal.test \
	%D%/tui/browse.test \
	%D%/tui/keys.sh \
	%D%/tui/memory.test \
	%D%/tui/own.py \
	%D%/tui/own.test \
	%D%/tui/ratio.test \
	%D%/tui/sections.test \
	%D%/tui/time.test \
	%D%/tui/views.test \
	%D%/tui/profile.sh \
	%D%/tui/tui.sh
