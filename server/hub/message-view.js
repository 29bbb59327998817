// Draws one message: what the person said, or an assistant turn as a run of segments (activity
// timeline, text, question). Segments are updated in place while the turn streams, so that a running
// row keeps its animation and a screen reader its position.

import { el, icon } from "./dom.js";
import { labelOf } from "./labels.js";
import { markdown } from "./markdown.js";
import { isTool, toolName } from "./message.js";

/**
 * @param {object} message a UI message, read again at every `update`
 * @param {{answer: (toolCallId: string, text: string) => void, decide: (toolCallId: string, approved: boolean) => void, dismiss: () => void}} actions
 */
export function messageView(message, actions) {
  return message.role === "user" ? userView(message, actions) : assistantView(message, actions);
}

function userView(message, actions) {
  const text = message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");
  const node = el("article", { class: "message from-person", "aria-label": "You said" }, el("p", { text }));
  const files = message.parts.filter((part) => part.type === "file");
  if (files.length > 0) {
    // A plain link would carry no token, so the page fetches the file and hands it on.
    const row = (file) =>
      el(
        "li",
        {},
        el("button", {
          type: "button",
          text: file.filename ?? "file",
          title: "Download",
          onclick: () => actions.download(file),
        }),
      );
    node.append(el("ul", { class: "files", "aria-label": "Files on this message" }, ...files.map(row)));
  }
  return { node, update() {} };
}

function assistantView(message, actions) {
  const body = el("div", { class: "segments" });
  const waiting = el(
    "p",
    { class: "waiting" },
    dots(),
    el("span", { class: "hidden-label", text: "Rover is working" }),
  );
  const ending = el("p", { class: "ending", hidden: true });
  const trace = el("a", { class: "trace-link", text: "Trace", title: "See every step of this turn" });
  const foot = el("footer", { class: "message-foot" }, ending, trace);
  const node = el("article", { class: "message from-rover", "aria-label": "Rover answered" }, body, waiting, foot);
  let drawn = [];

  /** @param {"running" | "last" | "past"} phase what the message is to its conversation */
  function update(phase) {
    const streaming = phase === "running";
    const wanted = segments(message, phase);
    wanted.forEach((segment, at) => {
      if (drawn[at]?.kind !== segment.kind) {
        drawn[at]?.node.remove();
        drawn[at] = { kind: segment.kind, ...VIEWS[segment.kind](actions) };
        body.insertBefore(drawn[at].node, body.children[at] ?? null);
      }
      drawn[at].update(segment);
    });
    drawn.splice(wanted.length).forEach((gone) => gone.node.remove());

    const last = wanted.at(-1);
    waiting.hidden = !streaming || showsItsOwnProgress(last);
    const turnId = message.metadata?.turnId;
    trace.hidden = !turnId;
    if (turnId) trace.href = `#/turns/${encodeURIComponent(turnId)}`;
    const sentence = streaming ? "" : endingSentence(message.metadata?.endReason);
    ending.textContent = sentence;
    ending.hidden = sentence === "";
    foot.hidden = streaming || (ending.hidden && trace.hidden);
  }

  return { node, update };
}

/** Groups the parts of a message into what a person sees. Failed calls are left out; the trace has them. */
function segments(message, phase) {
  const streaming = phase === "running";
  // Only the last message, at rest, can be answered.
  const open = phase === "last";
  const found = [];
  for (const part of message.parts) {
    if (part.type === "text") {
      if (part.text.trim() !== "")
        found.push({ kind: "text", text: part.text, moving: streaming && part.state === "streaming" });
    } else if (isTool(part)) {
      if (part.state === "approval-requested") found.push({ kind: "approval", part, open, names: namesIn(message) });
      else if (part.providerExecuted) addCall(found, part, streaming);
      else if (part.state !== "input-streaming" && part.state !== "output-error")
        found.push({ kind: "question", part, open });
    }
  }
  return found;
}

function addCall(found, part, streaming) {
  if (part.state === "output-error" || part.state === "output-denied") return;
  const done = part.state === "output-available";
  // A call that never ended belongs to a turn that was cut off: it is neither running nor done.
  if (!done && !streaming) return;
  if (found.at(-1)?.kind !== "activity") found.push({ kind: "activity", calls: [] });
  found.at(-1).calls.push({ id: part.toolCallId, label: labelOf(toolName(part), part.title), done });
}

/** Whether the last segment already tells that something goes on or is waited for. */
function showsItsOwnProgress(segment) {
  if (segment?.kind === "text") return segment.moving;
  if (segment?.kind === "question" && segment.part.state === "input-available") return true;
  if (segment?.kind === "approval") return true;
  return segment?.kind === "activity" && segment.calls.some((call) => !call.done);
}

const VIEWS = { text: textView, activity: activityView, question: questionView, approval: approvalView };

function textView() {
  const node = el("div", { class: "prose" });
  let shown;
  return {
    node,
    update({ text }) {
      if (text === shown) return;
      shown = text;
      node.replaceChildren(markdown(text));
    },
  };
}

