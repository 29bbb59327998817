// The trace of one turn: which hop dropped it? Four lanes, one row a call, and for each call the strip
// of the server's gates up to the one that stopped it. Drawn from `GET /api/turns/{id}` and nothing else.

import { api } from "./api.js";
import { el, icon } from "./dom.js";
import { describe, fold, GATES, LANES, words } from "./turn-log.js";

/** @returns {Promise<Error | undefined>} what went wrong, which the place then says */
export async function drawTrace(place, id) {
  place.replaceChildren(el("p", { class: "waiting-line", text: "Reading the trace…" }));
  let fault;
  try {
    place.replaceChildren(...page(fold(await api.turn(id))));
  } catch (error) {
    fault = error;
    place.replaceChildren(head("Trace", undefined), el("p", { class: "fault", role: "alert", text: error.message }));
  }
  place.querySelector("h1").focus();
  return fault;
}

function page(turn) {
  const lanes = lanesTable(turn);
  const failedOnly = el("input", { type: "checkbox", id: "failed-only" });
  failedOnly.addEventListener("change", () => lanes.classList.toggle("failed-only", failedOnly.checked));
  const anyFailed = turn.calls.some((call) => call.failed);
  return [
    head(turn.sentence ?? "Trace", turn.threadId),
    facts(turn),
    el(
      "div",
      { class: "trace-tools" },
      el("h2", {
        text:
          turn.calls.length === 0
            ? "No tool was called"
            : `${turn.calls.length} ${turn.calls.length === 1 ? "call" : "calls"}`,
      }),
      anyFailed && el("label", { class: "check" }, failedOnly, "Failed only"),
    ),
    lanes,
    ...offered(turn),
    everything(turn),
  ];
}

function head(title, threadId) {
  const back = el(
    "a",
    { class: "back", href: threadId ? `#/t/${encodeURIComponent(threadId)}` : "#/" },
    icon("back"),
    "Conversation",
  );
  return el("header", { class: "trace-head" }, back, el("h1", { text: title, tabindex: "-1" }));
}

function facts({ person, mode, startedAt, model, duration, reason, message }) {
  const rows = [
    ["Person", person],
    ["Working in", mode],
    ["Started", startedAt && new Date(startedAt).toLocaleString()],
    ["Model", model],
    ["Took", duration === undefined ? undefined : milliseconds(duration)],
    ["Ended", [reason ?? "still running", message].filter(Boolean).join(": ")],
  ];
  return el(
    "dl",
    { class: "facts" },
    ...rows
      .filter(([, value]) => value)
      .map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }))),
  );
}

function lanesTable(turn) {
  const header = el("thead", {}, el("tr", {}, ...LANES.map((lane) => el("th", { scope: "col", text: lane.title }))));
  const table = el(
    "table",
    { class: "lanes" },
    el("caption", { class: "hidden-label", text: "What each hop did, in order" }),
    header,
  );
  for (const row of turn.rows) {
    const call = row.gates && row;
    table.append(
      laneGroup(call ? callTitle(call) : el("span", { class: "call-title", text: row.title }), row.events, turn, call),
    );
  }
  return el("div", { class: "lanes-scroll" }, table);
}

function laneGroup(title, events, turn, call) {
  const cells = LANES.map((lane) => {
    const mine = events.filter((event) => event.lane === lane.id && event.kind !== "gate");
    const items = mine.map((event) => laneItem(event, turn));
    if (lane.id === "server" && call?.gates.size > 0) items.unshift(gateSummary(call, turn));
    return el(
      "td",
      { "data-lane": lane.title, class: items.length === 0 ? "empty" : null },
      items.length > 0 && el("ul", {}, ...items),
    );
  });
  return el(
    "tbody",
    { class: call ? (call.failed ? "call failed" : "call") : "edge" },
    el("tr", { class: "title-row" }, el("th", { colspan: LANES.length, scope: "rowgroup" }, title)),
    el("tr", { class: "lane-row" }, ...cells),
  );
}

