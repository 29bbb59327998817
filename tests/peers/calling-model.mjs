// An OpenAI-compatible model that calls one tool twice in a turn, and holds before the second call until it is let go: so
// a test can change the world between two calls of one turn.
//
//   node calling-model.mjs <tool> <arguments of the first call> <arguments of the second>
//
// Prints {"base": "http://127.0.0.1:PORT/v1"}, and {"held": true} when the first call has its result. POST /go lets the
// second call go. Ends when its standard input closes.

import { createServer } from "node:http";

const [tool, ...calls] = process.argv.slice(2);
let released;
const go = new Promise((resolve) => (released = resolve));

const server = createServer(async (request, response) => {
  if (request.url === "/go") {
    released();
    return response.writeHead(204).end();
  }
  if (!request.url.endsWith("/chat/completions")) return response.writeHead(404).end();
  let body = "";
  for await (const piece of request) body += piece;
  const results = JSON.parse(body).messages.filter(({ role }) => role === "tool");
  const args = calls[results.length];
  if (results.length === 1) {
    print({ held: true });
    await go;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  send(response, { role: "assistant", content: "" });
  if (args === undefined) {
    send(response, { content: "That is all." });
    send(response, {}, "stop");
  } else {
    const called = { name: tool, arguments: args };
    send(response, { tool_calls: [{ index: 0, id: `call-${results.length}`, type: "function", function: called }] });
    send(response, {}, "tool_calls");
  }
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => print({ base: `http://127.0.0.1:${server.address().port}/v1` }));

process.stdin.on("end", () => process.exit(0));
process.stdin.resume();

function send(response, delta, finishReason = null) {
  const chunk = {
    id: "chatcmpl-calling",
    object: "chat.completion.chunk",
    created: 1,
    model: "calling",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function print(line) {
  console.log(JSON.stringify(line));
}
