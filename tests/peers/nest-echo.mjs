// A NestJS server that returns what it is given and a NestJS client that asks it, for `benches/calls`: each is a process.
//
//   node nest-echo.mjs <in flight> <milliseconds>      reads RMQ_URL and RMQ_QUEUE
//
// Prints one JSON line: {"perSecond":…,"p50":…,"p99":…}, times in ms.

import "reflect-metadata";

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { Controller, Logger, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, MessagePattern, Payload, Transport } from "@nestjs/microservices";
import { firstValueFrom } from "rxjs";

Logger.overrideLogger(["error", "fatal"]);
const options = {
  urls: [process.env.RMQ_URL ?? "amqp://guest:guest@127.0.0.1:5672"],
  queue: process.env.RMQ_QUEUE ?? "rover-bench-nest",
  queueOptions: { autoDelete: true },
};

if (process.argv[2] === "serve") await serve();
else await ask(Number(process.argv[2]), Number(process.argv[3]));

async function serve() {
  class Echo {
    echo(data) {
      return data;
    }
  }
  Payload()(Echo.prototype, "echo", 0);
  MessagePattern("echo")(Echo.prototype, "echo", Object.getOwnPropertyDescriptor(Echo.prototype, "echo"));
  Controller()(Echo);
  class Server {}
  Module({ controllers: [Echo] })(Server);
  const app = await NestFactory.createMicroservice(Server, { logger: ["error"], transport: Transport.RMQ, options });
  await app.listen();
  process.send("ready");
}

async function ask(inFlight, lasting) {
  const server = fork(fileURLToPath(import.meta.url), ["serve"]);
  await new Promise((resolve) => server.once("message", resolve));
  const client = ClientProxyFactory.create({ transport: Transport.RMQ, options });
  await client.connect();
  const data = { text: "x".repeat(220) };
  await firstValueFrom(client.send("echo", data));
  const took = [];
  const began = performance.now();
  const lane = async () => {
    while (performance.now() - began < lasting) {
      const at = performance.now();
      await firstValueFrom(client.send("echo", data));
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const elapsed = (performance.now() - began) / 1000;
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.min(Math.floor(took.length * share), took.length - 1)];
  console.log(JSON.stringify({ perSecond: took.length / elapsed, p50: at(0.5), p99: at(0.99) }));
  await client.close();
  server.kill();
}
