//! Requests to the profiler. Each is a sequence of instructions that changes nothing, but that
//! Valgrind knows; an array of six words says what is asked.

use crate::{log, Section};
use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

/// The tool's own space of requests. doc/format.md of cargo-cprof describes them.
const BASE: usize = (b'C' as usize) << 24 | (b'P' as usize) << 16;
const BEGIN: usize = BASE;
const END: usize = BASE + 1;
const EVENT: usize = BASE + 2;
const RESUME: usize = BASE + 3;
const PAUSE: usize = BASE + 4;
const FINISH: usize = BASE + 5;

/// Stands before each name, so that names of sections are found in the file of the program, too.
const MARK: [u8; 16] = *b"\x7fcprof section:\0";
const MARK_EVENT: [u8; 16] = *b"\x7fcprof event:  \0";

/// A name as it lies in the program.
#[repr(C)]
pub struct Name<const N: usize> {
    mark: [u8; 16],
    bytes: [u8; N],
    end: u8,
}

impl<const N: usize> Name<N> {
    const fn new(name: &str, mark: [u8; 16]) -> Self {
        let mut bytes = [0; N];
        let mut i = 0;
        while i < N {
            bytes[i] = name.as_bytes()[i];
            i += 1;
        }
        Self {
            mark,
            bytes,
            end: 0,
        }
    }

    /// The name of a section; `name` has N bytes.
    pub const fn section(name: &str) -> Self {
        Self::new(name, MARK)
    }

    /// The name of an event; `name` has N bytes.
    pub const fn event(name: &str) -> Self {
        Self::new(name, MARK_EVENT)
    }
}

/// A request whose words are all known before the program runs.
#[repr(C)]
struct Request {
    code: usize,
    name: *const u8,
    length: usize,
    unused: [usize; 3],
}

/// The requests of one place in the program.
pub struct Label {
    begin: Request,
    end: Request,
}

// The pointers lead to constants.
unsafe impl Sync for Label {}

impl Label {
    /// Those of the section, or the event, that is called so.
    pub const fn new<const N: usize>(name: &'static Name<N>) -> Self {
        let name = &name.bytes as *const u8;
        Self {
            begin: Request {
                code: BEGIN,
                name,
                length: N,
                unused: [0; 3],
            },
            end: Request {
                code: END,
                name,
                length: N,
                unused: [0; 3],
            },
        }
    }
}

/// Asks, and returns the answer: 0 where nobody listens.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn ask(words: *const usize) -> usize {
    let answer: usize;
    core::arch::asm!(
        "rol rdi, 3",
        "rol rdi, 13",
        "rol rdi, 61",
        "rol rdi, 51",
        "xchg rbx, rbx",
        in("rax") words,
        inout("rdx") 0usize => answer,
        options(nostack),
    );
    answer
}

/// Asks, and returns the answer: 0 where nobody listens.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
unsafe fn ask(words: *const usize) -> usize {
    let answer: usize;
    core::arch::asm!(
        "ror x12, x12, #3",
        "ror x12, x12, #13",
        "ror x12, x12, #51",
        "ror x12, x12, #61",
        "orr x10, x10, x10",
        inout("x3") 0usize => answer,
        in("x4") words,
        options(nostack),
    );
    answer
}

/// Valgrind's own request: whether it runs the program.
const RUNNING: [usize; 6] = [0x1001, 0, 0, 0, 0, 0];

/// Notes the mark of a run at full speed.
#[inline(always)]
fn note(label: &'static Label, kind: u32) {
    let watched = || unsafe { ask(RUNNING.as_ptr()) != 0 };
    unsafe { log::note(watched, label.begin.name, label.begin.length, kind) };
}

/// Begins a section. What notes it stands outside of it.
#[inline(always)]
pub fn start(label: &'static Label) {
    note(label, log::BEGIN);
    unsafe { ask(&label.begin as *const Request as *const usize) };
}

/// Ends it.
#[inline(always)]
pub fn stop(label: &'static Label) {
    unsafe { ask(&label.end as *const Request as *const usize) };
    note(label, log::END);
}

/// Counts an event.
#[inline(always)]
pub fn event(label: &'static Label, n: u64) {
    let words = [
        EVENT,
        label.begin.name as usize,
        label.begin.length,
        n as usize,
        0,
        0,
    ];
    unsafe { ask(words.as_ptr()) };
}

