//! An executor in a few lines: it polls all tasks in turn until each is ready.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};

struct Idle;

impl Wake for Idle {
    fn wake(self: Arc<Self>) {}
}

/// Polls the futures until all are ready.
pub fn run<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let waker = Arc::new(Idle).into();
    let mut context = Context::from_waker(&waker);
    let mut waiting: Vec<Pin<Box<F>>> = futures.map(Box::pin).collect();
    let mut results = Vec::new();

    while !waiting.is_empty() {
        waiting.retain_mut(|future| match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => {
                results.push(value);
                false
            }
            Poll::Pending => true,
        });
    }
    results
}

struct GiveWay(bool);

impl Future for GiveWay {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        Poll::Pending
    }
}

/// Lets the others have their turn.
pub fn give_way() -> impl Future<Output = ()> {
    GiveWay(false)
}
