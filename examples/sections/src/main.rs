//! Reads made-up records, in three sections one within the other: `load` of everything, `parse` of
//! a record, `field` of each of its three fields. What they cost grows by the same number of
//! instructions with each record.
//!
//!     sections plain N     N records, one after the other
//!     sections threads N   N records in each of three threads
//!     sections async N     N records in each of three tasks, which take turns after each record

mod executor;

/// The value, of which the compiler knows nothing. (std's own needs Rust 1.66.)
#[inline(always)]
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

/// The sum of the digits of a field.
#[inline(always)]
fn field(text: &[u8]) -> u64 {
    let _field = cprof::section!("field");
    let mut sum = 0;
    for &digit in text {
        sum = black_box(sum + u64::from(digit - b'0'));
    }
    sum
}

/// A record of three fields. Inlined where it is called, as its section is.
#[inline(always)]
fn parse(record: &[u8]) -> u64 {
    cprof::section!("parse", {
        let mut sum = 0;
        let mut at = 0;
        while at < 3 {
            sum += field(&record[4 * at..4 * at + 3]);
            at = black_box(at + 1);
        }
        sum
    })
}

fn load(n: u64) -> u64 {
    let _load = cprof::section!("load");
    let mut sum = 0;
    let mut i = 0;
    while i < n {
        sum += parse(black_box(b"123 456 789"));
        cprof::event!("records", 1);
        i = black_box(i + 1);
    }
    sum
}

/// A record, and then the other tasks' turn. Its polls are one entry.
#[cprof_macros::profile("record")]
async fn record() -> u64 {
    let sum = parse(black_box(b"123 456 789"));
    executor::give_way().await;
    sum + parse(black_box(b"987 654 321"))
}

#[cprof_macros::profile("task")]
async fn task(n: u64) -> u64 {
    let mut sum = 0;
    for _ in 0..n {
        sum += record().await;
    }
    sum
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_else(|| "plain".into());
    let n = arguments.next().map_or(Ok(100), |text| text.parse());

    match (mode.as_str(), n) {
        ("plain", Ok(n)) => println!("{}", load(n)),
        ("threads", Ok(n)) => {
            let threads: Vec<_> = (0..3)
                .map(|_| std::thread::spawn(move || load(n)))
                .collect();
            let sums = threads.into_iter().map(|thread| thread.join().unwrap());
            println!("{}", sums.sum::<u64>());
        }
        ("async", Ok(n)) => println!(
            "{}",
            executor::run((0..3).map(|_| task(n))).iter().sum::<u64>()
        ),
        _ => {
            eprintln!("usage: sections plain|threads|async N");
            std::process::exit(2);
        }
    }
}
