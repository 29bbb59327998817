// Folds the flat event log of a turn into rows: one a call, and one for what lies between calls. No
// document here: trace.js draws what this returns.

/** The server's gates, in the order in which a call meets them. */
export const GATES = [
  "transport",
  "token",
  "identity",
  "admission",
  "arguments",
  "tenant",
  "frame",
  "claim",
  "posture",
  "handler",
  "commit",
];

export const LANES = [
  { id: "hub", title: "Hub" },
  { id: "worker", title: "Worker" },
  { id: "queue", title: "Queue" },
  { id: "server", title: "Server" },
];

/** @param {{turn: object, events: object[]}} log the answer of `GET /api/turns/{id}` */
export function fold({ turn, events }) {
  // Each lane numbers its own events; across lanes only the clock tells.
  const read = events.map(readEvent).sort((a, b) => a.time - b.time || a.seq - b.seq);
  const calls = new Map();
  const rows = [];
  const offers = new Map();
  const withheld = [];
  for (const event of read) {
    if (event.kind === "offered") addOffers(offers, withheld, event.rest);
    const id = event.kind === "tool.rejected" ? `rejected ${event.rest.toolCallId}` : event.rest.callId;
    if (id !== undefined) {
      if (!calls.has(id)) rows.push(calls.set(id, new Call()).get(id));
      calls.get(id).add(event);
    } else if (!UNSHOWN.has(event.kind)) {
      if (!(rows.at(-1) instanceof Between)) rows.push(new Between(rows.length === 0));
      rows.at(-1).add(event);
    }
  }
  const start = read[0]?.time ?? 0;
  const last = read.findLast((event) => event.kind === "finished");
  return {
    ...turn,
    events: read,
    rows,
    calls: [...calls.values()],
    offers,
    withheld,
    start,
    model: read.find((event) => event.kind === "started")?.rest.model,
    duration: last && last.time - start,
    reason: last && words(last.rest.reason),
    message: last?.rest.message,
  };
}

/** Too many or too bare for a lane; the full list has them. */
const UNSHOWN = new Set(["text.delta", "message", "usage"]);

function readEvent({ turnId, seq, at, hop, kind, ...rest }) {
  return { seq, hop, kind, rest, time: Date.parse(at), lane: hop === "model" ? "worker" : hop };
}

function addOffers(offers, withheld, { tools, withheld: held }) {
  for (const { agent, name } of tools) offers.set(agent, [...(offers.get(agent) ?? []), name]);
  withheld.push(...held);
}

/** What happened outside any call. */
class Between {
  events = [];
  title = "Between calls";

  constructor(first) {
    if (first) this.title = "The turn begins";
  }

  add(event) {
    this.events.push(event);
    if (event.kind === "finished" && this.title !== "The turn begins")
      this.title = event.rest.reason === "waiting" ? "The turn waits" : "The turn ends";
  }
}

class Call {
  events = [];
  gates = new Map();
  ended = false;
  failed = false;
  name = "unknown";

  add({ kind, rest, time, ...event }) {
    this.events.push({ kind, rest, time, ...event });
    if (kind === "tool.started")
      Object.assign(this, { name: rest.name, label: rest.label, args: rest.args, agent: rest.agent });
    if (kind === "question") Object.assign(this, { name: "ask_staffer", label: "Asking the person" });
    if (kind === "tool.rejected") {
      Object.assign(this, { name: rest.name, agent: rest.agent });
      this.#refuse(fault(rest.fault));
    }
    if (kind === "gate") {
      this.gates.set(rest.gate, { ...rest, time });
      if (!rest.passed) this.#refuse(rest.detail);
    }
    if (kind === "tool.finished") {
      Object.assign(this, { name: rest.name, result: rest.result, ended: true });
      if (refused(rest)) this.#refuse(rest.result.error);
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

function refused({ result }) {
  return result?.error !== undefined;
}

function fault({ type, nearest, reason, text }) {
  if (type === "unknown_tool")
    return nearest ? `There is no such tool; the nearest is ${nearest}.` : "There is no such tool.";
  if (type === "withheld") return `This agent was not given the tool: ${words(reason)}.`;
  return `The arguments are no JSON object: ${text}`;
}

const SAY = {
  started: ({ model }) => `took the turn, model ${model}`,
  "taken.over": () => "took the turn over: its worker was lost",
  "subagent.message": () => "said something to itself",
  offered: ({ tools, withheld }) => `offered ${tools.length} tools, withheld ${withheld.length}`,
  "step.started": ({ step }) => `asked the model, step ${step + 1}`,
  "text.done": () => "wrote text",
  "tool.started": () => "chose the tool",
  "tool.repaired": ({ repairs }) => `repaired: ${repairs.join("; ")}`,
  "tool.rejected": () => "could not be dispatched",
  "tool.published": ({ event, attempt }) => `published ${event}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  "tool.finished": (rest) => (refused(rest) ? "read the refusal" : "read the result"),
  reply: ({ outcome }) => `reply: ${outcome}`,
  "subagent.started": ({ agent, task }) => `gave ${words(agent)} a task: ${task}`,
  "subagent.finished": ({ agent, reason }) => `${words(agent)} ended: ${words(reason)}`,
  question: ({ question }) => `asked: ${question}`,
  approval: ({ summary }) => `asked for approval: ${summary}`,
  waiting: () => "kept its state and waits",
  shown: ({ visibility }) => (visibility === "hidden" ? "hidden from the timeline" : "shown in the timeline"),
  finished: ({ reason }) => `ended: ${words(reason)}`,
};

const GOOD_OUTCOMES = new Set(["ok", "replayed"]);
const GOOD_ENDINGS = new Set(["done", "waiting", "stopped"]);

/** One lane entry: a few words, and whether something went wrong there. */
export function describe({ kind, rest }) {
  const say = SAY[kind];
  const bad =
    (kind === "tool.finished" && refused(rest)) ||
    kind === "tool.rejected" ||
    (kind === "reply" && !GOOD_OUTCOMES.has(rest.outcome)) ||
    (kind === "finished" && !GOOD_ENDINGS.has(rest.reason));
  return { text: say ? say(rest) : kind.replaceAll(".", " "), bad };
}

/** A wire word such as `class_teacher`, for reading. */
export function words(name) {
  return String(name).replaceAll("_", " ");
}
