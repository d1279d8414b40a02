// fields.rs - misses of known members of known types, in caches of lines of 64 bytes: D1 of 32 KiB and 8 ways.
use std::collections::HashMap;
use std::rc::Rc;

const N: usize = 4096;

#[derive(Clone)]
#[repr(C, align(64))]
pub struct Particle {
    pub pos: [f64; 3],
    pub velocity: [f64; 3],
    pub mass: f64,
    pub id: u32,
}

/// A cold member between hot ones.
#[repr(C, align(64))]
pub struct Order {
    pub price: f64,
    pub note: [u8; 248],
    pub amount: f64,
}

#[repr(C, align(64))]
pub struct Node {
    pub key: u64,
    pub next: Option<Box<Node>>,
}

pub struct Shared {
    pub weight: f64,
    pub tail: [u64; 13],
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Value {
    pub low: u64,
    pub high: u64,
}

#[inline(never)]
fn particles() -> Vec<Particle> {
    vec![Particle { pos: [1.0; 3], velocity: [2.0; 3], mass: 3.0, id: 4 }; N]
}

#[inline(never)]
fn mass(particles: &[Particle]) -> f64 {
    particles.iter().map(|p| unsafe { std::ptr::read_volatile(&p.mass) }).sum()
}

#[inline(never)]
fn orders() -> Vec<Order> {
    (0..N).map(|i| Order { price: i as f64, note: [0; 248], amount: 2.0 }).collect()
}

#[inline(never)]
fn total(orders: &[Order]) -> f64 {
    orders.iter().map(|o| unsafe { std::ptr::read_volatile(&o.price) * std::ptr::read_volatile(&o.amount) }).sum()
}

#[inline(never)]
fn nodes() -> Option<Box<Node>> {
    let mut head = None;
    for i in 0..N {
        head = Some(Box::new(Node { key: i as u64, next: head }));
    }
    head
}

#[inline(never)]
fn walk(mut node: &Option<Box<Node>>) -> u64 {
    let mut sum = 0;
    while let Some(n) = node {
        sum += unsafe { std::ptr::read_volatile(&n.key) };
        node = &n.next;
    }
    sum
}

#[inline(never)]
fn shared() -> Vec<Rc<Shared>> {
    (0..N).map(|i| Rc::new(Shared { weight: i as f64, tail: [0; 13] })).collect()
}

#[inline(never)]
fn weigh(shared: &[Rc<Shared>]) -> f64 {
    shared.iter().map(|s| unsafe { std::ptr::read_volatile(&s.weight) }).sum()
}

#[inline(never)]
fn map() -> HashMap<u64, Value> {
    let mut map = HashMap::with_capacity(N);
    for i in 0..N as u64 {
        map.insert(i, Value { low: i, high: i });
    }
    map
}

#[inline(never)]
fn ask(map: &HashMap<u64, Value>) -> u64 {
    map.values().map(|v| unsafe { std::ptr::read_volatile(&v.high) }).sum()
}

fn main() {
    let (particles, orders, nodes, shared, map) = (particles(), orders(), nodes(), shared(), map());
    let sum = mass(&particles) + total(&orders) + weigh(&shared);
    std::process::exit((sum as u64 + walk(&nodes) + ask(&map)) as i32 & 1);
}