function activityView() {
  const node = el("ul", { class: "activity", "aria-label": "What Rover did" });
  const rows = new Map();
  return {
    node,
    update({ calls }) {
      const kept = new Set(calls.map((call) => call.id));
      for (const [id, row] of rows) {
        if (kept.has(id)) continue;
        row.node.remove();
        rows.delete(id);
      }
      for (const call of calls) {
        if (!rows.has(call.id)) {
          rows.set(call.id, activityRow());
          node.append(rows.get(call.id).node);
        }
        rows.get(call.id).update(call);
      }
    },
  };
}

function activityRow() {
  const sign = el("span", { class: "sign" });
  const label = el("span", { class: "label" });
  const state = el("span", { class: "hidden-label" });
  const node = el("li", {}, sign, label, state);
  let shown;
  return {
    node,
    update({ label: text, done }) {
      label.textContent = done ? text.replace(/(?:…|\.{3})$/, "") : text.replace(/(?:…|\.{3})?$/, "…");
      if (shown === done) return;
      shown = done;
      node.dataset.state = done ? "done" : "running";
      sign.replaceChildren(done ? icon("check") : dots());
      state.textContent = done ? ", done" : ", running";
    },
  };
}

function questionView(actions) {
  const question = el("p", { class: "question-text" });
  const options = el("div", { class: "options", role: "group", "aria-label": "Answers to choose from" });
  const hint = el("span");
  const dismiss = el("button", {
    type: "button",
    class: "dismiss",
    text: "Never mind",
    onclick: () => actions.dismiss(),
  });
  const way = el("p", { class: "hint" }, hint, " ", dismiss);
  const said = el("p", { class: "said" });
  const node = el("section", { class: "question", "aria-label": "Rover asks" }, question, options, way, said);
  let shown;
  return {
    node,
    update({ part, open }) {
      const key = `${part.toolCallId} ${part.state} ${open}`;
      if (key === shown) return;
      shown = key;
      const option = (choice) =>
        el("button", {
          type: "button",
          text: choice,
          disabled: !open,
          onclick: () => actions.answer(part.toolCallId, choice),
        });
      const { question: text = "", options: choices = [] } = part.input ?? {};
      question.textContent = text;
      const answered = part.state === "output-available";
      node.dataset.state = answered ? "answered" : "open";
      options.hidden = answered || choices.length === 0;
      options.replaceChildren(...choices.map(option));
      way.hidden = answered || !open;
      hint.textContent = choices.length > 0 ? "Choose one, or type your answer below." : "Type your answer below.";
      said.hidden = !answered;
      if (answered) said.replaceChildren("You answered ", el("b", { text: answerText(part.output) }));
    },
  };
}

function approvalView(actions) {
  const title = el("p", { class: "question-text" });
  const inputs = el("dl", { class: "inputs" });
  const options = el("div", { class: "options", role: "group", "aria-label": "Your decision" });
  const node = el(
    "section",
    { class: "question", "aria-label": "Rover asks for your consent" },
    title,
    inputs,
    options,
  );
  let shown;
  return {
    node,
    update({ part, open, names }) {
      const key = `${part.toolCallId} ${open}`;
      if (key === shown) return;
      shown = key;
      title.textContent = `${labelOf(toolName(part), part.title)}: shall I go ahead?`;
      inputs.replaceChildren(...Object.entries(part.input ?? {}).map(([name, value]) => argument(name, value, names)));
      const button = (text, approved) =>
        el("button", {
          type: "button",
          text,
          disabled: !open,
          onclick: () => actions.decide(part.toolCallId, approved),
        });
      options.replaceChildren(button("Go ahead", true), button("Do not", false));
    },
  };
}

/** One argument of a call, its camel-case name as words; a record by its name where the turn has looked it up. */
function argument(name, value, names) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ ids?$/, "");
  const said = (item) => names.get(item) ?? (typeof item === "string" ? item : JSON.stringify(item));
  const text = Array.isArray(value) ? value.map(said).join(", ") || "none" : said(value);
  return el("div", {}, el("dt", { text: words }), el("dd", { text }));
}

/** What people call the records that the calls of this message returned, by id. */
function namesIn(message) {
  const names = new Map();
  const visit = (value) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === "object") {
      const { id, name, className, admissionNumber, campusName } = value;
      const telling = [className, admissionNumber, campusName].filter(Boolean).join(", ");
      if (typeof id === "string" && typeof name === "string") names.set(id, telling ? `${name} (${telling})` : name);
      Object.values(value).forEach(visit);
    }
  };
  for (const part of message.parts) if (isTool(part)) visit(part.output);
  return names;
}

/** The words of an answer, whichever shape a client posted it in. */
function answerText(output) {
  if (typeof output === "string") return output;
  return String(output?.answer ?? output?.choice ?? JSON.stringify(output));
}

function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
}

/** The words are in the answer itself; this only marks it. */
function endingSentence(reason) {
  if (reason === "stopped") return "Stopped";
  return [undefined, "done", "waiting"].includes(reason) ? "" : "Ended early";
}
