//! A message built at compile time, where nothing can be allocated.

const ROOM: usize = 1024;

/// A buffer for the text of a panic. What does not fit is cut off.
pub(super) struct Message {
    bytes: [u8; ROOM],
    length: usize,
}

impl Message {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }

    /// Appends a text.
    pub(super) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() && self.length < ROOM {
            self.bytes[self.length] = bytes[i];
            self.length += 1;
            i += 1;
        }
        self
    }

    /// Appends a list, separated by commas.
    pub(super) const fn list(mut self, list: &[&str]) -> Self {
        let mut i = 0;
        while i < list.len() {
            if i > 0 {
                self = self.text(", ");
            }
            self = self.text(list[i]);
            i += 1;
        }
        self
    }

    /// Appends a number.
    pub(super) const fn number(self, number: u32) -> Self {
        let mut digits = [0_u8; 10];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let (_, digits) = digits.split_at(at);
        match core::str::from_utf8(digits) {
            Ok(digits) => self.text(digits),
            Err(_) => self,
        }
    }

    /// The message.
    pub(super) const fn get(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "a check failed",
        }
    }
}
