# cargo-cprof in a container, with cargo: in the folder of a package
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/project" cargo-cprof callgrind --release
# Each stage is a script, which tests/package runs without a container's engine, too.
ARG DEBIAN=bookworm

FROM debian:${DEBIAN}-slim AS build
COPY . /src/cargo-cprof
RUN /src/cargo-cprof/container/build /archive

FROM debian:${DEBIAN}-slim
# libc6-dbg has the names of libc's functions, binutils the disassembler for --asm. Where cargo is in the image already, leave it out.
ARG PACKAGES="cargo libc6-dbg binutils"
RUN --mount=type=bind,from=build,source=/archive,target=/archive \
    --mount=type=bind,source=container,target=/container \
    /container/run-stage /archive/cargo-cprof-*-linux.tar.xz ${PACKAGES}
# For users whom the container does not know: what cargo and cargo-cprof keep needs a place that anyone may write to.
ENV HOME=/tmp CARGO_HOME=/tmp/cargo
WORKDIR /project
ENTRYPOINT ["cargo-cprof"]
