//! The macros where nothing is counted. They take what those of `on` take.

/// Counts a section: `let _guard = section!("name");` until the guard is dropped, and
/// `section!("name", expression)` while the expression is evaluated, whose value it has.
#[macro_export]
macro_rules! section {
    ($name:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
        $crate::Section::nothing()
    }};
    // Braces around an only expression would be the user's, and unnecessary.
    ($name:expr, { $($body:tt)* } $(,)?) => {{
        const _: () = $crate::private::check($name);
        $($body)*
    }};
    ($name:expr, $body:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
        $body
    }};
}

/// Begins a section that [`stop!`] ends, perhaps in another function of the same thread.
#[macro_export]
macro_rules! start {
    ($name:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
    }};
}

/// Ends the section of this name that this thread began last.
#[macro_export]
macro_rules! stop {
    ($name:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
    }};
}

/// Adds a number, of any integer type and not negative, to a count of the program's own, which is
/// an event like any other in a profile.
/// The name of an event is a letter and letters, digits, `_` and `-`.
#[macro_export]
macro_rules! event {
    ($name:expr, $n:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
        let _ = || $n as u64;
    }};
}

/// A future whose polls are one entry of a section: `future!("name", f).await`.
#[macro_export]
macro_rules! future {
    ($name:expr, { $($future:tt)* } $(,)?) => {{
        const _: () = $crate::private::check($name);
        $($future)*
    }};
    ($name:expr, $future:expr $(,)?) => {{
        const _: () = $crate::private::check($name);
        $future
    }};
}
