//! Printing for a reader who may leave: `rover dev | head` closes the pipe, and that is no reason to end.

use std::fmt::Arguments;
use std::io::Write as _;

/// Prints a line, as `println!` does, but does not panic when nobody reads it.
macro_rules! say {
    ($($text:tt)*) => { $crate::say::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// Prints the line, or lets it go where nobody reads.
pub(crate) fn line(text: Arguments<'_>) {
    // The one thing that goes wrong here is that the reader is gone, and then there is nobody to tell.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
