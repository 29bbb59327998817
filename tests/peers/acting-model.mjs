// An OpenAI-compatible model that adds a department and says so, and holds at each step until it is let go: so a test can
// kill a worker at a point that it chose. Its ids are random, as a provider's are: what comes twice under one id was
// kept, and not asked for again.
//
//   node acting-model.mjs NAME CAMPUS-ID
//
// Prints {"base": "http://127.0.0.1:PORT/v1"}, then {"asked": "first" | "second"} for each request. The first answer is
// some words and a call of create_department, the second is words alone. Each says its beginning at once and holds the
// rest until POST /go. Ends when its standard input closes.

import { once } from "node:events";
import { createServer } from "node:http";

const [name, campusId] = process.argv.slice(2);
const waiting = new Set();

const server = createServer(async (request, response) => {
  if (request.url === "/go") {
    for (const release of waiting) release();
    waiting.clear();
    return response.writeHead(204).end();
  }
  if (!request.url.endsWith("/chat/completions")) return response.writeHead(404).end();
  let body = "";
  for await (const piece of request) body += piece;
  const last = JSON.parse(body).messages.at(-1);
  const step = last.role === "tool" ? "second" : "first";
  response.writeHead(200, { "content-type": "text/event-stream" });
  send(response, { role: "assistant", content: "" });
  send(response, { content: step === "first" ? "Let me " : "That is " });
  print({ asked: step });
  const left = once(response, "close");
  await Promise.race([new Promise((resolve) => waiting.add(resolve)), left]);
  if (response.destroyed) return;
  if (step === "first") {
    send(response, { content: "see." });
    const call = {
      index: 0,
      id: `call_${crypto.randomUUID()}`,
      type: "function",
      function: { name: "create_department", arguments: JSON.stringify({ name, campusId }) },
    };
    send(response, { tool_calls: [call] });
    send(response, {}, "tool_calls");
  } else {
    send(response, { content: "done." });
    send(response, {}, "stop");
  }
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => print({ base: `http://127.0.0.1:${server.address().port}/v1` }));

process.stdin.on("end", () => process.exit(0));
process.stdin.resume();

function send(response, delta, finishReason = null) {
  const chunk = {
    id: "chatcmpl-acting",
    object: "chat.completion.chunk",
    created: 1,
    model: "acting",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function print(line) {
  console.log(JSON.stringify(line));
}
