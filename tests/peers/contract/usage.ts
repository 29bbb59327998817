// How a program in TypeScript uses the exported contract. It is compiled and never run; each `@ts-expect-error` is a
// mistake that the types must catch, and is an error itself if they do not.
import type { z } from "zod";
import * as contract from "./contract.zod.js";
import {
  type AgentCallScope,
  type AgentIdentity,
  type AgentToolRequest,
  type AgentToolResult,
  type CreateDepartmentArgs,
  type ToolArgs,
  type ToolEvent,
  type ToolName,
  type ToolResults,
  toolEvents,
  toolLabels,
} from "./contract.js";

const args: CreateDepartmentArgs = { name: "Mathematics" };
const wide: CreateDepartmentArgs = { name: "Mathematics", campusId: "cmp_1" };
// @ts-expect-error: the name is not optional
const nameless: CreateDepartmentArgs = {};
// @ts-expect-error: no such argument
const misspelt: CreateDepartmentArgs = { nmae: "Mathematics", name: "Mathematics" };
// @ts-expect-error: not a number
const numbered: CreateDepartmentArgs = { name: 7 };

const identity: AgentIdentity = { sub: "usr_1", email: "a@b.example", type: "staff", profileId: "prf_1" };
// @ts-expect-error: no such kind of account
const stranger: AgentIdentity = { sub: "usr_1", email: "a@b.example", type: "robot", profileId: "prf_1" };

const scope: AgentCallScope = { mode: "campus", campusId: "cmp_1" };
// @ts-expect-error: a campus scope names its campus
const scopeless: AgentCallScope = { mode: "campus" };
// @ts-expect-error: a school scope names none
const contradiction: AgentCallScope = { mode: "school", campusId: "cmp_1" };

/** A client, typed by the tool's name. */
declare function call<N extends ToolName & keyof typeof toolEvents>(
  tool: N,
  request: AgentToolRequest<ToolArgs[N]>,
): Promise<AgentToolResult<ToolResults[N]>>;

export const created = async (): Promise<string> => {
  const result = await call("create_department", { identity, scope, args });
  // @ts-expect-error: it may have failed
  result.data.name;
  return "data" in result ? result.data.name : result.error;
};

const event: ToolEvent = toolEvents.create_department;
const label: string = toolLabels.create_department;
// @ts-expect-error: a local tool has no event
toolEvents.ask_staffer;

// What the schemas read is what the types say.
const read: z.infer<typeof contract.createDepartmentArgs> = wide;
const written: CreateDepartmentArgs["name"] = read.name;

export { contradiction, event, label, misspelt, nameless, numbered, scopeless, stranger, written };