function callTitle(call) {
  const line = el(
    "div",
    { class: "call-title" },
    el(
      "span",
      { class: "outcome", "data-state": call.failed ? "failed" : call.ended ? "done" : "open" },
      icon(call.failed ? "alert" : "check"),
    ),
    el("span", { text: call.label ?? call.name }),
    el("code", { text: call.name }),
    call.agent && call.agent !== "rover" && el("span", { class: "agent", text: words(call.agent) }),
  );
  return el(
    "div",
    {},
    line,
    call.gates.size > 0 && gateStrip(call),
    call.refusal && el("p", { class: "refusal", text: call.refusal }),
    callData(call),
  );
}

function gateStrip(call) {
  const items = GATES.map((gate, at) => {
    const state = call.gateState(gate);
    const detail = call.gates.get(gate)?.detail;
    return el(
      "li",
      { "data-state": state, title: `Gate ${at}, ${gate}: ${detail || GATE_WORDS[state]}` },
      el("span", { class: "gate-name", text: gate }),
      el("span", { class: "hidden-label", text: `: ${GATE_WORDS[state]}` }),
    );
  });
  return el("ol", { class: "gates", "aria-label": "Gates on the server" }, ...items);
}

const GATE_WORDS = { passed: "passed", failed: "stopped here", skipped: "not needed", unreached: "not reached" };

function gateSummary(call, turn) {
  const passed = [...call.gates.values()].filter((gate) => gate.passed).length;
  const stopped = [...call.gates.values()].find((gate) => !gate.passed);
  const first = [...call.gates.values()][0];
  const text = stopped ? `stopped at ${stopped.gate}` : `${passed} gates passed`;
  return el("li", { class: stopped ? "bad" : null }, el("time", { text: since(first, turn) }), text);
}

function laneItem(event, turn) {
  const { text, bad } = describe(event);
  return el("li", { class: bad ? "bad" : null }, el("time", { text: since(event, turn) }), text);
}

function callData(call) {
  if (call.args === undefined && call.result === undefined) return undefined;
  return el(
    "details",
    {},
    el("summary", { text: "Arguments and result" }),
    call.args !== undefined && el("pre", { tabindex: "0", text: pretty(call.args) }),
    call.result !== undefined && el("pre", { tabindex: "0", text: pretty(call.result) }),
  );
}

function offered({ offers, withheld }) {
  if (offers.size === 0 && withheld.length === 0) return [];
  const agents = [...offers].map(([agent, names]) =>
    el(
      "div",
      { class: "offer" },
      el("h3", { text: `${words(agent)} · ${names.length}` }),
      el("p", {}, ...names.map((name) => el("code", { text: name }))),
    ),
  );
  const reasons = withheld.map(({ agent, name, reason, detail }) =>
    el(
      "tr",
      {},
      el("td", {}, el("code", { text: name })),
      el("td", { text: words(agent) }),
      el("td", { text: detail ? `${words(reason)}: ${detail}` : words(reason) }),
    ),
  );
  return [
    el("h2", { text: "Offered to the model" }),
    el("div", { class: "offers" }, ...agents),
    withheld.length > 0 && el("h2", { text: "Withheld" }),
    withheld.length > 0 &&
      el(
        "div",
        { class: "table-scroll" },
        el(
          "table",
          { class: "plain" },
          el("thead", {}, el("tr", {}, ...["Tool", "Agent", "Why"].map((text) => el("th", { scope: "col", text })))),
          el("tbody", {}, ...reasons),
        ),
      ),
  ].filter(Boolean);
}

function everything(turn) {
  const rows = turn.events.map((event) =>
    el(
      "tr",
      {},
      el("td", { class: "end", text: event.seq }),
      el("td", { class: "end", text: since(event, turn) }),
      el("td", { text: event.hop }),
      el("td", { text: event.kind }),
      el("td", {}, el("code", { text: JSON.stringify(event.rest) })),
    ),
  );
  const header = el(
    "thead",
    {},
    el("tr", {}, ...["#", "At", "Hop", "Event", "Detail"].map((text) => el("th", { scope: "col", text }))),
  );
  return el(
    "details",
    { class: "everything" },
    el("summary", { text: `All ${turn.events.length} events` }),
    el("div", { class: "table-scroll" }, el("table", { class: "plain" }, header, el("tbody", {}, ...rows))),
  );
}

function since(event, turn) {
  return `+${milliseconds(event.time - turn.start)}`;
}

function milliseconds(value) {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
}

function pretty(value) {
  return JSON.stringify(value, null, 2);
}
