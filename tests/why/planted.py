"""planted.py - programs with one change each, for changes.py: CHANGES. In a text, «old¦new» is what differs.

A text has run(), which is called once, and counts of calls are known by it. `where` is the function of the user's that changed, as a pattern; `says` is what
the sentence has to say of it. Both were written before the first run.
"""
import dataclasses
import re

C_FRAME = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KEEP __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x) : : "memory")
static KEEP long steady(long n) { long h = 7; for (long i = 0; i < n; i++) { h = h * 31 + i; HIDE(h); } return h; }
static KEEP long check(long x) { for (int i = 0; i < 5; i++) { x = x * 31 + i; HIDE(x); } return x; }
static long numbers[2000];
%s
int main(void) { for (long i = 0; i < 2000; i++) numbers[i] = i * 7919 %% 1999; long s = steady(3000) + check(2) + run(200); HIDE(s); return s == 1; }
"""
RUST_FRAME = """#![allow(dead_code, unused)]
use std::{cell::*, collections::*, fmt::Write as _, hash::*, hint::black_box, io::Write};
#[inline(never)] fn steady(v: &[u64]) -> u64 { v.iter().fold(7, |h, x| black_box(h ^ x).wrapping_mul(31)) }
#[inline(never)] fn check(x: u64) -> u64 { (0..8).fold(x ^ 0x9e37, |h: u64, _| black_box(h).wrapping_mul(0x100000001b3) ^ h >> 29) }
#[derive(Default, Clone)] struct Fnv(u64);
impl Hasher for Fnv { fn finish(&self) -> u64 { self.0 } fn write(&mut self, b: &[u8]) { for &x in b { self.0 = (self.0 ^ x as u64).wrapping_mul(0x100000001b3); } } }
type Quick = BuildHasherDefault<Fnv>; type Sip = BuildHasherDefault<std::collections::hash_map::DefaultHasher>;
%s
fn main() {
    let r: Vec<u64> = (0..2000u64).map(|i| i.wrapping_mul(0x9e3779b97f4a7c15) >> 3).collect();
    let w: Vec<u32> = r.iter().map(|x| (x >> 33) as u32 & 0xffff).collect();
    let names: Vec<String> = (0..600).map(|i| format!("name{}", i %% 150)).collect();
    println!("{}", steady(&r) ^ run(&r, &w, &names));
}
"""
RUN = "#[inline(never)] fn run(r: &[u64], w: &[u32], names: &[String]) -> u64 "


@dataclasses.dataclass
class Change:
    """A program in two builds; pairs are of OLD and NEW."""
    kind: str
    title: str
    language: str # "c", "rs", or "cargo"
    text: str
    where: str
    says: str
    flags: tuple = ("", "")    # of the compiler; of cargo lines of the build profile
    levels: tuple = ("", "")   # --cpu-level
    dependency: str = ""       # the text of the crate `dep`, or of a library of C
    versions: tuple = ("", "") # of that crate

    def source(self, side):
        return (C_FRAME if self.language == "c" else RUST_FRAME) % text_of(self.text, side)


def text_of(text, side):
    return re.sub("«(.*?)¦(.*?)»", lambda m: m[1 + side], text, flags=re.S)


CHANGES = []


def plant(kind, title, language, where, says, text, **more):
    CHANGES.append(Change(kind, title, language, text, where, says, **more))


def plant_c(kind, title, where, says, text, **more):
    plant(kind, title, "c", where, says, text, **more)


def plant_rs(kind, title, where, says, text, body=None, **more):
    """`body` is that of run()."""
    plant(kind, title, "rs", where, says, text + ("\n" + RUN + "{ " + body + " }" if body else ""), **more)


MORE, LESS, CALLS = "does more per call", "does less per call", "calls %s more often"
MOST = MORE + "( itself)?(, most of it in [^;]*, which is inlined)?"
SAME, OTHER = MOST + ", by the same code", MOST + "; its code differs"
ALLOCATES = "(malloc|alloc|realloc|grow|reserve)"

# --- one of each
plant_rs("one of each", "an extra call", "run", "calls check more often, 2 times per call|calls check more often, 4,000 times per call, 2,000 before", "",
         "let mut n = 0; for &x in r { n ^= check(x); «¦n ^= check(x + 1);» } n")
plant_rs("one of each", "more rounds, by the caller's number", "sum_table", SAME,
         "#[inline(never)] fn sum_table(t: &[u64], n: usize) -> u64 { let mut s = 0u64; for i in 0..n { s = s.wrapping_add(t[i % t.len()]).rotate_left(3); } s }",
         "sum_table(r, black_box(«10000¦15000»))")
plant_rs("one of each", "lost inlining", "run", "mix is no longer inlined",
         "#[inline(«always¦never»)] fn mix(a: u64, b: u64) -> u64 { (a ^ b.rotate_left(7)).wrapping_mul(0xff51afd7ed558ccd) }",
         "let mut h = 7; for &x in r { h = mix(h, x); } h")
plant_rs("one of each", "a slower algorithm", "order", OTHER + "|calls .* (now|more)|no longer",
         "#[inline(never)] fn order(v: &mut Vec<u32>) { «v.sort_unstable();¦let n = v.len(); for i in 1..n { let mut j = i; "
         "while j > 0 && v[j - 1] > v[j] { v.swap(j - 1, j); j -= 1; } }» }", "let mut v = w[..300].to_vec(); order(&mut v); v[7] as u64")
plant_rs("one of each", "a clone in a loop", "run", "calls .*" + ALLOCATES + ".*(now|more often)", "",
         "let mut n = 0; for s in names { «n += black_box(s).len();¦let c = s.clone(); n += black_box(&c).len();» } n as u64")
plant_rs("one of each", "another hasher", "run", "(?i)(calls|in) .*(hash|sip)", "type Map = HashMap<String, u32, «Quick¦Sip»>;",
         "let mut m = Map::default(); for s in names { *m.entry(s.clone()).or_insert(0) += 1; } m.len() as u64")
plant_rs("one of each", "a dependency does more", "sums", r"checksum does more per call[^.]*; dep 1\.0\.0 -> 1\.0\.1",
         "#[inline(never)] fn sums(d: &[u8]) -> u64 { let mut s = 0; for c in d.chunks(256) { s ^= dep::checksum(c); } s as u64 }",
         "sums(&r.iter().map(|x| *x as u8).collect::<Vec<u8>>())", versions=("1.0.0", "1.0.1"),
         dependency="#[inline(never)] pub fn checksum(data: &[u8]) -> u32 { let (mut a, mut b) = (1u32, 0u32); "
         "for &x in data { a = (a + x as u32) % 65521; b = (b + a) % 65521; «¦b = (b ^ (a.rotate_left(5) % 251)) % 65521;» } b << 16 | a }")
plant_rs("one of each", "a vector without reserve", "squares", ALLOCATES,
         "#[inline(never)] fn squares(n: usize) -> Vec<u64> { let mut v = Vec::«with_capacity(n)¦new()»; "
         "for i in 0..n as u64 { v.push(black_box(i).wrapping_mul(i)); } v }", "squares(1500)[9]")
plant_rs("one of each", "a wider integer", "word_sum", OTHER,
         "type Word = «u32¦u64»; #[inline(never)] fn word_sum(v: &[u32]) -> Word { let mut s: Word = 0; "
         "for &x in v { s = s.wrapping_add(x as Word ^ 5); } s }", "word_sum(w) as u64")
plant_rs("one of each", "checks of bounds", "dot", OTHER,
         "#[inline(never)] fn dot(a: &[u64], b: &[u64]) -> u64 { let mut s = 0u64; for i in 0..a.len() { let i = black_box(i); s = s.wrapping_add("
         "«unsafe { a.get_unchecked(i).wrapping_mul(*b.get_unchecked(i)) }¦a[i].wrapping_mul(b[i])»); } s }", "dot(r, r)")
plant_rs("one of each", "formatting in a loop", "render", "(?i)calls .*(fmt|format|write|pad).* (now|more often)",
         "#[inline(never)] fn render(v: &[u32]) -> String { let mut s = String::new(); for &x in v { "
         "«s.push((b'0' + (x % 10) as u8) as char); s.push(';');¦s.push_str(&format!(\"{:04}\", x % 10000));» } s }", "render(&w[..400]).len() as u64")
plant_rs("one of each", "a part is split off", "scan", "scan_tail seems to be split off|calls scan_tail now, which did not run before",
         "«¦#[inline(never)] fn scan_tail(x: u64, k: u64) -> u64 { let mut y = x; for _ in 0..6 { y = y.wrapping_mul(k | 1) ^ y >> 17; } y }»\n"
         "#[inline(never)] fn scan(v: &[u64]) -> u64 { let mut h = 0u64; for &x in v { let a = x.wrapping_add(h) ^ x << 3; "
         "«let mut y = a; for _ in 0..6 { y = y.wrapping_mul(x | 1) ^ y >> 17; } h ^= y;¦h ^= scan_tail(a, x);» } h }", "scan(r)")
plant_rs("one of each", "renamed, and a little more work", "parse_(row|line)|run", "seems to be parse_line under another name",
         "#[inline(never)] fn parse_«line¦row»(s: &str) -> u64 { let mut n = 0u64; for b in s.bytes() { "
         "if b.is_ascii_digit() { n = n.wrapping_mul(10).wrapping_add((b - b'0') as u64); } «¦else if b == b'-' { n ^= 1; }» } n }",
         "let mut n = 0; for s in names { n ^= parse_«line¦row»(s); } n")
plant_rs("one of each", "dynamic dispatch", "run", "calls .*area.* now|area is no longer inlined|" + MORE,
         "trait Shape { fn area(&self) -> u64; } struct Sq(u64); impl Shape for Sq { #[inline] fn area(&self) -> u64 { self.0.wrapping_mul(self.0) } }",
         "let v: Vec<Box<Sq>> = r.iter().map(|x| Box::new(Sq(*x))).collect(); let d: Vec<Box<dyn Shape>> = v.into_iter().map(|x| x as Box<dyn Shape>).collect(); "
         "let mut s = 0u64; for (i, x) in d.iter().enumerate() { s = s.wrapping_add(«r[i].wrapping_mul(r[i])¦black_box(x).area()»); } s")
plant_rs("one of each", "errors as text", "verify|run", "calls .*" + ALLOCATES + "|calls .*(drop|free|dealloc)",
         "#[inline(never)] fn verify(x: u64) -> Result<u64, String> { if x % 4 == 0 { Err(String::«new()¦from(\"a multiple of four\")») } else { Ok(x) } }",
         "r.iter().map(|&x| verify(x).unwrap_or(0)).fold(0, u64::wrapping_add)")
plant_rs("one of each", "collected in between", "run", "calls .*" + ALLOCATES + "|calls .*(from_iter|collect)", "",
         "let mut t = 0u64; for c in r.chunks(100) { «t ^= c.iter().map(|x| x ^ 5).filter(|x| x % 3 == 0).fold(0u64, u64::wrapping_add);¦"
         "let v: Vec<u64> = c.iter().map(|x| x ^ 5).collect(); t ^= black_box(v).iter().filter(|x| *x % 3 == 0).fold(0u64, |a, x| a.wrapping_add(*x));» } t")
plant_rs("one of each", "no memory of results", "ways", "ways is entered more often for each call from outside",
         "#[inline(never)] fn ways(n: u32, memo: &mut [u64]) -> u64 { if n < 2 { return 1; } «if memo[n as usize] != 0 { return memo[n as usize]; }¦» "
         "let a = black_box(ways(n - 1, memo)); let s = a.wrapping_add(ways(n - 2, memo)); memo[n as usize] = s; s }", "ways(14, &mut [0; 20])")
plant_rs("one of each", "no buffer", "emit", "calls .*write.* (now|more often)",
         "#[inline(never)] fn emit(v: &[u32]) { let f = std::fs::OpenOptions::new().write(true).open(\"/dev/null\").unwrap(); "
         "let mut f = «std::io::BufWriter::new(f)¦f»; for x in v { f.write_all(&x.to_le_bytes()).unwrap(); } }", "emit(&w[..300]); 1")
plant("one of each", "checks of overflow", "cargo", "cells|run|main", MORE, "#[inline(never)] fn cells(v: &[u32]) -> u32 { let mut s = 0; "
      "for w in v.windows(3) { s ^= w[0] + w[1] * 2 + w[2]; } s }\n" + RUN + "{ cells(w) as u64 }", flags=("", "overflow-checks = true"))
plant_c("one of each", "one more library is loaded", r"\[before and after main\]", "", "static KEEP long run(long n) { return check(n); }",
        flags=("", "-Wl,--no-as-needed -lm"))

# --- an extra call
TWICE = "static KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) { s += check(i); %s } return s; }"
plant_c("extra call", "twice in place of once", "run", "calls check more often, 400 times per call, 200 before", TWICE % "«¦s += check(i + 1);»")
plant_c("extra call", "of a new function", "run", "calls audit now, which did not run before",
        "«¦static KEEP long audit(long x) { for (int i = 0; i < 9; i++) { x ^= x << 3; HIDE(x); } return x; }»\n" + TWICE % "«¦s ^= audit(s);»")
plant_c("extra call", "of a function that others call", "run", "calls check now, which other code had before",
        "static KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) { s += i; HIDE(s); «¦s += check(i);» } return s; }")
plant_c("extra call", "through a pointer", "run", "calls check more often, 400 times per call, 200 before",
        "static long (*volatile hook)(long) = check;\nstatic KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) { s += hook(i); «¦s += hook(s);» } return s; }")
plant_c("extra call", "one less", "run", "calls check less often, 200 times per call, 400 before", TWICE % "«s += check(i + 1);¦»")
plant_c("extra call", "of libc", "run", "calls (__)?strlen\\w* now, which did not run before",
        "static KEEP long run(long n) { const char *p = \"a text of some length, which is measured\"; long s = 0; "
        "for (long i = 0; i < n; i++) { HIDE(p); s += p[i % 30]; «¦s += strlen(p);» } return s; }")
plant_rs("extra call", "of a trait's method", "run", "calls .*area more often, 4,000 times per call, 2,000 before",
         "trait Shape { fn area(&self) -> u64; } struct Sq(u64); impl Shape for Sq { #[inline(never)] fn area(&self) -> u64 { black_box(self.0).wrapping_mul(self.0) } }",
         "let mut s = 0u64; for &x in r { let q: Box<dyn Shape> = black_box(Box::new(Sq(x))); s ^= q.area(); «¦s ^= black_box(&q).area();» } s")
plant_rs("extra call", "in a closure", "run", "calls check more often, 4,000 times per call of run, 2,000 before", "",
         "r.iter().map(|&x| check(x) «¦^ check(x + 1)»).fold(0, |a, b| a ^ b)")

# --- a longer loop
SUM = "static KEEP long sum(long n) { long s = 0; for (long i = 0; i < n; i++) { s += i; HIDE(s); } return s; }\n"
plant_c("longer loop", "by the caller's number", "sum", SAME, SUM + "static KEEP long run(long n) { n = «1000¦1500»; HIDE(n); return sum(n); }")
plant_c("longer loop", "by a constant", "sum", OTHER,
        "static KEEP long sum(void) { long s = 0; for (long i = 0; i < «1000¦1500»; i++) { s += i; HIDE(s); } return s; }\nstatic KEEP long run(long n) { return sum(); }")
plant_c("longer loop", "by data", "sum", SAME, SUM.replace("i < n", "i < n + bound") .replace("static KEEP", "static volatile long bound = «300¦450»; static KEEP", 1) +
        "static KEEP long run(long n) { return sum(n); }")
plant_c("longer loop", "the inner one of two functions", "outer", "calls inner more often, 13 times per call, 10 before",
        "static KEEP long inner(long x) { for (int i = 0; i < 7; i++) { x += i; HIDE(x); } return x; }\n"
        "static KEEP long outer(long x) { for (int i = 0; i < «10¦13»; i++) x = inner(x); return x; }\n"
        "static KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) s += outer(i); return s; }")
plant_c("longer loop", "without its early end", "seek", OTHER,
        "static KEEP long seek(const long *p, long n, long x) { long at = -1; for (long i = 0; i < n; i++) { if (p[i] == x) { at = i; «break;¦» } HIDE(at); } return at; }\n"
        "static KEEP long run(long n) { return seek(numbers, 1999, numbers[600]); }")
plant_rs("longer loop", "a longer slice", "total", SAME,
         "#[inline(never)] fn total(v: &[u64]) -> u64 { let mut s = 0u64; for &x in v { s = black_box(s).wrapping_add(x); } s }", "total(&r[..black_box(«1000¦1400»)])")
plant_rs("longer loop", "a longer range", "rounds", OTHER,
         "#[inline(never)] fn rounds(x: u64) -> u64 { let mut s = x; for i in 0..«1000¦1400»u64 { s = black_box(s).wrapping_add(i); } s }", "rounds(r[3])")

# --- lost inlining
MIX = "static %s long mix(long a, long b) { a ^= b << 7; HIDE(a); a *= 5; HIDE(a); return a ^ b; }\n"
MIX_ALL = "static KEEP long run(long n) { long h = 7; for (long i = 0; i < n; i++) h = mix(h, i); return h; }"
ALWAYS = "inline __attribute__((always_inline))"
plant_c("lost inlining", "of a function of C", "run", "mix is no longer inlined", MIX % ("«%s¦KEEP»" % ALWAYS) + MIX_ALL)
plant_c("lost inlining", "found again", "run", "mix is inlined now", MIX % ("«KEEP¦%s»" % ALWAYS) + MIX_ALL)
plant_c("lost inlining", "of the inner one of two", "run|outer", "mix is no longer inlined", MIX % ("«%s¦KEEP»" % ALWAYS) +
        "static %s long outer(long a, long b) { a = mix(a, b); HIDE(a); return mix(b, a) + 3; }\n" % ALWAYS + MIX_ALL.replace("mix(h", "outer(h"))
plant_c("lost inlining", "of two callers at once", "first|second", "mix is no longer inlined", MIX % ("«%s¦KEEP»" % ALWAYS) + MIX_ALL.replace("run", "first") + "\n" +
        MIX_ALL.replace("run", "second").replace("7", "9") + "\nstatic KEEP long run(long n) { return first(n) + second(n); }")
plant_rs("lost inlining", "of a generic function", "run", "mix(::<u64>|<u64>)? is no longer inlined",
         "#[inline(«always¦never»)] fn mix<T: std::ops::BitXor<Output = T> + Copy>(a: T, b: T) -> T { black_box(a) ^ b ^ a }",
         "let mut h = 7; for &x in r { h = mix(h, x).wrapping_mul(3); } h")
plant_rs("lost inlining", "of a method", "run", "at is no longer inlined",
         "struct Grid { cells: Vec<u64>, width: usize } impl Grid { #[inline(«always¦never»)] fn at(&self, x: usize, y: usize) -> u64 { self.cells[y * self.width + x] } }",
         "let g = Grid { cells: r.to_vec(), width: 40 }; let mut s = 0; for y in 0..40 { for x in 0..40 { s ^= g.at(x, black_box(y)); } } s")
plant_rs("lost inlining", "of a closure, by a pointer to it", "run", "calls .*(closure|run).* now|is no longer inlined|" + MORE, "",
         "let f = |a: u64, b: u64| (a ^ b.rotate_left(7)).wrapping_mul(0xff51afd7ed558ccd); «¦let f: fn(u64, u64) -> u64 = black_box(f);» let mut h = 7; "
         "for &x in r { h = f(h, x); } h")

# --- a slower algorithm
plant_c("slower algorithm", "search line by line, not by halves", "find", OTHER,
        "static KEEP long find(const long *p, long n, long x) { «long a = 0, b = n; while (a < b) { long m = (a + b) / 2; HIDE(m); if (p[m] < x) a = m + 1; else b = m; } return a;¦"
        "long i = 0; while (i < n && p[i] < x) { i++; HIDE(i); } return i;» }\n"
        "static KEEP long run(long n) { static long sorted[500]; for (int i = 0; i < 500; i++) sorted[i] = 3 * i; long s = 0; "
        "for (long i = 0; i < n; i++) s += find(sorted, 500, i * 7); return s; }")
plant_c("slower algorithm", "no memory of results", "ways", "ways is entered more often for each call from outside",
        "static KEEP long ways(long n, long *memo) { long r; if (n < 2) return 1; «if (memo[n]) return memo[n];¦» r = ways(n - 1, memo); HIDE(r); return memo[n] = r + ways(n - 2, memo); }\n"
        "static KEEP long run(long n) { long memo[30] = {0}; return ways(12, memo); }")
plant_c("slower algorithm", "length of a text in each round", "run", "calls (__)?strlen\\w* more often, 4\\d times per call",
        "static KEEP long run(long n) { const char *p = \"a text of some length, which is measured\"; HIDE(p); long s = 0; «long size = strlen(p);¦» "
        "for (unsigned long i = 0; i < «size¦strlen(p)»; i++) { s += p[i]; HIDE(p); } return s; }")
plant_c("slower algorithm", "gcd by differences", "gcd", OTHER,
        "static KEEP long gcd(long a, long b) { «while (b) { long c = a % b; a = b; b = c; HIDE(b); }¦while (a != b) { if (a > b) a -= b; else b -= a; HIDE(a); }» return a; }\n"
        "static KEEP long run(long n) { long s = 0; for (long i = 1; i < n; i++) s += gcd(i * 30, 84); return s; }")
plant_c("slower algorithm", "powers by one factor at a time", "power", OTHER,
        "static KEEP long power(long x, long n) { long r = 1; «for (; n; n /= 2, x *= x) { if (n % 2) r *= x; HIDE(r); }¦for (; n; n--) { r *= x; HIDE(r); }» return r; }\n"
        "static KEEP long run(long n) { long s = 0; for (long i = 1; i < n; i++) s += power(i, 60); return s; }")
plant_rs("slower algorithm", "sorted again after each element", "run", "calls .*sort.* more often|(insertion|sort).* does more", "",
         "let mut v: Vec<u32> = Vec::new(); for c in w[..400].chunks(20) { v.extend(c); «¦v.sort_unstable();» } v.sort_unstable(); v[7] as u64")
plant_rs("slower algorithm", "a list in place of a set", "distinct", OTHER + "|calls .*|no longer",
         "#[inline(never)] fn distinct(v: &[u32]) -> usize { let mut seen = «HashSet::<u32, Quick>::default()¦Vec::new()»; "
         "for &x in v { «seen.insert(x);¦if !seen.contains(&x) { seen.push(x); }» } seen.len() }", "distinct(&w[..700]) as u64")

# --- a changed dependency
CRUNCH = "#[inline(never)] pub fn crunch(x: u64) -> u64 { let mut h = x; for i in 0..%s { h = (h ^ i).rotate_left(7).wrapping_mul(31); } std::hint::black_box(h) }"
USE = "let mut s = 0; for &x in &r[..500] { s ^= dep::crunch(x); } s"
plant_rs("changed dependency", "another version does more", "run", r"dep::crunch does more per call[^.]*; dep 1\.0\.0 -> 1\.0\.1", "", USE,
         dependency=CRUNCH % "std::hint::black_box(«20¦30»)", versions=("1.0.0", "1.0.1"))
plant_rs("changed dependency", "another version does less", "run", r"dep::crunch does less per call[^.]*; dep 1\.2\.0 -> 2\.0\.0", "", USE,
         dependency=CRUNCH % "std::hint::black_box(«30¦20»)", versions=("1.2.0", "2.0.0"))
plant_rs("changed dependency", "another version calls more", "run", r"dep::crunch calls dep::stir now, which did not run before|dep 0\.3\.1 -> 0\.3\.2", "", USE, versions=("0.3.1", "0.3.2"),
         dependency="«¦#[inline(never)] fn stir(x: u64) -> u64 { (0..9).fold(x, |h, _| std::hint::black_box(h) ^ h << 3) }»\n"
         "#[inline(never)] pub fn crunch(x: u64) -> u64 { let h = x.rotate_left(7); std::hint::black_box(«h¦stir(h)») }")
plant_rs("changed dependency", "another version, called more often", "run", "calls dep::crunch more often, 1,000 times per call, 500 before", "",
         "let mut s = 0; for &x in &r[..500] { s ^= dep::crunch(x); «¦s ^= dep::crunch(s);» } s", dependency=CRUNCH % "20", versions=("1.0.0", "1.0.1"))
plant_rs("changed dependency", "one version with other code", "run", "dep::crunch does more per call; its code differs", "", USE,
         dependency=CRUNCH % "std::hint::black_box(«20¦30»)", versions=("1.0.0", "1.0.0"))
plant_rs("changed dependency", "another version, inlined", "run", r"dep 1\.0\.0 -> 1\.0\.1|its code (may )?differ", "", USE,
         dependency=(CRUNCH % "std::hint::black_box(«20¦30»)").replace("inline(never)", "inline(always)"), versions=("1.0.0", "1.0.1"))
plant_c("changed dependency", "another build of a shared library", "run|crunch", "(another build of its library|its code differs)",
        "long crunch(long x);\nstatic KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) s += crunch(i); return s; }",
        dependency="long crunch(long x) { for (int i = 0; i < «20¦30»; i++) { x = x * 31 + i; __asm__ volatile(\"\" : \"+r\"(x)); } return x; }")

# --- another hasher
COUNT = "let mut m: %s = Default::default(); for s in names { *m.entry(s.clone()).or_insert(0) += 1; } m.len() as u64"
plant_rs("other hasher", "a quick one again", "run", "(?i)(calls|in) .*(hash|sip)", "", COUNT % "HashMap<String, u32, «Sip¦Quick»>")
plant_rs("other hasher", "a tree in place of a hash table", "run", "(?i)calls .*(btree|insert|entry|hash|reserve|memcmp|search)|" + MORE, "",
         COUNT % "«HashMap<String, u32, Quick>¦BTreeMap<String, u32>»")
plant_rs("other hasher", "a key hashed twice", "run", "(?i)calls .*(hash|contains).* (more often|now)|" + MORE, "", "let mut m: HashMap<String, u32, Sip> = Default::default(); "
         "for s in names { «¦black_box(m.contains_key(s));» m.insert(s.clone(), 1); } m.len() as u64")
plant_c("other hasher", "another function", "run", "hash_b",
        "static KEEP unsigned long hash_a(const char *p) { unsigned long h = 5381; for (; *p; p++) { h = h * 33 + *p; HIDE(h); } return h; }\n"
        "static KEEP unsigned long hash_b(const char *p) { unsigned long h = 1; for (; *p; p++) { h = (h ^ *p) * 31; h ^= h >> 7; h += h << 3; HIDE(h); } return h; }\n"
        "static KEEP long run(long n) { const char *p = \"a key of a table\"; long s = hash_a(p) + hash_b(p); for (long i = 0; i < n; i++) { HIDE(p); s ^= hash_«a¦b»(p); } return s; }")
plant_c("other hasher", "a smaller table", "find", SAME,
        "struct item { long key; struct item *next; };\n"
        "static KEEP long find(struct item **table, long size, long key) { struct item *i = table[(unsigned long)key * 2654435761ul % size]; "
        "while (i && i->key != key) i = i->next; return i != 0; }\n"
        "static KEEP long run(long n) { static struct item items[500], *table[512]; long size = «509¦61»; HIDE(size); long s = 0; "
        "for (long i = 0; i < 500; i++) { struct item **at = &table[(unsigned long)i * 2654435761ul % size]; items[i] = (struct item){i, *at}; *at = &items[i]; } "
        "for (long i = 0; i < 500; i++) s += find(table, size, i); return s; }")

# --- a removed reserve
plant_rs("removed reserve", "of a text", "run", ALLOCATES, "", "let mut s = String::«with_capacity(8000)¦new()»; for x in names { s.push_str(x); } black_box(&s).len() as u64")
plant_rs("removed reserve", "of a hash table", "run", "(?i)" + ALLOCATES + "|rehash|resize", "",
         "let mut m: HashMap<u64, u64, Quick> = HashMap::with_capacity_and_hasher(«4000¦0», Default::default()); for &x in r { m.insert(x, x); } m.len() as u64")
plant_rs("removed reserve", "of a queue", "run", "(?i)" + ALLOCATES, "",
         "let mut q = VecDeque::«with_capacity(2000)¦new()»; for &x in r { q.push_back(black_box(x)); } q.len() as u64")
plant_rs("removed reserve", "a vector for each round", "run", "calls .*" + ALLOCATES + ".* (now|more often)", "",
         "let mut s = 0; let mut v: Vec<u64> = Vec::with_capacity(50); for c in r.chunks(50) { «v.clear();¦v = Vec::with_capacity(50);» v.extend(c); s ^= black_box(&v)[7]; } s")
GROW = ("static KEEP long run(long n) { long *p = 0, size = 0, s = 0; for (long i = 0; i < 2000; i++) { "
        "if (i == size) { size %s; p = realloc(p, size * sizeof *p); } p[i] = i; HIDE(p); } s = p[77]; free(p); return s; }")
plant_c("removed reserve", "growth by 16 elements", "run", "calls realloc more often, 125 times per call", GROW % "«= size ? 2 * size : 16¦+= 16»")
plant_c("removed reserve", "growth from nothing", "run", "calls realloc more often, 8 times per call, once? before|calls realloc more often, 8 times per call, 1 before",
        GROW % "= size ? 2 * size : «2000¦16»")

# --- a wider integer
WIDE = ("static KEEP %s sum(const unsigned *p, long n) { %s s = 1; for (long i = 0; i < n; i++) { s = s * 31 + p[i]; %s } return s; }\n"
        "static KEEP long run(long n) { static unsigned small[1000]; for (int i = 0; i < 1000; i++) small[i] = i * 77; return (long)sum(small, 1000); }")
plant_c("wider integer", "128 bits", "sum", OTHER, WIDE % (("«uint64_t¦unsigned __int128»",) * 2 + ("",)))
plant_c("wider integer", "half as many lanes", "total", OTHER, flags=("-O3", "-O3"),
        text="static KEEP long total(const «int¦long» *p, long n) { «int¦long» s = 0; for (long i = 0; i < n; i++) s += p[i] ^ 5; return s; }\n"
        "static KEEP long run(long n) { static int small[2000]; for (int i = 0; i < 2000; i++) small[i] = (int)numbers[i]; HIDE(n); return total(«small¦numbers», 10 * n) + small[n]; }")
plant_c("wider integer", "a division of 128 bits", "sum", "calls __udivti3|calls __udivmodti4|" + OTHER,
        "static KEEP long sum(long n) { «unsigned long¦unsigned __int128» s = ~0ul; for (long i = 1; i < n; i++) { s = (s << 3) / («unsigned long¦unsigned __int128»)(i * i + 3) + i; } "
        "return (long)s; }\nstatic KEEP long run(long n) { return sum(n); }")
plant_rs("wider integer", "128 bits", "product", OTHER + "|calls .*mul",
         "#[inline(never)] fn product(v: &[u64]) -> u64 { let mut s: «u64¦u128» = 1; for &x in v { s = s.wrapping_add((x as «u64¦u128»).wrapping_mul(x as «u64¦u128»)); } s.count_ones() as u64 }", "product(r)")
plant_rs("wider integer", "half as many lanes", "total", OTHER,
         "#[inline(never)] fn total(v: &[«u32¦u64»]) -> u64 { let mut s: «u32¦u64» = 0; for &x in v { s = s.wrapping_add(x ^ 5); } s as u64 }", "black_box((r, w)); total(«w¦r»)")

# --- checks
plant_c("checks", "of an index", "pick", OTHER, "static KEEP long pick(const long *p, long size, long i) { «¦if (i < 0 || i >= size) abort();» return p[i]; }\n"
        "static KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) s += pick(numbers, 2000, i); return s; }")
plant_rs("checks", "of overflow", "total", OTHER,
         "#[inline(never)] fn total(v: &[u32]) -> u32 { let mut s = 0u32; for &x in v { s = «s.wrapping_add(x)¦s.checked_add(x).unwrap()»; } s }", "total(&w[..900]) as u64")
plant_rs("checks", "of UTF-8", "run", "calls .*(utf8|from_utf8).* (now|more often)", "",
         "let mut n = 0; for s in names { n += black_box(«unsafe { std::str::from_utf8_unchecked(s.as_bytes()) }¦std::str::from_utf8(black_box(s.as_bytes())).unwrap()»).len(); } n as u64")
plant_rs("checks", "an assertion in a loop", "total", OTHER,
         "#[inline(never)] fn total(v: &[u32]) -> u64 { let mut s = 0u64; for &x in v { let x = black_box(x); «¦assert!(x < 1 << 20, \"too large\");» s += x as u64; } s }", "total(w)")
plant_rs("checks", "of borrows", "bump", OTHER,
         "#[inline(never)] fn bump(c: &«Cell¦RefCell»<u64>, x: u64) { «c.set(c.get() ^ x);¦*c.borrow_mut() ^= x;» }",
         "let c = «Cell¦RefCell»::new(0); for &x in r { bump(black_box(&c), x); } c.into_inner()")

# --- formatting
FORMATS = "(?i)calls .*(fmt|format|write|pad|to_string|printf|fmt::num|Display|Debug).* (now|more often)"
plant_rs("formatting", "numbers as text", "run", FORMATS + "|calls .*" + ALLOCATES, "", "let mut n = 0; for &x in &w[..300] { n += «black_box(x) as usize¦black_box(x.to_string()).len()»; } n as u64")
plant_rs("formatting", "for debugging", "run", FORMATS, "", "let mut s = String::new(); for x in &names[..100] { «s.push_str(x);¦write!(s, \"{:?}\", x).unwrap();» } s.len() as u64")
plant_rs("formatting", "of floating point", "run", FORMATS, "",
         "let mut s = String::new(); for &x in &w[..100] { «write!(s, \"{}\", x)¦write!(s, \"{:.3}\", x as f64 / 7.0)».unwrap(); } s.len() as u64")
plant_c("formatting", "snprintf in a loop", "run", "calls snprintf now", "static KEEP long run(long n) { char text[40]; char *p = text; long s = 0; "
        "for (long i = 0; i < n; i++) { HIDE(p); «p[0] = 'a' + i % 26; p[1] = 0;¦snprintf(p, 40, \"%ld\", i);» s += p[0]; } return s; }")
plant_c("formatting", "wider numbers", "run", "(printf|itoa|buffered).* does more per call|calls .* more often", "static KEEP long run(long n) { char text[80]; char *p = text; long s = 0; "
        "for (long i = 0; i < n; i++) { HIDE(p); snprintf(p, 80, \"%«4¦40»ld\", i); s += p[0]; } return s; }")

# --- the allocator
PATHS = "(malloc|free|calloc|realloc) takes another path|calls (malloc|free|calloc|realloc)\\w* (now|more often)"
plant_c("allocator", "other sizes", "run", "(malloc|free) takes another path", "static KEEP long run(long n) { long s = 0, size = «24¦4000»; HIDE(size); "
        "for (long i = 0; i < n; i++) { char *p = malloc(size); HIDE(p); p[0] = i; s += p[0]; free(p); } return s; }")
plant_c("allocator", "another state of the heap", "fill|use", PATHS,
        "static KEEP void fill(void) { static void *at[400], **p = at; HIDE(p); for (int i = 0; i < 400; i++) p[i] = malloc(1200 + 16 * (i % 40)); «¦for (int i = 0; i < 400; i += 2) free(p[i]);» }\n"
        "static KEEP long use(long n) { long s = 0; for (long i = 0; i < n; i++) { char *p = malloc(1100 + 64 * (i % 9)); HIDE(p); p[0] = 1; s += p[0]; } return s; }\n"
        "static KEEP long run(long n) { fill(); return use(n); }")
plant_c("allocator", "malloc in place of calloc", "run", "calls (malloc|calloc|(__)?memset\\w*)|no longer calls calloc", "static KEEP long run(long n) { long s = 0; "
        "for (long i = 0; i < n; i++) { char *p = «malloc(600); p[7] = 1¦calloc(20, 30)»; HIDE(p); s += p[7]; free(p); } return s; }")
plant_c("allocator", "the heap in place of the stack", "run", PATHS, "static KEEP long run(long n) { long s = 0; for (long i = 0; i < n; i++) { "
        "«char a[40], *p = a;¦char *p = malloc(40);» HIDE(p); p[7] = i; s += p[7]; «¦free(p);» } return s; }")
plant_c("allocator", "blocks freed in another order", "run|drop", "free takes another path|(malloc|free) takes",
        "static KEEP void drop(void **p, long first, long step) { for (long i = 0; i < 300; i++) free(p[(first + i * step) % 300]); }\n"
        "static KEEP long run(long n) { static void *p[300]; long step = «1¦7»; HIDE(step); for (int i = 0; i < 300; i++) p[i] = malloc(1500); drop(p, 0, step); return 1; }")
plant_rs("allocator", "that of the program", "run|main|steady", "(?i)(malloc|alloc|free)",
         "use std::alloc::{GlobalAlloc, Layout, System}; use std::sync::atomic::*; struct Bump; static mut ARENA: [u64; 1 << 16] = [0; 1 << 16]; static AT: AtomicUsize = AtomicUsize::new(0);\n"
         "unsafe impl GlobalAlloc for Bump { #[inline(never)] unsafe fn alloc(&self, l: Layout) -> *mut u8 { "
         "let at = AT.fetch_add((l.size() + 15) & !15, Ordering::Relaxed); (std::ptr::addr_of_mut!(ARENA) as *mut u8).add(at) } unsafe fn dealloc(&self, _: *mut u8, _: Layout) {} }\n"
         "#[global_allocator] static HEAP: «Bump = Bump¦System = System»;", "let mut s = 0; for &x in &r[..500] { let b = black_box(Box::new(x)); s ^= *b; } s")

# --- flags: the sentence is about the code, and a line below has the flags
WORK = ("static long mix(long a, long b) { a ^= b << 7; return a * 5 ^ b; }\nstatic KEEP long work(const long *p, long n) { long s = 0; long part[4] = {0}; "
        "for (long i = 0; i < n; i++) { s += mix(s, p[i]); part[i % 4] += s; } return s + part[1] + part[3]; }\nstatic KEEP long run(long n) { return work(numbers, 1900); }")
CALLED = "static long mix(long a, long b) { a ^= b << 7; HIDE(a); return a * 5 ^ b; }\n" + TWICE % "s += mix(s, i);"
for one, other in ("-O2", "-O1"), ("-O2", "-O2 -fstack-protector-all"), ("-O2", "-O2 -fno-omit-frame-pointer"), ("-O2", "-O2 -fno-inline"):
    plant_c("flags", "%s to %s" % (one, other), "work|run|check|steady|main|mix", "", CALLED if "-f" in other else WORK, flags=(one, other))
RUST_WORK = ("#[inline(never)] fn cells(v: &[u32]) -> u32 { let mut s = 0; for w in v.windows(3) { s ^= w[0] + w[1] * 2 + w[2]; } s }\n" + RUN +
             "{ let mut v = w[..600].to_vec(); v.sort(); cells(&v) as u64 ^ v.iter().filter(|x| *x % 3 == 1).count() as u64 }")
for one, other in ("opt-level = 3", "opt-level = 1"), ("debug-assertions = false", "debug-assertions = true"), ("lto = false", "lto = true"):
    plant("flags", "%s to %s" % (one, other), "cargo", r"(?!\[before and after main\]).*", "", RUST_WORK, flags=(one, other))

# --- another variant of a function of libc
VARIES = "static KEEP long run(long n) { static char a[600], b[600]; char *p = a, *q = b; long s = 0; memset(p, 'x', 599); memset(q, 'x', 599); for (long i = 0; i < n; i++) { HIDE(p); HIDE(q); s += %s; } return s; }"
for name, call in (("memmove", "(long)(memmove(p, q, 400 + i) != 0)"), ("memset", "(long)(memset(p, (int)i, 300 + i) != 0)"), ("strlen", "strlen(p + i)"),
                   ("memcmp", "memcmp(p + i, q + i, 350)"), ("sin", "(long)(1000 * sin(i))")):
    names = "mem(cpy|move)" if name == "memmove" else name # one address has both
    plant_c("libc's variant", name, "run", "libc runs (its plain )?(__)?%s\\w* in place of (its plain )?(__)?%s\\w*" % (names, names), VARIES % call, levels=("v3", "v2"), flags=("-lm", "-lm"))
