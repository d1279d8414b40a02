// Each macro, on lines of their own: without these lines it is the same program.
use std::future::Future;

#[no_mangle]
pub fn guarded(values: &[u64]) -> Option<u64> {
    let _guard = cprof::section!("guarded");
    let first = values.first()?;
    cprof::event!("values", values.len());
    Some(first + values.iter().map(|v| v ^ 3).sum::<u64>())
}

#[no_mangle]
pub fn expression(values: &mut Vec<u64>) -> usize {
    cprof::start!("outer");
    let n =
        cprof::section!(concat!(module_path!(), "::inner"),
        {
            values.sort();
            if values.is_empty() {
                return 1;
            }
            values.dedup();
            values.len()
        }
        ) // cprof
        ;
    cprof::stop!("outer");
    n
}

#[no_mangle]
#[cprof_macros::profile]
pub fn called(text: &str) -> Result<u32, std::num::ParseIntError> {
    let n: u32 = text.parse()?;
    Ok(n * 2)
}

pub struct Stack<T>(Vec<T>);

impl<T: Copy> Stack<T> {
    #[cprof_macros::profile("Stack::twice")]
    fn twice(&mut self) {
        let top = self.0[self.0.len() - 1];
        self.0.push(top);
    }
}

#[no_mangle]
pub fn generic(n: u8) -> usize {
    let mut stack = Stack(vec![n]);
    stack.twice();
    stack.0.len()
}

#[no_mangle]
pub fn future(n: u32) -> impl Future<Output = u32> {
    async move {
        cprof::future!("waits",
            std::future::ready(n)
        ) // cprof
            .await
            + 1
    }
}
