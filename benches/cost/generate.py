"""Writes a workspace whose variants declare the same N tools.

Half of the tools read and half write, as in a real registry. The names, arguments and words are the same in each
variant; only what the variant's library needs is added.
"""

import pathlib
import shutil

MEMBERS = ["plain", "rmcp-peer", "rover-tools", "rover-server", "rover-worker"]

# What a tool edit changes: a literal in one body, as an author would.
MARK = "edited 0 times"


def write(project: pathlib.Path, root: pathlib.Path, count: int) -> None:
    """The workspace for `count` tools, written anew."""
    shutil.rmtree(project, ignore_errors=True)
    put(project / "Cargo.toml", workspace(root))
    shutil.copy(root / "rust-toolchain.toml", project)
    # The same versions of everything shared, so that only the variants differ.
    shutil.copy(root / "Cargo.lock", project)
    for name in MEMBERS:
        put(project / name / "Cargo.toml", manifest(name))
    put(project / "plain" / "src" / "lib.rs", plain(count))
    put(project / "rmcp-peer" / "src" / "main.rs", rmcp(count))
    put(project / "rover-tools" / "src" / "lib.rs", rover_tools(count))
    put(project / "rover-server" / "src" / "main.rs", ROVER_SERVER)
    put(project / "rover-worker" / "src" / "main.rs", ROVER_WORKER)


def edit_one_tool(project: pathlib.Path, package: str, turn: int) -> None:
    """Changes one literal in the body of the first tool."""
    source = next(path for path in (project / package / "src").iterdir() if path.name in ("lib.rs", "main.rs"))
    text = source.read_text()
    before = MARK if turn == 0 else f"edited {turn} times"
    put(source, text.replace(before, f"edited {turn + 1} times", 1))


