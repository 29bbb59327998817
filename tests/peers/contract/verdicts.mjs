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
