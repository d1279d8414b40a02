//! Functions of any shape compile with the attribute, and do what they did.
#![forbid(unsafe_code)]
#![deny(warnings)]

use cprof_macros::profile;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A number that reads itself.
struct Reader<'a> {
    text: &'a str,
    n: usize,
}

impl<'a> Reader<'a> {
    #[profile]
    fn new(text: &'a str) -> Self {
        Self { text, n: 0 }
    }

    #[profile("Reader::fill")]
    pub fn fill(&mut self, by: usize) -> Option<&'a str> {
        if by == 0 {
            return None;
        }
        self.n += by;
        self.text.get(..self.n)
    }

    #[profile("Reader::wait")]
    async fn wait(&mut self, by: usize) -> Result<usize, std::num::ParseIntError> {
        Yield(false).await;
        self.n += by;
        let n: usize = self.text[..self.n].parse()?;
        if n == 7 {
            return Ok(70);
        }
        Ok(n)
    }
}

trait Area {
    fn area(&self) -> u32;
    #[profile]
    fn twice(&self) -> u32 {
        2 * self.area()
    }
}

impl Area for u32 {
    #[profile]
    #[inline(never)]
    fn area(&self) -> u32 {
        *self
    }
}

#[profile]
fn largest<T: PartialOrd + Copy, const N: usize, F>(all: [T; N], f: F) -> T
where
    F: Fn(T) -> T,
{
    let mut best = f(all[0]);
    for &one in &all {
        let one = f(one);
        if one > best {
            best = one;
        }
    }
    best
}

#[profile]
pub(crate) extern "C" fn r#final(_: u8) {}

#[profile]
fn parse(text: &str) -> Result<i32, Box<dyn std::error::Error>> {
    let n: i32 = text.parse()?;
    Ok(n)
}

#[profile]
fn returns_closure(by: i32) -> impl Fn(i32) -> i32 {
    move |n| n + by
}

#[profile]
async fn converts(text: String) -> Result<i32, Box<dyn std::error::Error>> {
    Yield(false).await;
    let n: i32 = text.parse()?;
    Ok(n)
}

#[profile]
async fn returns_iterator(n: u32) -> impl Iterator<Item = u32> {
    Yield(false).await;
    0..n
}

#[profile]
async fn nothing() {
    Yield(false).await;
}

/// Is ready when it is polled the second time.
struct Yield(bool);

impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Polls until the future is ready. Counts the polls.
fn block_on<F: Future>(f: F) -> (F::Output, usize) {
    struct Quiet;
    impl std::task::Wake for Quiet {
        fn wake(self: std::sync::Arc<Self>) {}
    }
    let waker = std::sync::Arc::new(Quiet).into();
    let mut f = Box::pin(f);
    for n in 1.. {
        if let Poll::Ready(value) = f.as_mut().poll(&mut Context::from_waker(&waker)) {
            return (value, n);
        }
    }
    unreachable!()
}

#[test]
fn functions() {
    let mut reader = Reader::new("123");
    assert_eq!(reader.fill(0), None);
    assert_eq!(reader.fill(2), Some("12"));
    assert_eq!(5.twice(), 10);
    assert_eq!(largest([1, 5, 2], |n| -n), -1);
    r#final(1);
    assert_eq!(parse("12").unwrap(), 12);
    assert!(parse("x").is_err());
    assert_eq!(returns_closure(2)(3), 5);
}

#[test]
fn futures() {
    assert_eq!(block_on(Reader::new("123").wait(2)), (Ok(12), 2));
    assert_eq!(block_on(Reader::new("7").wait(1)), (Ok(70), 2));
    assert_eq!(block_on(converts("12".into())).0.unwrap(), 12);
    assert!(block_on(converts("x".into())).0.is_err());
    assert_eq!(block_on(returns_iterator(4)).0.count(), 4);
    assert_eq!(block_on(nothing()), ((), 2));
    drop(nothing());
}

#[test]
fn macros() {
    fn early(n: i32) -> Result<i32, std::num::ParseIntError> {
        let value = cprof::section!("early", {
            if n == 0 {
                return Ok(-1);
            }
            "7".parse::<i32>()?
        });
        for i in 0..3 {
            cprof::section!(
                "loop",
                if i == n {
                    break;
                }
            );
        }
        cprof::event!("values", value);
        Ok(value)
    }
    #[allow(dead_code)] // without the feature nothing uses it
    const NAME: &str = "named";

    assert_eq!((early(0), early(1)), (Ok(-1), Ok(7)));
    cprof::start!(NAME);
    cprof::stop!(NAME);
    let guard: cprof::Section = cprof::section!(concat!(module_path!(), "::macros"));
    drop(guard);
}
