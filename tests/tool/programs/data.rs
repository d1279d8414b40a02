// data.rs - a vector of structs whose misses are known, for data.test: each particle has a line of its own.
#[repr(C, align(64))]
#[derive(Clone)]
struct Particle {
    x: f64,
    rest: [f64; 6],
    id: u32,
    flag: u32,
}

#[inline(never)]
fn make(n: usize) -> Vec<Particle> {
    Vec::with_capacity(n)
}

#[inline(never)]
fn fill(particles: &mut Vec<Particle>, n: usize) {
    for i in 0..n {
        particles.push(Particle { x: i as f64, rest: [0.0; 6], id: i as u32, flag: 0 });
    }
}

#[inline(never)]
fn flags(particles: &[Particle]) -> u32 {
    particles.iter().map(|p| unsafe { std::ptr::read_volatile(&p.flag) }).sum()
}

fn main() {
    let n = 4096;
    let mut particles = make(n);
    fill(&mut particles, n);
    std::process::exit(flags(&particles) as i32 + (particles[0].id + particles[0].x as u32 + particles[0].rest[5] as u32) as i32);
}
