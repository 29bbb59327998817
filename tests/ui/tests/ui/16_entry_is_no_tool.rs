use ui_tests::*;

pub async fn helper() {}

registry! { pub mod tools = [helper]; }

fn main() {}
