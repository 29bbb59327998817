// The tools of this server, searchable. Drawn from `GET /api/tools` and nothing else.

import { api } from "./api.js";
import { el } from "./dom.js";
import { words } from "./turn-log.js";

/**
 * @param {HTMLElement} place
 * @param {string} [open] name of the tool that is shown opened
 * @returns {Promise<Error | undefined>} what went wrong, which the place then says
 */
export async function drawTools(place, open) {
  place.replaceChildren(el("p", { class: "waiting-line", text: "Reading the tools…" }));
  let fault;
  try {
    place.replaceChildren(...page((await api.tools()).tools, open));
  } catch (error) {
    fault = error;
    place.replaceChildren(head(), el("p", { class: "fault", role: "alert", text: error.message }));
  }
  const opened = place.querySelector("details[open]");
  (opened?.querySelector("summary") ?? place.querySelector("h1")).focus();
  opened?.scrollIntoView({ block: "start" });
  return fault;
}

function page(tools, open) {
  const rows = tools.map((tool) => ({ tool, node: row(tool, tool.name === open), text: haystack(tool) }));
  const count = el("p", { class: "count", role: "status" });
  const search = el("input", { type: "search", id: "tool-search", autocomplete: "off", placeholder: "enrol, register, campus…" });
  const show = () => {
    const wanted = fold(search.value).split(/\s+/).filter(Boolean);
    const found = rows.filter(({ text, node }) => !(node.hidden = !wanted.every((word) => text.includes(word))));
    count.textContent = wanted.length === 0 ? `${tools.length} tools` : `${found.length} of ${tools.length} tools`;
  };
  search.addEventListener("input", show);
  show();
  return [
    head(),
    el("div", { class: "tool-search" }, el("label", { for: "tool-search", text: "Search" }), search, count),
    el("ul", { class: "tool-list" }, ...rows.map(({ node }) => node)),
  ];
}

function head() {
  return el(
    "header",
    { class: "trace-head" },
    el("h1", { text: "Tools", tabindex: "-1" }),
    el("p", { class: "lead", text: "What Rover can do here, for whom, and what it answers." }),
  );
}

/** Whatever a person may look for. */
function haystack(tool) {
  const parts = [
    tool.name.replaceAll("_", " "),
    tool.description,
    tool.label,
    ...tool.sentences,
    ...tool.agents.map(words),
    ...(tool.gate.roles ?? []).map(({ role }) => words(role)),
    ...tool.arguments.flatMap(({ name, meaning }) => [name, meaning]),
  ];
  return fold([tool.name, ...parts].join(" "));
}

function fold(text) {
  return text.normalize("NFKD").toLowerCase();
}

function row(tool, open) {
  return el(
    "li",
    {},
    el(
      "details",
      { class: "tool", open },
      el(
        "summary",
        {},
        el("code", { class: "tool-name", text: tool.name }),
        el("span", { class: "effect", "data-effect": tool.effect, text: tool.effect === "write" ? "writes" : "reads" }),
        el("span", { class: "does", text: tool.description.split("\n")[0] }),
      ),
      el("div", { class: "tool-body" }, ...body(tool)),
    ),
  );
}

const SCOPES = { general: "Every mode", campus: "Campus mode", school: "School mode" };

function body(tool) {
  return [
    el(
      "dl",
      { class: "facts" },
      ...[
        ["Offered in", SCOPES[tool.scope]],
        ["Agents", tool.agents.map(words).join(", ")],
        ["May be run by", gate(tool.gate)],
        ["Asks first", tool.asksFirst ? "Yes" : "No"],
        ["Activity line", `${tool.label}…`],
        ["Event", tool.event ?? "None, it runs in the worker"],
        ["Declared at", tool.declaredAt],
      ].map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }))),
    ),
    ...(tool.arguments.length > 0 ? [el("h2", { text: "Arguments" }), argumentsTable(tool)] : []),
    ...tool.examples.flatMap(example),
    ...(tool.sentences.length > 0
      ? [
          el("h2", { text: "Sentences that the offline planner knows" }),
          el("ul", { class: "sentences" }, ...tool.sentences.map((text) => el("li", {}, el("code", { text })))),
        ]
      : []),
    schema("Argument schema", tool.argumentsSchema),
    schema("Result schema", tool.resultSchema),
  ];
}

function gate({ by, roles }) {
  if (by === "ownership") return "Whoever owns the record, proven on every call";
  if (by === "offer") return "Whoever it is offered to";
  return roles.map(({ role, reach }) => `${words(role)} (${reach})`).join(", ");
}

function argumentsTable(tool) {
  const rows = tool.arguments.map(({ name, required, meaning, lookedUpWith, example }) =>
    el(
      "tr",
      {},
      el("td", {}, el("code", { text: name })),
      el("td", { text: required ? "yes" : "no" }),
      el(
        "td",
        {},
        meaning,
        lookedUpWith && " Found with ",
        lookedUpWith && el("a", { href: `#/tools/${encodeURIComponent(lookedUpWith)}`, text: lookedUpWith }),
        lookedUpWith && ".",
      ),
      el("td", {}, example !== undefined && el("code", { text: JSON.stringify(example) })),
    ),
  );
  const titles = ["Name", "Required", "Meaning", "Example"];
  return el(
    "div",
    { class: "table-scroll", tabindex: "0", role: "group", "aria-label": `Arguments of ${tool.name}` },
    el(
      "table",
      { class: "plain" },
      el("thead", {}, el("tr", {}, ...titles.map((text) => el("th", { scope: "col", text })))),
      el("tbody", {}, ...rows),
    ),
  );
}

function example({ command, arguments: given, result }) {
  return [
    el("h2", { text: command ? "Example" : "Example, asked for in a chat" }),
    el("pre", { tabindex: "0", text: command ?? JSON.stringify(given) }),
    ...(result === undefined ? [] : [el("pre", { tabindex: "0", text: JSON.stringify(result, null, 2) })]),
  ];
}

function schema(title, value) {
  return el(
    "details",
    { class: "schema" },
    el("summary", { text: title }),
    el("pre", { tabindex: "0", text: JSON.stringify(value, null, 2) }),
  );
}