def put(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def workspace(root: pathlib.Path) -> str:
    members = ", ".join(f'"{name}"' for name in MEMBERS)
    return f"""\
[workspace]
resolver = "3"
members = [{members}]

[workspace.dependencies]
agent-contract = {{ path = "{root / 'agent-contract'}" }}
rmcp = {{ version = "=3.11.0", default-features = false, features = ["server", "macros", "schemars", "transport-io"] }}
schemars = {{ version = "1.2.3", features = ["preserve_order"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = {{ version = "1", features = ["preserve_order"] }}
tokio = {{ version = "1", features = ["rt-multi-thread", "macros"] }}

[profile.dev]
debug = "line-tables-only"

[profile.release]
strip = true
"""


NEEDS = {
    "plain": ["schemars", "serde"],
    "rmcp-peer": ["rmcp", "schemars", "serde", "tokio"],
    "rover-tools": ["agent-contract", "schemars", "serde"],
    "rover-server": ["agent-contract", "rover-tools"],
    "rover-worker": ["agent-contract", "rover-tools"],
}


def manifest(name: str) -> str:
    lines = [
        'rover-tools = { path = "../rover-tools" }' if need == "rover-tools" else f"{need}.workspace = true"
        for need in NEEDS[name]
    ]
    dependencies = "\n".join(lines)
    return f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n{dependencies}\n'


def arguments(i: int, derives: str, closed: bool) -> str:
    deny = "#[serde(deny_unknown_fields)]\n" if closed else ""
    return f"""\
/// What the model supplies for thing {i}.
#[derive({derives})]
{deny}pub struct Thing{i} {{
    /// Name of the thing, e.g. "Globe {i}".
    pub name: String,
    /// How many to answer at most.
    pub limit: i64,
    /// Whether put-away things count.
    pub archived: Option<bool>,
}}
"""


def name(i: int) -> str:
    return f"{'get' if i % 2 == 0 else 'create'}_thing_{i}"


def body(i: int) -> str:
    mark = MARK if i == 0 else f"thing {i}"
    return f'format!("{mark}: {{}} {{}} {{:?}}", args.name, args.limit, args.archived)'


def plain(count: int) -> str:
    parts = ["//! Functions and derives.\n\nuse schemars::JsonSchema;\nuse serde::Deserialize;\n"]
    for i in range(count):
        parts.append(arguments(i, "Debug, Deserialize, JsonSchema", closed=False))
        parts.append(f"/// Does {name(i)}.\npub async fn {name(i)}(args: Thing{i}) -> String {{\n    {body(i)}\n}}\n")
    return "\n".join(parts)


def rmcp(count: int) -> str:
    parts = [
        "//! The same tools as an MCP server.\n\n"
        "use rmcp::handler::server::wrapper::Parameters;\n"
        "use rmcp::{ServiceExt as _, tool, tool_router};\nuse schemars::JsonSchema;\nuse serde::Deserialize;\n"
    ]
    parts += [arguments(i, "Debug, Deserialize, JsonSchema", closed=False) for i in range(count)]
    parts.append("#[derive(Clone)]\npub struct Things;\n\n#[tool_router(server_handler)]\nimpl Things {")
    for i in range(count):
        parts.append(
            f'    /// Does {name(i)}.\n    #[tool(name = "{name(i)}")]\n'
            f"    pub async fn {name(i)}(&self, Parameters(args): Parameters<Thing{i}>) -> String {{\n"
            f"        {body(i)}\n    }}\n"
        )
    parts.append(
        "}\n\n#[tokio::main]\nasync fn main() {\n"
        "    let service = Things.serve(rmcp::transport::stdio()).await;\n"
        "    if let Ok(service) = service {\n        let _ = service.waiting().await;\n    }\n}\n"
    )
    return "\n".join(parts)


def rover_tools(count: int) -> str:
    parts = [ROVER_HEAD]
    for i in range(count):
        writes = i % 2 == 1
        posture = "Create, Department" if writes else "Read, Department"
        port = "EditThings" if writes else "Things"
        parts.append(arguments(i, "Debug, Deserialize, JsonSchema, ToolArgs", closed=True))
        parts.append(
            f"/// Does {name(i)}.\n"
            f"#[agent_tool(\n    scope = general,\n    posture = casl({posture}),\n    roles = [Rover],\n"
            f'    label = "{"Creating" if writes else "Getting"} thing {i}",\n'
            f'    examples = [{{ name: "Globe", limit: 3 }}],\n)]\n'
            f"pub async fn {name(i)}(cx: &ToolCx<impl {port}>, args: Thing{i}) -> ToolResult<Thing> {{\n"
            f"    cx.services().{'create' if writes else 'get'}({body(i)}).await\n}}\n"
        )
    lines = "".join(f"        {name(i)},\n" for i in range(count))
    parts.append(f"agent_contract::registry! {{\n    pub mod agent_tools = [\n{lines}    ];\n}}\n")
    return "\n".join(parts)


ROVER_HEAD = """\
//! The same tools, declared once for both sides.

use std::future::Future;

use agent_contract::{AuditSubject, Subject, ToolArgs, ToolCx, ToolResult, agent_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a tool answers.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Thing {
    /// What was found or made.
    pub words: String,
}

impl AuditSubject for Thing {
    fn subjects(&self) -> Vec<Subject> {
        vec![Subject { kind: "thing".into(), id: self.words.clone() }]
    }
}

/// Reads things.
pub trait Things: Send + Sync {
    /// One thing.
    fn get(&self, words: String) -> impl Future<Output = ToolResult<Thing>> + Send;
}

/// Writes things.
pub trait EditThings: Things {
    /// A new thing.
    fn create(&self, words: String) -> impl Future<Output = ToolResult<Thing>> + Send;
}
"""

ROVER_SERVER = """\
//! The server's half: every tool on real frames, dispatched by its event.

use std::collections::HashMap;

use agent_contract::{Dispatch, Host, ToolResult};
use rover_tools::{EditThings, Thing, Things, agent_tools};

struct Server;
struct Rows;
struct Changes;

impl Host for Server {
    type Read = Rows;
    type Write = Changes;
}

impl Things for Rows {
    async fn get(&self, words: String) -> ToolResult<Thing> {
        Ok(Thing { words })
    }
}

impl Things for Changes {
    async fn get(&self, words: String) -> ToolResult<Thing> {
        Ok(Thing { words })
    }
}

impl EditThings for Changes {
    async fn create(&self, words: String) -> ToolResult<Thing> {
        Ok(Thing { words })
    }
}

fn main() {
    let routes: HashMap<_, _> =
        agent_tools::routes::<Server>().into_iter().map(|route| (route.def.event, route.run)).collect();
    let writes = routes.values().filter(|run| matches!(run, Dispatch::Write(_))).count();
    println!("{} events, {writes} of them write", routes.len());
}
"""

ROVER_WORKER = """\
//! The worker's half: every tool as data for one generic caller.

use rover_tools::agent_tools;

/// The worker's own ports; these tools need none.
struct Desk;

fn main() {
    let offered: usize = agent_tools::proxies::<Desk>()
        .iter()
        .map(|tool| (tool.definition().args_schema)().to_string().len())
        .sum();
    println!("{offered} bytes of schemas");
}
"""
