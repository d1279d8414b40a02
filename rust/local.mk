# What programs are marked with: crates for Rust, a header for C. They are under licences of their own.
include_HEADERS += %D%/c/cprof-sections.h
EXTRA_DIST += \
	%D%/Cargo.toml \
	%D%/LICENSE-APACHE \
	%D%/LICENSE-MIT \
	%D%/cprof/Cargo.toml \
	%D%/cprof/src/lib.rs \
	%D%/cprof/src/log.rs \
	%D%/cprof/src/off.rs \
	%D%/cprof/src/on.rs \
	%D%/cprof/tests/functions.rs \
	%D%/cprof_macros/Cargo.toml \
	%D%/cprof_macros/src/lib.rs
