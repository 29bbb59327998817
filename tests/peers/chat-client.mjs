// A person behind `useChat`: the AI SDK's own chat and transport, without React.
//
//   node chat-client.mjs <chat address> <sentence>        reads TOKEN
//     --thread ID          conversation (default: a new one)
//     --campus ID          run mode campus; without it, school
//     --answer WORDS       answers each question of Rover with {"answer": WORDS}
//     --stop-after EVENT   posts stop once a part of this type was seen, e.g. dynamic-tool or text
//     --resume             reads a turn that is still running instead of saying something
//
// Prints one JSON line a thing: {"request"}, {"part"} as it first appears and each time its state changes,
// {"data"}, {"finish"}, {"error"}; last {"messages": […], "status"}. Exit status: 1 when the SDK refused
// the stream or the stream carried an error.

import { parseArgs } from "node:util";

import { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from "ai";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    thread: { type: "string" },
    campus: { type: "string" },
    answer: { type: "string" },
    "stop-after": { type: "string" },
    resume: { type: "boolean" },
  },
});
const [address, sentence] = positionals;
if (!address || (!sentence && !values.resume)) {
  console.error(
    "usage: chat-client.mjs <chat address> <sentence> [--thread ID] [--campus ID] [--answer WORDS] [--stop-after TYPE] [--resume]",
  );
  process.exit(64);
}

const headers = { Authorization: `Bearer ${process.env.TOKEN ?? ""}` };
const runMode = values.campus ? { mode: "campus", campusId: values.campus } : { mode: "school" };
const seen = new Map();
let stopping;
let finished = () => {};

/** What React would hold; here plain fields that report every change. */
class Memory {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => this.#set([...this.messages, message]);
  popMessage = () => this.#set(this.messages.slice(0, -1));
  replaceMessage = (at, message) => this.#set(this.messages.with(at, structuredClone(message)));
  snapshot = (value) => structuredClone(value);

  #set(messages) {
    this.messages = messages;
    messages.at(-1)?.parts.forEach((part, at) => report(messages.at(-1), part, at));
  }
}

class Chat extends AbstractChat {
  constructor(init) {
    super({ ...init, state: new Memory() });
  }
}

const chat = new Chat({
  id: values.thread ?? `peer-${crypto.randomUUID()}`,
  transport: new DefaultChatTransport({ api: address, headers, body: { runMode }, fetch: announcedFetch }),
  sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  onData: (data) => print({ data }),
  onFinish: ({ finishReason, isAbort, isDisconnect, isError }) => {
    print({ finish: { finishReason, isAbort, isDisconnect, isError } });
    finished();
  },
  onError: (error) => {
    process.exitCode = 1;
    print({ error: error.message });
  },
});

await (values.resume ? chat.resumeStream() : chat.sendMessage({ text: sentence }));
const answered = new Set();
for (let question; values.answer !== undefined && (question = openQuestion());) {
  answered.add(question.toolCallId);
  const ended = new Promise((resolve) => (finished = resolve));
  // The SDK posts the answer by itself, as a component's effect would; its end is the next `finish`.
  await chat.addToolOutput({
    tool: toolName(question),
    toolCallId: question.toolCallId,
    output: { answer: values.answer },
  });
  await ended;
}
await stopping;
print({ thread: chat.id, status: chat.status, messages: chat.messages });

function openQuestion() {
  const parts = chat.messages.at(-1)?.parts ?? [];
  return parts.find(
    (part) => part.state === "input-available" && !part.providerExecuted && !answered.has(part.toolCallId),
  );
}

function toolName(part) {
  return part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
}

async function announcedFetch(input, init) {
  print({ request: { method: init.method ?? "GET", body: init.body ? JSON.parse(init.body) : undefined } });
  const response = await fetch(input, init);
  print({ response: { status: response.status, contentType: response.headers.get("content-type") } });
  return response;
}

function report(message, part, at) {
  const state = part.state ?? "whole";
  const key = `${message.id} ${at}`;
  if (message.role !== "assistant" || seen.get(key) === state) return;
  seen.set(key, state);
  print({ part });
  if (part.type === values["stop-after"] && !stopping) {
    stopping = fetch(`${address}/${encodeURIComponent(chat.id)}/stop`, { method: "POST", headers });
  }
}

function print(line) {
  console.log(JSON.stringify(line));
}
