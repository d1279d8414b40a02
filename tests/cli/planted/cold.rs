// Particles whose name, which nobody reads, lies between what each step needs.
#[repr(C)]
pub struct Particle {
    position: [f64; 2],
    name: [u8; 96],
    velocity: [f64; 2],
    colour: [u8; 64],
}
#[inline(never)]
fn step(all: &mut [Particle], time: f64) {
    for p in all.iter_mut() {
        p.position[0] += p.velocity[0] * time; // planted
        p.position[1] += p.velocity[1] * time;
    }
}
#[inline(never)]
fn make(n: usize) -> Vec<Particle> {
    (0..n).map(|i| Particle { position: [i as f64; 2], name: [b'p'; 96], velocity: [1.0, i as f64], colour: [0; 64] }).collect()
}
fn main() {
    let mut all = make(4000);
    for _ in 0..20 {
        step(&mut all, 0.1);
    }
    println!("{} {}", all.iter().map(|p| p.position[1]).sum::<f64>(), all[7].name[3]);
}
