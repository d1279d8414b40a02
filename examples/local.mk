# Programs to try cargo-cprof on.
EXTRA_DIST += \
	%D%/benches/Cargo.lock \
	%D%/benches/Cargo.toml \
	%D%/benches/benches/like_criterion.rs \
	%D%/benches/benches/like_divan.rs \
	%D%/benches/benches/plain.rs \
	%D%/benches/criterion/Cargo.toml \
	%D%/benches/criterion/src/bencher.rs \
	%D%/benches/criterion/src/lib.rs \
	%D%/benches/divan/Cargo.toml \
	%D%/benches/divan/src/bench/mod.rs \
	%D%/benches/divan/src/lib.rs \
	%D%/benches/src/lib.rs \
	%D%/nnet/Cargo.lock \
	%D%/nnet/Cargo.toml \
	%D%/nnet/src/data.rs \
	%D%/nnet/src/main.rs \
	%D%/nnet/src/matrix.rs \
	%D%/nnet/src/net.rs
EXTRA_DIST += \
	%D%/sections/Cargo.lock \
	%D%/sections/Cargo.toml \
	%D%/sections/src/executor.rs \
	%D%/sections/src/main.rs