impl Section {
    /// Begins a section, until the guard is dropped.
    #[inline(always)]
    pub fn begin(label: &'static Label) -> Self {
        start(label);
        Self {
            label,
            _thread: PhantomData,
        }
    }
}

impl Drop for Section {
    #[inline(always)]
    fn drop(&mut self) {
        stop(self.label);
    }
}

/// An entry that goes on where the one before it stopped.
struct Entry {
    label: &'static Label,
    id: usize, // the profiler's number; 0: none
}

impl Entry {
    #[inline(always)]
    fn ask(&self, code: usize) -> usize {
        let words = [
            code,
            self.label.begin.name as usize,
            self.label.begin.length,
            self.id,
            0,
            0,
        ];
        unsafe { ask(words.as_ptr()) }
    }
}

impl Drop for Entry {
    #[inline(always)]
    fn drop(&mut self) {
        if self.id != 0 {
            self.ask(FINISH);
        }
    }
}

/// Stops the entry at the end of a poll, also where that panics.
struct Turn<'a>(&'a Entry);

impl Drop for Turn<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.ask(PAUSE);
        note(self.0.label, log::END);
    }
}

/// A future whose polls are one entry of a section.
#[must_use = "futures do nothing unless they are polled"]
pub struct Polls<F> {
    future: F,
    entry: Entry,
}

impl<F> Polls<F> {
    /// Nothing is counted before the first poll.
    #[inline(always)]
    pub fn new(label: &'static Label, future: F) -> Self {
        Self {
            future,
            entry: Entry { label, id: 0 },
        }
    }
}

impl<F: Future> Future for Polls<F> {
    type Output = F::Output;

    #[inline(always)]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // The future stays where it is; nothing else moves it, and the entry may move.
        let this = unsafe { self.get_unchecked_mut() };
        note(this.entry.label, log::BEGIN);
        this.entry.id = this.entry.ask(RESUME);
        let turn = Turn(&this.entry);
        let result = unsafe { Pin::new_unchecked(&mut this.future) }.poll(context);
        drop(turn);
        if result.is_ready() && this.entry.id != 0 {
            this.entry.ask(FINISH);
            this.entry.id = 0;
        }
        result
    }
}

/// The label of a section of this name.
#[doc(hidden)]
#[macro_export]
macro_rules! label {
    ($kind:ident, $name:expr) => {{
        const _: () = $crate::private::check($name);
        static __CPROF_NAME: $crate::private::Name<{ $name.len() }> =
            $crate::private::Name::$kind($name);
        static __CPROF_LABEL: $crate::private::Label = $crate::private::Label::new(&__CPROF_NAME);
        &__CPROF_LABEL
    }};
}

/// Counts a section: `let _guard = section!("name");` until the guard is dropped, and
/// `section!("name", expression)` while the expression is evaluated, whose value it has.
#[macro_export]
macro_rules! section {
    ($name:expr $(,)?) => {
        $crate::Section::begin($crate::label!(section, $name))
    };
    ($name:expr, $body:expr $(,)?) => {{
        let _section = $crate::section!($name);
        let value = $body;
        value
    }};
}

/// Begins a section that [`stop!`] ends, perhaps in another function of the same thread.
#[macro_export]
macro_rules! start {
    ($name:expr $(,)?) => {
        $crate::private::start($crate::label!(section, $name))
    };
}

/// Ends the section of this name that this thread began last.
#[macro_export]
macro_rules! stop {
    ($name:expr $(,)?) => {
        $crate::private::stop($crate::label!(section, $name))
    };
}

/// Adds a number, of any integer type and not negative, to a count of the program's own, which is
/// an event like any other in a profile.
/// The name of an event is a letter and letters, digits, `_` and `-`.
#[macro_export]
macro_rules! event {
    ($name:expr, $n:expr $(,)?) => {
        $crate::private::event($crate::label!(event, $name), $n as u64)
    };
}

/// A future whose polls are one entry of a section: `future!("name", f).await`.
#[macro_export]
macro_rules! future {
    ($name:expr, $future:expr $(,)?) => {
        $crate::private::Polls::new($crate::label!(section, $name), $future)
    };
}
