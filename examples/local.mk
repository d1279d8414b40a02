# Programs to try cargo-cprof on.
EXTRA_DIST += \
	%D%/nnet/Cargo.lock \
	%D%/nnet/Cargo.toml \
	%D%/nnet/src/data.rs \
	%D%/nnet/src/main.rs \
	%D%/nnet/src/matrix.rs \
	%D%/nnet/src/net.rs
