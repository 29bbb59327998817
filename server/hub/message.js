// The AI SDK UI message, and how stream chunks grow it. Kept free of the document, so that the tests
// can hold it against the real `ai` package on the same streams.
//
// Tolerant where the SDK is strict: an unknown chunk, or one for a part that never began, is skipped,
// because a staff member should read the rest of the answer all the same.

/** @returns {{id: string, role: string, parts: object[], metadata?: object}} */
export function userMessage(text, files = []) {
  const parts = files.map(({ filename, mediaType, url }) => ({ type: "file", filename, mediaType, url }));
  return { id: newId(), role: "user", parts: [{ type: "text", text }, ...parts] };
}

/** An assistant message that has not said anything yet. */
export function assistantMessage() {
  return { id: newId(), role: "assistant", parts: [] };
}

/** Sixteen random letters and digits. `crypto.randomUUID` would need a secure context. */
export function newId() {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

export function isTool(part) {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

export function toolName(part) {
  return part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
}

/** The question that waits for the staff member: a tool call that no server runs. */
export function openQuestion(message) {
  if (message?.role !== "assistant") return undefined;
  return message.parts.find((part) => isTool(part) && part.state === "input-available" && !part.providerExecuted);
}

/** The call that waits for the staff member's consent. */
export function openApproval(message) {
  return message?.role === "assistant" ? message.parts.find((part) => part.state === "approval-requested") : undefined;
}

/** Everything the assistant said in this message, for announcing and copying. */
export function plainText(message) {
  return message.parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n\n");
}

/**
 * Folds one chunk into the message, in place.
 * @returns {{error?: string, finish?: string, aborted?: boolean, data?: object}} what the caller has to
 *   act on; the parts themselves are already up to date.
 */
export function applyChunk(message, chunk) {
  const fold = FOLDS[chunk.type];
  if (fold) return fold(message, chunk) ?? {};
  if (typeof chunk.type === "string" && chunk.type.startsWith("data-")) return foldData(message, chunk);
  return {};
}

const FOLDS = {
  start(message, chunk) {
    if (chunk.messageId) message.id = chunk.messageId;
    mergeMetadata(message, chunk.messageMetadata);
  },
  "message-metadata": (message, chunk) => mergeMetadata(message, chunk.messageMetadata),
  "start-step": (message) => void message.parts.push({ type: "step-start" }),
  "finish-step": () => {},

  "text-start": (message, chunk) => beginText(message, "text", chunk),
  "text-delta": (message, chunk) => growText(message, "text", chunk),
  "text-end": (message, chunk) => endText(message, "text", chunk),
  "reasoning-start": (message, chunk) => beginText(message, "reasoning", chunk),
  "reasoning-delta": (message, chunk) => growText(message, "reasoning", chunk),
  "reasoning-end": (message, chunk) => endText(message, "reasoning", chunk),

  "tool-input-start": (message, chunk) => setTool(message, chunk, { state: "input-streaming", input: undefined }),
  "tool-input-delta": () => {},
  "tool-input-available": (message, chunk) => setTool(message, chunk, { state: "input-available", input: chunk.input }),
  "tool-input-error": (message, chunk) =>
    setTool(message, chunk, { state: "output-error", input: chunk.input, errorText: chunk.errorText }),
  "tool-approval-request": (message, chunk) =>
    changeTool(message, chunk, { state: "approval-requested", approval: { id: chunk.approvalId } }),
  "tool-output-available": (message, chunk) =>
    changeTool(message, chunk, { state: "output-available", output: chunk.output, errorText: undefined }),
  "tool-output-error": (message, chunk) =>
    changeTool(message, chunk, { state: "output-error", errorText: chunk.errorText, output: undefined }),
  "tool-output-denied": (message, chunk) => changeTool(message, chunk, { state: "output-denied" }),

  finish(message, chunk) {
    mergeMetadata(message, chunk.messageMetadata);
    return { finish: chunk.finishReason ?? "stop" };
  },
  abort: () => ({ aborted: true }),
  error: (_message, chunk) => ({ error: chunk.errorText }),
};

function foldData(message, chunk) {
  const { type, id, data } = chunk;
  if (!chunk.transient) {
    const earlier = id === undefined ? undefined : message.parts.find((part) => part.type === type && part.id === id);
    if (earlier) earlier.data = data;
    else message.parts.push(id === undefined ? { type, data } : { type, id, data });
  }
  return { data: { type, id, data } };
}

function mergeMetadata(message, metadata) {
  if (metadata !== undefined && metadata !== null) message.metadata = { ...message.metadata, ...metadata };
}

// Text parts carry no id of their own once stored, so the open ones are remembered beside the message.
const open = new WeakMap();

function openTexts(message) {
  if (!open.has(message)) open.set(message, new Map());
  return open.get(message);
}

function beginText(message, type, chunk) {
  const part = { type, text: "", state: "streaming" };
  openTexts(message).set(`${type} ${chunk.id}`, part);
  message.parts.push(part);
}

function growText(message, type, chunk) {
  const part = openTexts(message).get(`${type} ${chunk.id}`);
  if (part) part.text += chunk.delta;
}

function endText(message, type, chunk) {
  const part = openTexts(message).get(`${type} ${chunk.id}`);
  if (part) part.state = "done";
  openTexts(message).delete(`${type} ${chunk.id}`);
}

function findTool(message, toolCallId) {
  return message.parts.find((part) => isTool(part) && part.toolCallId === toolCallId);
}

function setTool(message, chunk, change) {
  let part = findTool(message, chunk.toolCallId);
  if (!part) {
    part = chunk.dynamic
      ? { type: "dynamic-tool", toolName: chunk.toolName, toolCallId: chunk.toolCallId }
      : { type: `tool-${chunk.toolName}`, toolCallId: chunk.toolCallId };
    message.parts.push(part);
  }
  if (chunk.title !== undefined) part.title = chunk.title;
  if (chunk.providerExecuted !== undefined) part.providerExecuted = chunk.providerExecuted;
  Object.assign(part, change);
}

function changeTool(message, chunk, change) {
  const part = findTool(message, chunk.toolCallId);
  if (part) Object.assign(part, change);
}
