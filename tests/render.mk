# Tests of renderings: JSON, pages, flame graphs, exports, and the readers that others have for them.
render_scripts = \
	%D%/cli/export-firefox.test \
	%D%/cli/export-inclusive.test \
	%D%/cli/export-readers.test \
	%D%/cli/export.test \
	%D%/cli/flamegraph-browser.test \
	%D%/cli/flamegraph.test \
	%D%/cli/foreign-text.test \
	%D%/cli/golden.test \
	%D%/cli/hostile.test \
	%D%/cli/html-browser.test \
	%D%/cli/html.test \
	%D%/cli/schemas.test \
	%D%/pages.test
TESTS += $(render_scripts)
EXTRA_DIST += \
	%D%/browsers.py \
	%D%/browsers.sh \
	%D%/cli/profile.proto \
	%D%/data/firefox.schema.json \
	%D%/data/golden \
	%D%/export.sh \
	%D%/export_inclusive.py \
	%D%/firefox-loader.mjs \
	%D%/firefox.py \
	%D%/flame.py \
	%D%/foreign_text.py \
	%D%/marionette.py \
	%D%/pages/flamegraph.test.js \
	%D%/pages/load.js \
	%D%/pages/print.test.js \
	%D%/pages/highlight.test.js \
	%D%/pages/report.test.js \
	%D%/schema.py \
	%D%/schema.sh \
	%D%/webdriver.py \
	$(render_scripts)
