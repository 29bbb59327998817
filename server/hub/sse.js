// Reads a server-sent event stream whose `data:` lines hold one JSON chunk each, as the AI SDK's
// `useChat` transport does: comments and other fields are skipped, `[DONE]` ends the stream.

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<Record<string, unknown>>}
 */
export async function* readChunks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  let data = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      pending += done ? "\n\n" : value;
      // A carriage return at the end may be the first half of CRLF: keep it for the next read.
      const lines = pending.split(/\r\n|\n|\r(?!$)/);
      pending = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data:")) {
          data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
        } else if (line === "" && data.length > 0) {
          const text = data.join("\n");
          data = [];
          if (text === "[DONE]") return;
          yield JSON.parse(text);
        }
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
