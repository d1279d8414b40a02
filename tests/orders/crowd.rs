//! crowd.rs - threads of std in one of several CASEs, as crowd.c has them of pthread: how they meet,
//! and what depends on who comes first.
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Barrier, Mutex, RwLock};
use std::thread;

const THREADS: usize = 4;
const ROUNDS: usize = 2000;
static LOOPS_OF: [u64; THREADS] = [LOOPS];

struct Shared {
    taken: Mutex<Vec<usize>>,
    given: AtomicUsize,
    barrier: Barrier,
    table: RwLock<u64>,
    sender: SyncSender<usize>,
    receiver: Mutex<Receiver<usize>>,
}

#[inline(never)]
fn work(times: u64) -> u64 {
    (0..times).fold(times, |x, _| black_box(x.wrapping_mul(1664525).wrapping_add(1013904223)))
}

/// Work that depends on who came before.
fn note(taken: &mut Vec<usize>, who: usize) {
    let alone = taken.last() == Some(&who);
    taken.push(who);
    work(if alone { 20 } else { 20 + who as u64 * 2 });
}

fn round_of(shared: &Shared, who: usize, i: usize) {
    match CASE {
        "mutex" => {
            note(&mut shared.taken.lock().unwrap(), who);
            if i % 16 == 0 {
                thread::yield_now();
            }
            work(60);
        }
        "channel" if who % 2 == 1 => shared.sender.send(i).unwrap(),
        "channel" => {
            let item = shared.receiver.lock().unwrap().recv().unwrap();
            work(40 + item as u64 % 7);
        }
        "barrier" => {
            work(50 * (who as u64 + 1));
            if i % 10 == 0 {
                shared.barrier.wait();
            }
        }
        "rwlock" => {
            if i % 8 == who {
                *shared.table.write().unwrap() += work(30);
            } else {
                black_box(*shared.table.read().unwrap() ^ work(30));
            }
            if i % 32 == 0 {
                thread::yield_now();
            }
        }
        _ => {
            work(100);
        }
    }
}

fn run(shared: &Shared, who: usize) {
    work(black_box(LOOPS_OF[who]));
    if CASE == "pool" {
        loop {
            let job = shared.given.fetch_add(1, Ordering::Relaxed);
            if job >= THREADS * ROUNDS {
                break;
            }
            work(50 + (job * (who + 1)) as u64 % 20);
        }
    } else {
        (0..ROUNDS).for_each(|i| round_of(shared, who, i));
    }
}

fn main() {
    let (sender, receiver) = sync_channel(16);
    let shared = Shared {
        taken: Mutex::new(Vec::with_capacity(THREADS * ROUNDS)),
        given: AtomicUsize::new(0),
        barrier: Barrier::new(THREADS),
        table: RwLock::new(0),
        sender,
        receiver: Mutex::new(receiver),
    };
    thread::scope(|scope| {
        for who in 0..THREADS {
            let shared = &shared;
            scope.spawn(move || run(shared, who));
        }
    });
    work(black_box(MORE));
}
