// The page's reading of the message stream, held against the AI SDK's own on the same streams.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";

import { applyChunk, assistantMessage, openQuestion, plainText } from "../../../server/hub/message.js";
import { readChunks } from "../../../server/hub/sse.js";

const STREAMS = {
  "text in two pieces": [
    { type: "start", messageId: "m", messageMetadata: { turnId: "t" } },
    { type: "start-step" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Across your " },
    { type: "text-delta", id: "1", delta: "campus." },
    { type: "text-end", id: "1" },
    { type: "finish-step" },
    { type: "finish", finishReason: "stop", messageMetadata: { endReason: "done" } },
  ],
  "two texts, interleaved": [
    { type: "start", messageId: "m" },
    { type: "text-start", id: "1" },
    { type: "text-start", id: "2" },
    { type: "text-delta", id: "2", delta: "b" },
    { type: "text-delta", id: "1", delta: "a" },
    { type: "text-end", id: "1" },
    { type: "text-end", id: "2" },
  ],
  "a server tool, then text": [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    {
      type: "tool-input-start",
      toolCallId: "c",
      toolName: "create_department",
      dynamic: true,
      providerExecuted: true,
      title: "Creating a department",
    },
    {
      type: "tool-input-available",
      toolCallId: "c",
      toolName: "create_department",
      input: { name: "Maths" },
      dynamic: true,
      providerExecuted: true,
      title: "Creating a department",
    },
    {
      type: "tool-output-available",
      toolCallId: "c",
      output: { data: { id: "d" }, scopeContext: "one campus" },
      dynamic: true,
      providerExecuted: true,
    },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Done." },
    { type: "text-end", id: "1" },
    { type: "finish-step" },
    { type: "finish" },
  ],
  "a refused call": [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    {
      type: "tool-input-available",
      toolCallId: "c",
      toolName: "create_department",
      input: {},
      dynamic: true,
      providerExecuted: true,
    },
    {
      type: "tool-output-error",
      toolCallId: "c",
      errorText: "Permission denied",
      dynamic: true,
      providerExecuted: true,
    },
    { type: "finish-step" },
  ],
  "arguments that were no JSON": [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    {
      type: "tool-input-error",
      toolCallId: "c",
      toolName: "create_department",
      input: "{oops",
      errorText: "no object",
      dynamic: true,
      providerExecuted: true,
    },
  ],
  "a question": [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    {
      type: "tool-input-available",
      toolCallId: "q",
      toolName: "ask_staffer",
      input: { question: "Which campus?", options: ["A", "B"] },
    },
    { type: "finish-step" },
    { type: "finish", finishReason: "tool-calls" },
  ],
  "data parts, replaced and transient": [
    { type: "start", messageId: "m" },
    { type: "data-plan", id: "p", data: { n: 1 } },
    { type: "data-plan", id: "p", data: { n: 2 } },
    { type: "data-activity", data: { label: "Creating a department" }, transient: true },
    { type: "message-metadata", messageMetadata: { tokens: 9 } },
  ],
};

for (const [name, chunks] of Object.entries(STREAMS)) {
  test(`reads as the AI SDK does: ${name}`, async () => {
    const sdk = await lastOf(readUIMessageStream({ stream: ReadableStream.from(chunks), terminateOnError: true }));
    assert.deepEqual(known(ours(chunks)), known(sdk));
  });
}

test("frames as the AI SDK does: comments, CRLF, other fields, several data lines, split bytes", async () => {
  const text =
    ': stream-open\n\ndata: {"type":"start","messageId":"m"}\r\n\r\nevent: x\nid: 1\nretry: 5\ndata: {"type":"text-start",\ndata: "id":"é"}\n\n' +
    ': keep-alive\n\ndata:{"type":"text-end","id":"é"}\n\ndata: [DONE]\n\n';
  const bytes = new TextEncoder().encode(text);
  const sdk = [];
  for await (const { success, value } of parseJsonEventStream({
    stream: ReadableStream.from([bytes]),
    schema: uiMessageChunkSchema,
  })) {
    assert.ok(success);
    sdk.push(value);
  }
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    );
    assert.deepEqual(await all(readChunks(ReadableStream.from(pieces))), sdk, `in pieces of ${size} bytes`);
  }
});

test("an unknown chunk, or one for a part that never began, leaves the rest readable", () => {
  const message = ours([
    { type: "mystery" },
    { type: "text-delta", id: "never", delta: "lost" },
    { type: "tool-output-available", toolCallId: "never", output: 1 },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "kept" },
  ]);
  assert.equal(plainText(message), "kept");
});

test("a question is open until it has its output", () => {
  const message = ours(STREAMS["a question"]);
  const question = openQuestion(message);
  assert.equal(question.input.question, "Which campus?");
  question.state = "output-available";
  assert.equal(openQuestion(message), undefined);
  assert.equal(openQuestion(ours(STREAMS["a server tool, then text"])), undefined);
});

test("the caller hears how the stream ended", () => {
  const told = (chunk) => applyChunk(assistantMessage(), chunk);
  assert.deepEqual(told({ type: "finish", finishReason: "tool-calls" }), { finish: "tool-calls" });
  assert.deepEqual(told({ type: "finish" }), { finish: "stop" });
  assert.deepEqual(told({ type: "abort" }), { aborted: true });
  assert.deepEqual(told({ type: "error", errorText: "The model is down." }), { error: "The model is down." });
});

function ours(chunks) {
  const message = assistantMessage();
  for (const chunk of chunks) applyChunk(message, structuredClone(chunk));
  return message;
}

async function all(stream) {
  const found = [];
  for await (const chunk of stream) found.push(chunk);
  return found;
}

async function lastOf(stream) {
  let last;
  for await (const message of stream) last = structuredClone(message);
  return last;
}

/** Without the keys that the SDK sets to `undefined` or that the page has no use for. */
function known({ id, metadata, parts }) {
  return JSON.parse(JSON.stringify({ id, metadata, parts }, (key, value) => (key === "rawInput" ? undefined : value)));
}
