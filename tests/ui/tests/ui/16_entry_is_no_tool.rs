//! Why: The list becomes the server's routes and the worker's proxies; a plain function has neither.
//! Repair: Annotate the function with `#[agent_tool(…)]`, or take the entry out.

use ui_tests::*;

pub async fn helper() {}

registry! { pub mod tools = [helper]; }

fn main() {}
