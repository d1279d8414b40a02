// Threads of std, in ways that programs have them: "threads CASE". What each does depends on who comes first; what it checks holds in any order.
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::hint::{black_box, spin_loop};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::*};
use std::sync::mpsc::{channel, sync_channel, RecvTimeoutError};
use std::sync::{Arc, Barrier, Condvar, Mutex, RwLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{scope, sleep, spawn, yield_now, JoinHandle};
use std::time::{Duration, Instant};

const MS: Duration = Duration::from_millis(1);

fn work(n: u64) -> u64 {
    (0..n).fold(n, |x, i| {
        black_box(x.wrapping_mul(6364136223846793005).wrapping_add(i))
    })
}

fn all<T>(threads: Vec<JoinHandle<T>>) -> Vec<T> {
    threads.into_iter().map(|t| t.join().unwrap()).collect()
}

fn join() {
    for round in 0..5 {
        all((0..4)
            .map(|i| spawn(move || work(2000 + i + round)))
            .collect());
    }
}

fn mutex() {
    let list = Arc::new(Mutex::new(Vec::new()));
    let (lock, barrier) = (Arc::new(RwLock::new(0u64)), Arc::new(Barrier::new(4)));
    all((0..4u64)
        .map(|who| {
            let (list, lock, barrier) = (list.clone(), lock.clone(), barrier.clone());
            spawn(move || {
                barrier.wait();
                for i in 0..1000u64 {
                    let mut guard = list.lock().unwrap();
                    guard.push(who * i);
                    if i % 100 == 0 {
                        guard.sort_unstable();
                    }
                    drop(guard);
                    if i % 7 == 0 {
                        *lock.write().unwrap() += 1;
                    } else {
                        black_box(*lock.read().unwrap());
                    }
                }
            })
        })
        .collect());
    assert_eq!(list.lock().unwrap().len(), 4000);
}

// Readers nearly always; writers wait for all of them.
fn rwlock() {
    let table = Arc::new(RwLock::new(BTreeMap::new()));
    let seen: Vec<u64> = all((0..6u64)
        .map(|who| {
            let table = table.clone();
            spawn(move || {
                let mut seen = 0;
                for i in 0..300u64 {
                    if i % 30 == who {
                        table.write().unwrap().insert(i, who);
                    } else {
                        seen += table.read().unwrap().values().sum::<u64>();
                    }
                    work(20 * who);
                }
                seen
            })
        })
        .collect());
    assert!(seen.iter().sum::<u64>() > 0);
}

fn channels() {
    let (send, receive) = channel::<(usize, String)>();
    let (send_some, receive_some) = sync_channel::<u64>(4);
    let mut threads = vec![];
    for who in 0..3 {
        let send = send.clone();
        threads.push(spawn(move || {
            (0..300).for_each(|i| send.send((who, format!("{who}-{i}"))).unwrap())
        }));
    }
    drop(send);
    threads.push(spawn(move || {
        (0..1000).for_each(|i| send_some.send(i * i).unwrap())
    }));
    let sum = spawn(move || receive_some.iter().fold(0u64, u64::wrapping_add));
    let mut last = 0;
    for (who, text) in receive {
        work(if who == last {
            10
        } else {
            100 + text.len() as u64
        });
        last = who;
    }
    all(threads);
    assert!(sum.join().unwrap() > 0);
}

// Many put into one queue, and many take out of it.
fn mpmc() {
    struct Queue {
        items: Mutex<(VecDeque<u64>, usize)>,
        filled: Condvar,
        emptied: Condvar,
    }
    let queue = Arc::new(Queue {
        items: Mutex::new((VecDeque::new(), 3)),
        filled: Condvar::new(),
        emptied: Condvar::new(),
    });
    let makers = (0..3u64).map(|who| {
        let queue = queue.clone();
        spawn(move || {
            for i in 0..200 {
                work(30 * who);
                let mut guard = queue
                    .emptied
                    .wait_while(queue.items.lock().unwrap(), |q| q.0.len() > 5)
                    .unwrap();
                guard.0.push_back(who * 1000 + i);
                queue.filled.notify_one();
            }
            queue.items.lock().unwrap().1 -= 1;
            queue.filled.notify_all();
            0
        })
    });
    let takers = (0..3u64).map(|who| {
        let queue = queue.clone();
        spawn(move || {
            let mut taken = 0;
            loop {
                let mut guard = queue
                    .filled
                    .wait_while(queue.items.lock().unwrap(), |q| q.0.is_empty() && q.1 > 0)
                    .unwrap();
                let Some(item) = guard.0.pop_front() else {
                    return taken;
                };
                drop(guard);
                queue.emptied.notify_one();
                taken += 1;
                work(item % (7 + who) * 20);
            }
        })
    });
    let threads = makers.chain(takers).collect();
    assert_eq!(all(threads).iter().sum::<usize>(), 600);
}

// A pool whose threads steal, spin, yield and park.
type Job = Box<dyn FnOnce(&Pool, usize) + Send>;
struct Pool {
    queues: Vec<Mutex<VecDeque<Job>>>,
    pending: AtomicUsize,
    ends: AtomicBool,
    asleep: Mutex<()>,
    woken: Condvar,
    done: AtomicUsize,
}

impl Pool {
    fn push(&self, who: usize, job: Job) {
        self.pending.fetch_add(1, SeqCst);
        self.queues[who].lock().unwrap().push_back(job);
        self.woken.notify_one();
    }

    fn take(&self, who: usize) -> Option<Job> {
        if let Some(job) = self.queues[who].lock().unwrap().pop_back() {
            return Some(job);
        }
        let n = self.queues.len();
        (1..n).find_map(|k| {
            self.queues[(who + k) % n]
                .try_lock()
                .ok()
                .and_then(|mut q| q.pop_front())
        })
    }

    fn run(&self, who: usize) {
        let mut rounds = 0;
        while !self.ends.load(SeqCst) {
            if let Some(job) = self.take(who) {
                rounds = 0;
                job(self, who);
                self.pending.fetch_sub(1, SeqCst);
                continue;
            }
            rounds += 1;
            if rounds < 32 {
                (0..20).for_each(|_| spin_loop());
            } else if rounds < 64 {
                yield_now();
            } else {
                drop(self.woken.wait_timeout(self.asleep.lock().unwrap(), 2 * MS));
                rounds = 0;
            }
        }
    }
}

fn divide(pool: &Pool, who: usize, n: u64) {
    if n < 12 {
        work(n * 50);
        pool.done.fetch_add(1, SeqCst);
        return;
    }
    pool.push(who, Box::new(move |pool, who| divide(pool, who, n - 1)));
    pool.push(who, Box::new(move |pool, who| divide(pool, who, n - 2)));
}

fn pool() {
    let pool = Arc::new(Pool {
        queues: (0..4).map(|_| Mutex::new(VecDeque::new())).collect(),
        pending: AtomicUsize::new(0),
        ends: AtomicBool::new(false),
        asleep: Mutex::new(()),
        woken: Condvar::new(),
        done: AtomicUsize::new(0),
    });
    let threads = (0..4)
        .map(|who| {
            let pool = pool.clone();
            spawn(move || pool.run(who))
        })
        .collect();
    pool.push(0, Box::new(|pool, who| divide(pool, who, 21)));
    while pool.pending.load(SeqCst) > 0 {
        sleep(MS);
    }
    pool.ends.store(true, SeqCst);
    pool.woken.notify_all();
    all(threads);
    assert_eq!(pool.done.load(SeqCst), 144);
}

fn scopes() {
    let mut numbers: Vec<u64> = (0..20000u64)
        .map(|i| i.wrapping_mul(2654435761) % 100003)
        .collect();
    for _ in 0..3 {
        scope(|s| {
            for part in numbers.chunks_mut(5000) {
                s.spawn(move || part.sort());
            }
        });
        numbers[0] = scope(|s| {
            let threads: Vec<_> = numbers
                .chunks(4000)
                .map(|c| s.spawn(move || c.iter().sum::<u64>()))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
    }
}

fn condvar() {
    let shared = Arc::new((Mutex::new((0u32, false)), Condvar::new()));
    let threads = (0..3u32)
        .map(|me| {
            let shared = shared.clone();
            spawn(move || loop {
                let mut guard = shared
                    .1
                    .wait_while(shared.0.lock().unwrap(), |g| g.0 % 3 != me && !g.1)
                    .unwrap();
                if guard.1 {
                    return;
                }
                guard.0 += 1;
                guard.1 = guard.0 >= 600;
                shared.1.notify_all();
            })
        })
        .collect();
    let mut guard = shared.0.lock().unwrap();
    while !guard.1 {
        let (next, over) = shared.1.wait_timeout(guard, 3 * MS).unwrap();
        guard = next;
        work(if over.timed_out() { 1000 } else { 10 });
    }
    drop(guard);
    all(threads);
}

fn timers() {
    let (send, receive) = channel();
    let threads = (1..4u32)
        .map(|k| {
            let send = send.clone();
            spawn(move || {
                for i in 0..20 {
                    sleep(3 * k * MS);
                    send.send(k * 100 + i).unwrap();
                }
            })
        })
        .collect();
    drop(send);
    let (begin, mut log) = (Instant::now(), String::new());
    loop {
        match receive.recv_timeout(4 * MS) {
            Ok(x) => log += &format!("{x}@{};", begin.elapsed().as_millis()),
            Err(RecvTimeoutError::Timeout) => drop(work(500)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    all(threads);
    assert!(log.len() > 100);
}

fn net() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = spawn(move || {
        let serve = |mut stream: TcpStream| {
            let (mut bytes, mut total) = ([0; 64], 0);
            loop {
                let n = stream.read(&mut bytes).unwrap();
                if n == 0 {
                    return total;
                }
                total += n;
                stream.write_all(&bytes[..n]).unwrap();
            }
        };
        all((0..3)
            .map(|_| listener.accept().unwrap().0)
            .map(|s| spawn(move || serve(s)))
            .collect())
        .iter()
        .sum::<usize>()
    });
    let clients = (0..3u8)
        .map(|k| {
            spawn(move || {
                let (mut stream, mut bytes) = (TcpStream::connect(address).unwrap(), [0; 32]);
                for _ in 0..30 {
                    stream.write_all(&[k; 32]).unwrap();
                    stream.read_exact(&mut bytes).unwrap();
                }
            })
        })
        .collect();
    let (mut here, mut there) = UnixStream::pair().unwrap();
    let echo = spawn(move || {
        let mut bytes = [0; 16];
        while there.read_exact(&mut bytes).is_ok() {
            there.write_all(&bytes).unwrap();
        }
    });
    for i in 0..50 {
        here.write_all(&[i; 16]).unwrap();
        here.read_exact(&mut [0; 16]).unwrap();
    }
    drop(here);
    echo.join().unwrap();
    all(clients);
    assert_eq!(server.join().unwrap(), 2880);
}

fn children() {
    all((0..3)
        .map(|k| {
            spawn(move || {
                let output = Command::new("/bin/echo")
                    .arg(k.to_string())
                    .output()
                    .unwrap();
                work(20000 + output.stdout.len() as u64)
            })
        })
        .collect());
}

fn spins() {
    let turn = Arc::new(AtomicUsize::new(0));
    all((0..3usize)
        .map(|who| {
            let turn = turn.clone();
            spawn(move || {
                for round in 0..20 {
                    let want = round * 3 + who;
                    while turn.load(Acquire) != want {
                        match who {
                            0 => spin_loop(),
                            1 => yield_now(),
                            _ => (),
                        }
                    }
                    turn.store(want + 1, Release);
                }
            })
        })
        .collect());
}

// The program ends while threads wait, sleep and run.
fn exits() {
    let (_send, receive) = channel::<u32>();
    spawn(move || receive.recv());
    spawn(|| sleep(1000000 * MS));
    spawn(|| loop {
        work(1000);
    });
    sleep(10 * MS);
}

/*--- A small runtime of tasks ---*/

struct Runtime {
    ready: Mutex<VecDeque<Arc<Task>>>,
    woken: Condvar,
    timers: Mutex<BTreeMap<(Instant, u64), Waker>>,
    live: AtomicU64,
    ids: AtomicU64,
}

struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    runtime: Arc<Runtime>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let runtime = self.runtime.clone();
        runtime.ready.lock().unwrap().push_back(self);
        runtime.woken.notify_one();
    }
}

struct Pause(Instant, Arc<Runtime>, u64);

impl Future for Pause {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context) -> Poll<()> {
        if Instant::now() >= self.0 {
            return Poll::Ready(());
        }
        self.1
            .timers
            .lock()
            .unwrap()
            .insert((self.0, self.2), context.waker().clone());
        Poll::Pending
    }
}

fn start(runtime: &Arc<Runtime>, future: impl Future<Output = ()> + Send + 'static) {
    let own = runtime.clone();
    runtime.live.fetch_add(1, SeqCst);
    let whole = async move {
        future.await;
        own.live.fetch_sub(1, SeqCst);
    };
    Arc::new(Task {
        future: Mutex::new(Some(Box::pin(whole))),
        runtime: runtime.clone(),
    })
    .wake();
}

fn run_tasks(runtime: &Runtime) {
    while runtime.live.load(SeqCst) > 0 {
        let task = runtime.ready.lock().unwrap().pop_front();
        if let Some(task) = task {
            let waker = Waker::from(task.clone());
            let mut slot = task.future.lock().unwrap();
            if let Some(mut future) = slot.take() {
                if future
                    .as_mut()
                    .poll(&mut Context::from_waker(&waker))
                    .is_pending()
                {
                    *slot = Some(future);
                }
            }
            continue;
        }
        let now = Instant::now();
        let mut wait = 50 * MS;
        let mut timers = runtime.timers.lock().unwrap();
        while let Some((&key, _)) = timers.iter().next() {
            if key.0 > now {
                wait = wait.min(key.0 - now);
                break;
            }
            wait = Duration::ZERO;
            timers.remove(&key).unwrap().wake();
        }
        drop(timers);
        let guard = runtime.ready.lock().unwrap();
        if guard.is_empty() && !wait.is_zero() {
            drop(runtime.woken.wait_timeout(guard, wait));
        }
    }
    runtime.woken.notify_all();
}

fn tasks() {
    let runtime = Arc::new(Runtime {
        ready: Mutex::default(),
        woken: Condvar::new(),
        timers: Mutex::default(),
        live: AtomicU64::new(0),
        ids: AtomicU64::new(0),
    });
    for k in 0..6u32 {
        let own = runtime.clone();
        start(&runtime, async move {
            for i in 0..20 {
                work(u64::from(k * i) * 20);
                Pause(
                    Instant::now() + (2 + k) * MS,
                    own.clone(),
                    own.ids.fetch_add(1, SeqCst),
                )
                .await;
            }
        });
    }
    scope(|s| {
        for _ in 0..3 {
            s.spawn(|| run_tasks(&runtime));
        }
    });
}

fn main() {
    let cases: [(&str, fn()); 14] = [
        ("join", join),
        ("mutex", mutex),
        ("rwlock", rwlock),
        ("channels", channels),
        ("mpmc", mpmc),
        ("pool", pool),
        ("scopes", scopes),
        ("condvar", condvar),
        ("timers", timers),
        ("net", net),
        ("children", children),
        ("spins", spins),
        ("exits", exits),
        ("tasks", tasks),
    ];
    let wanted = std::env::args().nth(1).unwrap_or_default();
    cases.iter().find(|c| c.0 == wanted).expect("a case").1();
    println!("{wanted} done");
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_join() {
        super::join()
    }
    #[test]
    fn a_queue() {
        super::mpmc()
    }
    #[test]
    fn a_scope() {
        super::scopes()
    }
    #[test]
    fn a_sleep() {
        super::sleep(3 * super::MS)
    }
    #[test]
    fn a_table() {
        super::rwlock()
    }
}
