// Asks Zod and Ajv for their verdicts on samples and compares them with ours.
// Usage: verdicts.mjs FOLDER, which holds out/contract.zod.js, schemas.json and samples.json:
// [{of: "args" | "result" | "envelope", name, value, taken}].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const json = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
// The folder has a link to the peers' modules, so that both programs load the same Zod.
const require = createRequire(`${folder}/verdicts.mjs`);
const Ajv = require("ajv/dist/2020.js").default;
const formats = require("ajv-formats").default;
const contract = await import(pathToFileURL(`${folder}/out/contract.zod.js`));
const schemas = json("schemas.json");

const ajv = formats(new Ajv({ strict: true, allowUnionTypes: true }));
// Server and worker hold instants of the years 0 to 9999, with a day to spare at the end; the format alone has no range.
const instant = formats.get("date-time");
const [first, last] = ["0000-01-01T00:00:00Z", "9999-12-30T22:00:00.999Z"].map(Date.parse);
const within = (text) => {
  const at = Date.parse(text.toUpperCase().replace(":60", ":59").replace(/(\.\d{3})\d+/, "$1"));
  return first <= at && at <= last;
};
// Its makers let a space stand where the grammar of RFC 3339 has a T, and take offsets without a colon.
const grammar = /^.{10}T.*(Z|[+-]\d\d:\d\d)$/i;
ajv.addFormat("date-time", { validate: (text) => instant.validate(text) && grammar.test(text) && within(text) });
const compiled = new Map();
const validator = (key, schema) => {
  if (!compiled.has(key)) compiled.set(key, ajv.compile(schema));
  return compiled.get(key);
};

const judges = {
  zod: {
    args: (name, value) => contract.toolArgs[name].safeParse(value).success,
    result: (name, value) => contract.toolResults[name].safeParse(value).success,
    envelope: (name, value) =>
      contract[name[0].toLowerCase() + name.slice(1)].safeParse(value).success,
  },
  ajv: {
    args: (name, value) => validator(`args ${name}`, schemas.tools[name].args)(value),
    result: (name, value) => validator(`result ${name}`, schemas.tools[name].result)(value),
    envelope: (name, value) => validator(`envelope ${name}`, schemas.envelope[name])(value),
  },
};

const samples = json("samples.json");
for (const [step, judge] of Object.entries(judges)) {
  const differ = samples.filter(({ of, name, value, taken }) => judge[of](name, value) !== taken);
  console.log(JSON.stringify({ step, tried: samples.length, differ: differ.length, shown: differ.slice(0, 5) }));
}

// The envelope around one tool's result, as the server writes it.
const around = contract.agentToolResult(contract.toolResults.create_department);
const read = json("envelopes.json").map(({ value, taken }) => around.safeParse(value).success === taken);
console.log(JSON.stringify({ step: "envelopes", tried: read.length, differ: read.filter((same) => !same).length }));
