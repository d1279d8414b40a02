# Tests of the crates that name sections, and of programs that use them.
rust_tests = \
	%D%/rust/crate.test \
	%D%/rust/sections.test \
	%D%/rust/views.test
TESTS += $(rust_tests)
EXTRA_DIST += \
	%D%/rust/shapes.rs \
	$(rust_tests)
