// An MCP server whose one tool has a schema that no provider takes, for the inspector to find.
//
//   node unportable-mcp.mjs

import { createInterface } from "node:readline";

const ANYTHING = { name: "anything", inputSchema: { type: "object", properties: { thing: true } } };
const ANSWERS = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "unportable", version: "0" },
  }),
  "tools/list": () => ({ tools: [ANYTHING] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const outcome = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}
