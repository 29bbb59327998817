// A NestJS peer that our worker calls: a real microservice with `create.department` and the ways in
// which a Nest server can answer. Decorators are applied by hand, as this is plain JavaScript.
//
//   node nest-server.mjs                                 reads RMQ_URL and RMQ_QUEUE (default agent-tool)
//
// Prints {"ready":true}, then one JSON line a message: the AMQP properties and the raw body that came.
// Ends on SIGTERM or when its standard input closes, so that it never outlives the test that started it.

import "reflect-metadata";

import { Controller, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Ctx, MessagePattern, Payload, RpcException, Transport } from "@nestjs/microservices";
import { concat, of, throwError } from "rxjs";

class AgentTools {
  departments = [];

  /** The tool as the seeds' server has it: identity first, then arguments, then the tenant. */
  createDepartment({ identity, scope, args } = {}) {
    if (!identity?.sub) return { error: "This call carries no identity." };
    if (typeof args?.name !== "string" || args.name === "") return { error: "args.name: expected string" };
    if (!identity.schoolId) return { error: "No school for this caller." };
    const department = {
      id: `dep_${this.departments.length + 1}`,
      name: args.name,
      campusId: scope?.campusId ?? args.campusId ?? null,
    };
    this.departments.push(department);
    const where = scope?.mode === "campus" ? `limited to campus ${scope.campusId}` : "for the whole school";
    return { data: department, scopeContext: `Data is ${where}.` };
  }

  listDepartments() {
    return { data: this.departments, scopeContext: "Data is for the whole school." };
  }

  nothing() {
    return undefined;
  }

  several() {
    return of({ n: 1 }, { n: 2 }, { data: { n: 3 }, scopeContext: "" });
  }

  broken() {
    throw new Error("detail that must not travel");
  }

  refused() {
    throw new RpcException("tool refused");
  }

  refusedWithObject() {
    throw new RpcException({ code: "E_TENANT", message: "wrong tenant" });
  }

  halfway() {
    return concat(
      of({ n: 1 }),
      throwError(() => new RpcException("stopped half way")),
    );
  }
}

const PATTERNS = {
  createDepartment: "create.department",
  listDepartments: "list.departments",
  nothing: "answer.nothing",
  several: "answer.several",
  broken: "answer.broken",
  refused: "answer.refused",
  refusedWithObject: "answer.refused-with-object",
  halfway: "answer.halfway",
};

for (const [method, pattern] of Object.entries(PATTERNS)) {
  const handler = AgentTools.prototype[method];
  AgentTools.prototype[method] = function logged(payload, context) {
    const message = context.getMessage();
    print({ pattern: context.getPattern(), properties: message.properties, body: message.content.toString() });
    return handler.call(this, payload);
  };
  Payload()(AgentTools.prototype, method, 0);
  Ctx()(AgentTools.prototype, method, 1);
  MessagePattern(pattern)(AgentTools.prototype, method, Object.getOwnPropertyDescriptor(AgentTools.prototype, method));
}
Controller()(AgentTools);

class Peer {}
Module({ controllers: [AgentTools] })(Peer);

const app = await NestFactory.createMicroservice(Peer, {
  logger: ["error", "fatal"],
  transport: Transport.RMQ,
  options: {
    urls: [process.env.RMQ_URL ?? "amqp://guest:guest@127.0.0.1:5672"],
    queue: process.env.RMQ_QUEUE ?? "agent-tool",
  },
});
app.enableShutdownHooks();
await app.listen();
print({ ready: true });

process.stdin.on("end", () => app.close().then(() => process.exit(0)));
process.stdin.resume();

function print(line) {
  console.log(JSON.stringify(line));
}
