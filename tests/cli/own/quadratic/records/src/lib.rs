//! Lines of an access log.
#[derive(Clone, Debug)]
pub struct Record {
    pub client: String,
    pub path: String,
    pub status: u16,
    pub bytes: u64,
}

pub fn parse_line(line: &str) -> Option<Record> {
    let mut fields = line.split_whitespace();
    let client = fields.next()?.to_string();
    let path = fields.next()?.to_string();
    let status = fields.next()?.parse().ok()?;
    let bytes = fields.next()?.parse().ok()?;
    Some(Record { client, path, status, bytes })
}

/// Calls `then` with each line that can be read.
#[inline(always)]
pub fn each<F: FnMut(Record)>(text: &str, mut then: F) {
    for line in text.lines() {
        if let Some(record) = parse_line(line) {
            then(record);
        }
    }
}
