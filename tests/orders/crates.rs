// Threads of crates: "crates CASE".
use crossbeam_channel::{after, bounded, select, unbounded};
use rayon::prelude::*;
use std::thread::spawn;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{interval, sleep, timeout};

const MS: Duration = Duration::from_millis(1);

fn fibonacci(n: u32) -> u64 {
    if n < 10 {
        return n.into();
    }
    let (a, b) = rayon::join(|| fibonacci(n - 1), || fibonacci(n - 2));
    a + b
}

fn numbers(n: u64) -> Vec<u64> {
    (0..n).map(|i| i.wrapping_mul(0x9e3779b97f4a7c15)).collect()
}

fn rayon_case() {
    let mut list = numbers(100_000);
    let ones: u64 = list.par_iter().map(|x| u64::from(x.count_ones())).sum();
    list.par_sort_unstable();
    println!("{ones} {} {}", list[5], fibonacci(20));
}

// Parallel work within parallel work.
fn rayon_in_rayon() {
    let sums: Vec<u64> = (0..16u64)
        .into_par_iter()
        .map(|k| {
            let mut list = numbers(1000 * (k + 1));
            list.par_sort();
            list.par_iter()
                .fold(|| 0, |a, x| a ^ x)
                .reduce(|| 0, |a, b| a ^ b)
        })
        .collect();
    println!("{:?} {}", sums[3], fibonacci(18));
}

fn crossbeam() {
    let ((send_some, some), (send_all, all)) = (bounded::<u64>(3), unbounded::<u64>());
    let first = spawn(move || (0..500).for_each(|i| send_some.send(i).unwrap()));
    let second = spawn(move || (0..500).for_each(|i| send_all.send(i * i).unwrap()));
    let (mut sum, mut open) = (0u64, [true; 2]);
    while open[0] || open[1] {
        select! {
            recv(some) -> message => match message { Ok(x) => sum += x, Err(_) => open[0] = false },
            recv(all) -> message => match message { Ok(x) => sum ^= x, Err(_) => open[1] = false },
            recv(after(MS)) -> _ => sum += 1,
        }
    }
    first.join().unwrap();
    second.join().unwrap();
    println!("{}", sum > 0);
}

async fn echo(mut stream: TcpStream) {
    let mut bytes = [0; 64];
    while let Ok(n @ 1..) = stream.read(&mut bytes).await {
        stream.write_all(&bytes[..n]).await.unwrap();
    }
}

async fn ask(address: std::net::SocketAddr, k: u8) -> u64 {
    let (mut stream, mut bytes) = (TcpStream::connect(address).await.unwrap(), [0; 32]);
    for _ in 0..20 {
        stream.write_all(&[k; 32]).await.unwrap();
        stream.read_exact(&mut bytes).await.unwrap();
    }
    bytes[3].into()
}

async fn tokio_tasks() {
    let (send, mut receive) = mpsc::channel::<u64>(8);
    for k in 0..5 {
        let send = send.clone();
        tokio::spawn(async move {
            for i in 0..50 {
                send.send(k * i).await.unwrap();
                if i % 10 == 0 {
                    sleep((k as u32 + 1) * MS).await;
                }
            }
        });
    }
    drop(send);
    let mut sum = 0;
    while let Some(x) = receive.recv().await {
        sum += x;
    }
    let blocking = tokio::task::spawn_blocking(|| {
        std::thread::sleep(5 * MS);
        7
    });
    println!("{}", sum + blocking.await.unwrap());
}

async fn tokio_net() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        for _ in 0..4 {
            tokio::spawn(echo(listener.accept().await.unwrap().0));
        }
    });
    let clients: Vec<_> = (0..4).map(|k| tokio::spawn(ask(address, k))).collect();
    let (mut ticks, mut missed, mut sum) = (interval(2 * MS), 0, 0);
    for _ in 0..20 {
        ticks.tick().await;
        missed += u32::from(timeout(MS, sleep(3 * MS)).await.is_err());
    }
    for client in clients {
        sum += client.await.unwrap();
    }
    server.await.unwrap();
    println!("{sum} {missed}");
}

fn main() {
    let tokio = || {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(3)
            .enable_all()
            .build()
            .unwrap()
    };
    match std::env::args().nth(1).as_deref() {
        Some("rayon") => rayon_case(),
        Some("rayon-in-rayon") => rayon_in_rayon(),
        Some("crossbeam") => crossbeam(),
        Some("tokio") => tokio().block_on(tokio_tasks()),
        Some("tokio-net") => tokio().block_on(tokio_net()),
        _ => panic!("no such case"),
    }
}
