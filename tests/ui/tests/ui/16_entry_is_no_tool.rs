use ui_tests::*;

pub async fn helper() {}

pub struct NotATool;

registry! { pub mod functions = [helper]; }

registry! { pub mod types = [NotATool]; }

fn main() {}
