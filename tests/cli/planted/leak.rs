// A server that forgets every tenth session.
struct Session {
    id: u64,
    log: Vec<u8>,
}
#[inline(never)]
fn open(id: u64) -> Session {
    Session { id, log: vec![b'.'; 200] } // planted
}
#[inline(never)]
fn answer(session: &Session, request: u64) -> String {
    let mut text = String::new();
    for part in 0..8 {
        text.push_str(&format!("{}/{}/{};", session.id, request, part));
    }
    text
}
fn main() {
    let mut bytes = 0;
    for id in 0..2000 {
        let session = open(id);
        for request in 0..3 {
            bytes += answer(&session, request).len() + session.log.len();
        }
        if id % 10 == 0 {
            std::mem::forget(session);
        }
    }
    println!("{}", bytes);
}
