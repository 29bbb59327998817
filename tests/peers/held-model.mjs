// An OpenAI-compatible model that begins to answer and then holds, until it is let go or its caller leaves:
// so a test can reload or stop in the middle of a turn without guessing how long the middle lasts.
//
//   node held-model.mjs
//
// Prints {"base": "http://127.0.0.1:PORT/v1"}, then {"asked", "said"} for each request, with its messages, and {"left"}
// for each caller that hung up. POST /go lets what is held go on to its end. Ends when its standard input closes.

import { once } from "node:events";
import { createServer } from "node:http";

const BEGINNING = "I am looking into it,";
const REST = " and this is the end.";

let go;
let released;
hold();

const server = createServer(async (request, response) => {
  if (request.url === "/go") {
    released();
    hold();
    return response.writeHead(204).end();
  }
  if (!request.url.endsWith("/chat/completions")) return response.writeHead(404).end();
  let body = "";
  for await (const piece of request) body += piece;
  print({ asked: request.url, said: JSON.parse(body).messages.map((message) => message.content) });
  const release = go;
  const left = once(response, "close").then(() => "left");
  response.writeHead(200, { "content-type": "text/event-stream" });
  send(response, { role: "assistant", content: "" });
  send(response, { content: BEGINNING });
  if ((await Promise.race([release, left])) === "left") return print({ left: request.url });
  send(response, { content: REST });
  send(response, {}, "stop");
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => print({ base: `http://127.0.0.1:${server.address().port}/v1` }));

process.stdin.on("end", () => process.exit(0));
process.stdin.resume();

function hold() {
  go = new Promise((resolve) => (released = resolve));
}

function send(response, delta, finishReason = null) {
  const chunk = {
    id: "chatcmpl-held",
    object: "chat.completion.chunk",
    created: 1,
    model: "held",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function print(line) {
  console.log(JSON.stringify(line));
}
