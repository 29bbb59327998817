//! What the documentation tells a reader to type, typed into a shell.

use tools::agent_tools::DEFS;

use crate::support::Folder;

const REGISTRY: &str = include_str!("../../tools/REGISTRY.md");

#[test]
fn every_command_of_the_registry_page_runs_as_it_stands() {
    let demo = Folder::empty();
    demo.left_by("dev", &[]);
    let commands = fenced(REGISTRY, "sh");
    for command in &commands {
        // What one command writes, the next must not find.
        let (status, printed) = demo.copied().shell(command);
        assert!(status.success() && printed.contains("\"scopeContext\""), "{command}\n{printed}");
    }
    for def in DEFS.iter().filter(|def| def.event.is_some()) {
        let call = format!("rover call {} ", def.name);
        assert!(commands.iter().any(|command| command.starts_with(&call)), "{call} is not shown");
    }
}

/// The blocks of this language.
fn fenced<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("\n```{language}\n");
    let blocks = page.split(fence.as_str()).skip(1);
    blocks.map(|block| block.split_once("\n```").expect("the block ends").0).collect()
}
