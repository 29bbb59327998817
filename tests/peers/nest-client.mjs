// A NestJS peer that calls our server: the real `ClientProxy` over RabbitMQ.
//
//   node nest-client.mjs <pattern> <payload JSON>      reads RMQ_URL and RMQ_QUEUE (default agent-tool)
//     --event          emits instead of sending: nothing is answered
//     --headers JSON   AMQP headers of the message
//     --patience MS    how long to wait for the answer (default 5000); Nest itself would wait for ever
//
// One JSON line each: {"outcome":"value"|"error"|"complete"|"emitted"|"silence", …}.
// Exit status: 0 completed or emitted, 1 the server answered an error, 3 nothing came.

import "reflect-metadata";

import { parseArgs } from "node:util";

import { Logger } from "@nestjs/common";
import { ClientProxyFactory, RmqRecordBuilder, Transport } from "@nestjs/microservices";
import { timeout } from "rxjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { event: { type: "boolean" }, headers: { type: "string" }, patience: { type: "string", default: "5000" } },
});
const [pattern, payload] = positionals;
if (payload === undefined) {
  console.error("usage: nest-client.mjs <pattern> <payload JSON> [--event] [--headers JSON] [--patience MS]");
  process.exit(64);
}

// Nest reports its connections on standard output, which belongs to our lines.
Logger.overrideLogger(["error", "fatal"]);

const client = ClientProxyFactory.create({
  transport: Transport.RMQ,
  options: {
    urls: [process.env.RMQ_URL ?? "amqp://guest:guest@127.0.0.1:5672"],
    queue: process.env.RMQ_QUEUE ?? "agent-tool",
  },
});

// A pattern written as a JSON object is sent as an object, which Nest normalises by itself.
const route = pattern.startsWith("{") ? JSON.parse(pattern) : pattern;
const data = values.headers
  ? new RmqRecordBuilder(JSON.parse(payload)).setOptions({ headers: JSON.parse(values.headers) }).build()
  : JSON.parse(payload);

try {
  await client.connect();
  process.exitCode = values.event ? await emit() : await send();
} finally {
  await client.close();
}

function emit() {
  return settle(client.emit(route, data), () => print({ outcome: "emitted" }));
}

function send() {
  return settle(client.send(route, data).pipe(timeout({ first: Number(values.patience) })), () =>
    print({ outcome: "complete" }),
  );
}

function settle(stream, complete) {
  return new Promise((resolve) => {
    stream.subscribe({
      next: (value) => values.event || print({ outcome: "value", value }),
      error: (error) => {
        const silent = error?.name === "TimeoutError";
        print(
          silent ? { outcome: "silence" } : { outcome: "error", error: error instanceof Error ? error.message : error },
        );
        resolve(silent ? 3 : 1);
      },
      complete: () => {
        complete();
        resolve(0);
      },
    });
  });
}

function print(line) {
  console.log(JSON.stringify(line));
}
