// Folds the flat event log of a turn into calls. No document here: trace.js draws what this returns.

/** The server's gates, in the order in which a call meets them. */
export const GATES = ["transport", "token", "identity", "admission", "arguments", "tenant", "frame", "claim", "posture", "handler", "commit"];

export const LANES = [
  { id: "hub", title: "Hub" },
  { id: "worker", title: "Worker" },
  { id: "queue", title: "Queue" },
  { id: "server", title: "Server" },
];

/** @param {{turn: object, events: object[]}} log the answer of `GET /api/turns/{id}` */
export function fold({ turn, events }) {
  const read = events.map(readEvent).sort((a, b) => a.seq - b.seq || a.time - b.time);
  const calls = new Map();
  const before = [];
  const after = [];
  const offers = new Map();
  const withheld = [];
  for (const event of read) {
    if (event.kind === "offered") addOffers(offers, withheld, event.rest);
    if (event.rest.callId !== undefined) callOf(calls, event.rest.callId).add(event);
    else if (event.kind !== "text.delta") (calls.size === 0 ? before : after).push(event);
  }
  const start = read[0]?.time ?? 0;
  const last = read.findLast((event) => event.kind === "finished");
  return {
    ...turn,
    events: read,
    calls: [...calls.values()],
    before,
    after,
    offers,
    withheld,
    start,
    duration: last && last.time - start,
    reason: last && String(last.rest.reason).replaceAll("_", " "),
  };
}

function readEvent({ turnId, seq, at, hop, kind, ...rest }) {
  return { seq, hop, kind, rest, time: Date.parse(at), lane: hop === "model" ? "worker" : hop };
}

function callOf(calls, id) {
  if (!calls.has(id)) calls.set(id, new Call());
  return calls.get(id);
}

class Call {
  events = [];
  gates = new Map();
  ended = false;
  failed = false;
  name = "unknown tool";

  add(event) {
    const { kind, rest } = event;
    this.events.push(event);
    if (kind === "tool.started") Object.assign(this, { name: rest.name, label: rest.label, args: rest.args, agent: rest.agent });
    if (kind === "gate") {
      this.gates.set(rest.gate, { ...rest, time: event.time });
      if (!rest.passed) this.#refuse(rest.detail);
    }
    if (kind === "tool.finished") {
      this.ended = true;
      this.result = rest.result;
      if (this.name === "unknown tool" && rest.name) this.name = rest.name;
      if (!rest.ok) this.#refuse(rest.result?.error);
    }
  }

  /** Gates behind the one that stopped the call were not reached; one left out on the way was not needed. */
  gateState(gate) {
    const met = this.gates.get(gate);
    if (met) return met.passed ? "passed" : "failed";
    const last = Math.max(...[...this.gates.keys()].map((name) => GATES.indexOf(name)));
    return GATES.indexOf(gate) < last ? "skipped" : "unreached";
  }

  #refuse(sentence) {
    this.failed = true;
    if (sentence) this.refusal = sentence;
  }
}

function addOffers(offers, withheld, { tools = [], withheld: held = [] }) {
  for (const { agent, name } of tools) offers.set(agent, [...(offers.get(agent) ?? []), name]);
  withheld.push(...held);
}

const SAY = {
  offered: ({ tools = [], withheld = [] }) => `offered ${tools.length} tools, withheld ${withheld.length}`,
  "step.started": () => "asked the model",
  "text.done": () => "wrote text",
  "tool.started": () => "chose the tool",
  "tool.repaired": () => "repaired the arguments",
  "tool.finished": ({ ok }) => (ok ? "read the result" : "read the refusal"),
  published: ({ event }) => `published ${event}`,
  reply: ({ outcome }) => `reply: ${outcome}`,
  "subagent.started": ({ agent, name }) => `began subagent ${agent ?? name ?? ""}`,
  "subagent.finished": ({ agent, name }) => `subagent ${agent ?? name ?? ""} ended`,
  question: ({ question }) => `asked: ${question}`,
  waiting: () => "waits for the answer",
  shown: () => "shown to the person",
  finished: ({ reason }) => `ended: ${String(reason).replaceAll("_", " ")}`,
};

/** One lane entry: a few words, and whether something went wrong there. */
export function describe({ kind, rest }) {
  const say = SAY[kind];
  const bad = (kind === "tool.finished" && !rest.ok) || (kind === "reply" && !["ok", "replayed"].includes(rest.outcome));
  return { text: say ? say(rest) : kind.replaceAll(".", " "), bad };
}
