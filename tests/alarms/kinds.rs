//! A program in Rust of one `kind`, that counts some millions of instructions. $COLD is the text of an error that never comes, $COMMIT the commit that it
//! was built from; with the cfg `spare` it has code and data that nothing uses.
use std::collections::{BTreeMap, HashMap};

struct Random(u32);
impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        self.0
    }
}

fn maps(r: &mut Random) -> u64 {
    let mut words: HashMap<String, u32> = HashMap::new();
    for _ in 0..6000 {
        *words.entry(format!("word {}", r.next() % 900)).or_default() += 1;
    }
    words.values().map(|&n| u64::from(n)).max().expect(env!("COLD"))
}

fn strings(r: &mut Random) -> u64 {
    let lines: Vec<String> = (0..4000).map(|i| format!("{i} {:x} {:.3}", r.next(), f64::from(i) / 7.0)).collect();
    let text = lines.join("\n");
    text.lines().filter(|l| l.contains("7f")).map(|l| l.to_uppercase().len() as u64).sum::<u64>() + text.split(' ').count() as u64
}

fn trees(r: &mut Random) -> u64 {
    let mut sorted: BTreeMap<u32, Box<[u32]>> = BTreeMap::new();
    for i in 0..9000 {
        sorted.insert(r.next(), vec![i; 1 + i as usize % 40].into_boxed_slice());
        if i % 3 == 0 {
            sorted.pop_first();
        }
    }
    sorted.range(1 << 30..).take(1000).map(|(k, v)| u64::from(*k) + v.len() as u64).sum()
}

fn floats(r: &mut Random) -> u64 {
    let mut points: Vec<(f64, f64)> = (0..6000).map(|_| (f64::from(r.next()).sin(), f64::from(r.next()).ln())).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let sum: f64 = points.windows(3).map(|w| (w[0].0 - w[2].0).hypot(w[1].1)).sum();
    sum as u64
}

#[cfg(spare)]
mod spare {
    #[used]
    static TABLE: [u32; 700] = [7; 700];
    #[used]
    static KEEP: fn(&str, u32) -> String = spare;
    fn spare(text: &str, n: u32) -> String {
        (0..n).map(|i| format!("{text}, spare: {}", TABLE[i as usize % 700].rotate_left(i))).collect()
    }
}

fn main() {
    let r = &mut Random(1);
    if std::env::args().len() > 1 {
        return println!("commit {}", env!("COMMIT"));
    }
    println!("{}", if cfg!(kind = "maps") { maps(r) } else if cfg!(kind = "strings") { strings(r) } else if cfg!(kind = "trees") { trees(r) } else { floats(r) });
}
