// Threads of std, whose order decides what they do: channels with limits of time, a pool that spins, yields and parks, scopes, and a child.
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn work(n: u64) -> u64 {
    // std::hint::black_box needs Rust 1.66; Debian 12 has 1.63.
    (0..n).fold(n, |x, i| unsafe { std::ptr::read_volatile(&x.wrapping_mul(6364136223846793005).wrapping_add(i)) })
}

fn channels() -> usize {
    let (send, receive) = mpsc::sync_channel(5);
    for who in 0..3u64 {
        let send = send.clone();
        thread::spawn(move || {
            for i in 0..200 {
                work(who * 100 + i);
                send.send(who).unwrap();
                if i % 50 == 0 {
                    thread::sleep(Duration::from_millis(3));
                }
            }
        });
    }
    drop(send);
    let (mut got, mut last) = (0, 9);
    loop {
        match receive.recv_timeout(Duration::from_millis(1)) {
            Ok(who) => {
                work(if who == last { 10 } else { 300 });
                last = who;
                got += 1;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => drop(work(1000)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return got,
        }
    }
}

fn pool() -> usize {
    let (next, sum) = (Arc::new(AtomicUsize::new(0)), Arc::new((Mutex::new(0), Condvar::new())));
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let (next, sum) = (next.clone(), sum.clone());
            thread::spawn(move || loop {
                let i = next.fetch_add(1, Ordering::SeqCst);
                if i >= 50 {
                    break;
                }
                work(i as u64 * 500);
                match i % 3 {
                    0 => (0..20).for_each(|_| std::hint::spin_loop()),
                    1 => thread::yield_now(),
                    _ => thread::park_timeout(Duration::from_micros(100)),
                }
                *sum.0.lock().unwrap() += i;
                sum.1.notify_one();
            })
        })
        .collect();
    let (lock, changed) = (&sum.0, &sum.1);
    let all = changed.wait_while(lock.lock().unwrap(), |s| *s < 1225).unwrap();
    let result = *all;
    drop(all);
    workers.into_iter().for_each(|w| w.join().unwrap());
    result
}

fn scopes() -> usize {
    let began = Instant::now();
    thread::scope(|s| {
        for n in 0..3 {
            s.spawn(move || work(began.elapsed().as_nanos() as u64 % 1000 + n));
        }
    });
    let outputs: Vec<_> = (0..3).map(|i| thread::spawn(move || Command::new("/bin/echo").arg(i.to_string()).output().unwrap())).collect();
    outputs.into_iter().filter(|_| true).map(|o| o.join().unwrap().status.success() as usize).sum()
}

fn main() {
    println!("{} {} {}", channels(), pool(), scopes());
}
