//! Sections of a program, counted exactly by
//! [cargo-cprof](https://crates.io/crates/cargo-cprof).
//!
//! ```
//! fn load(text: &str) -> usize {
//!     let _parse = cprof::section!("parse"); // until the end of the block
//!     let words = text.split_whitespace().count();
//!     cprof::event!("words", words);
//!     words
//! }
//! let n = cprof::section!("whole", { load("a b c") });
//! assert_eq!(n, 3);
//! ```
//!
//! `cargo cprof callgrind --features cprof/enable` then says how often each section was entered,
//! what it cost in all, and what one entry cost. What [`event!`] counts is a column of its own in
//! each table: `cargo cprof report --view sections --sort words` shows it by sections.
//!
//! `cargo cprof sample --features cprof/enable --section parse` takes samples of a run at full speed,
//! within that section alone.
//!
//! Without the feature `enable`, which is off by default, all macros expand to nothing. With it,
//! a section costs a few instructions where cargo-cprof does not watch. Sections are counted on
//! Linux for x86_64 and aarch64; elsewhere the macros expand to nothing.
//!
//! Sections nest, and each thread has its own. Those of one name are one section. A section ends
//! where its guard is dropped: at the end of the block, by `return`, by `?`, by a panic. A name is
//! a constant of at most 255 bytes, and no byte of it is a control character.
//!
//! The compiler may move computations into a section and out of it, as it may move them across any
//! other code; calls that are not inlined, and accesses to memory that others can see, stay where
//! they are. `core::hint::black_box` holds what has to stay.
#![no_std]
#![deny(missing_docs)]

use core::marker::PhantomData;

#[cfg(all(
    feature = "enable",
    target_os = "linux",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod log;
#[cfg(all(
    feature = "enable",
    target_os = "linux",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod on;

/// A section that is being counted, until this is dropped. It stays in its thread.
///
/// ```compile_fail
/// fn sent(_: impl Send) {}
/// sent(cprof::section!("a"));
/// ```
#[must_use = "the section ends where its guard is dropped, at once: let _guard = section!(...)"]
pub struct Section {
    #[cfg(all(
        feature = "enable",
        target_os = "linux",
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    label: &'static on::Label,
    _thread: PhantomData<*const ()>,
}

impl core::fmt::Debug for Section {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Section")
    }
}

/// What the macros need.
#[doc(hidden)]
pub mod private {
    #[cfg(all(
        feature = "enable",
        target_os = "linux",
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    pub use crate::on::*;

    /// Fails, while the program is compiled, unless the text may be a name.
    pub const fn check(name: &str) {
        let bytes = name.as_bytes();
        let mut i = 0;
        assert!(!bytes.is_empty(), "the name is empty");
        assert!(bytes.len() <= 255, "the name has more than 255 bytes");
        while i < bytes.len() {
            assert!(
                bytes[i] >= b' ' && bytes[i] != 0x7f,
                "the name has a control character"
            );
            i += 1;
        }
    }

    impl crate::Section {
        /// The guard of a section that is not counted.
        #[cfg(not(all(
            feature = "enable",
            target_os = "linux",
            target_pointer_width = "64",
            any(target_arch = "x86_64", target_arch = "aarch64")
        )))]
        #[inline(always)]
        pub const fn nothing() -> Self {
            Self {
                _thread: core::marker::PhantomData,
            }
        }
    }
}

#[cfg(not(all(
    feature = "enable",
    target_os = "linux",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod off;
