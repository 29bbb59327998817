// How long an offline chat turn with one write takes, as a client sees it: from the post to the end of the stream.
//
//   node turn-time.mjs <address of the Hub> [turns]
//
// Signs in as a demo account and creates one department a turn, one after the other, on one campus. Prints one JSON
// line: milliseconds, least, median and most. The first five turns warm up and do not count.

const [address, wanted = "50"] = process.argv.slice(2);
if (!address) {
  console.error("usage: turn-time.mjs <address of the Hub> [turns]");
  process.exit(64);
}

const WARMING = 5;
const credentials = { email: "grace.namutebi@naalya.example", password: "rover-demo" };
const { token, campuses } = await (await post("/api/auth/sign-in", credentials)).json();
const campus = campuses.find(({ name }) => name === "Main Campus");

const took = [];
for (let turn = 0; turn < WARMING + Number(wanted); turn++) {
  const name = `Timing-${letters(process.pid)}-${letters(turn)}`;
  const start = performance.now();
  const response = await post(
    "/api/naalya-ai/chat",
    {
      id: `timing-${process.pid}-${turn}`,
      runMode: { mode: "campus", campusId: campus.id },
      trigger: "submit-message",
      messages: [
        { id: `m${turn}`, role: "user", parts: [{ type: "text", text: `create a department called ${name}` }] },
      ],
    },
    { authorization: `Bearer ${token}` },
  );
  const stream = await response.text();
  if (turn >= WARMING) took.push(performance.now() - start);
  if (!stream.includes('"type":"tool-output-available"')) throw new Error(`turn ${turn} wrote nothing: ${stream}`);
}
took.sort((a, b) => a - b);
const rounded = (ms) => Math.round(ms * 10) / 10;
console.log(
  JSON.stringify({
    turns: took.length,
    least: rounded(took[0]),
    median: rounded(took[took.length >> 1]),
    most: rounded(took.at(-1)),
  }),
);

function post(path, body, headers = {}) {
  return fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** A number in letters, so that no name looks like another with a typing mistake. */
function letters(number) {
  return [...String(number)].map((digit) => "abcdefghij"[digit]).join("");
}
