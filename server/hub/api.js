// Every request of the page: the bearer token, and failures as sentences a staff member can read.

const TOKEN = "rover.token";

export const session = {
  get token() {
    return sessionStorage.getItem(TOKEN);
  },
  begin(token) {
    sessionStorage.setItem(TOKEN, token);
  },
  end() {
    sessionStorage.removeItem(TOKEN);
  },
};

/** A request that did not succeed. `message` is fit to show; `status` is 0 when nobody answered. */
export class RequestFailed extends Error {
  constructor(status, message) {
    super(message);
    this.name = "RequestFailed";
    this.status = status;
  }
}

export const api = {
  /** Only in `rover dev`. @returns {Promise<{accounts: {email: string, password: string, name: string, role: string}[]}>} */
  demoAccounts: () => json("GET", "/api/auth/demo-accounts"),
  /** @returns {Promise<{token: string}>} */
  signIn: (email, password) => json("POST", "/api/auth/sign-in", { email, password }),
  /** @returns {Promise<{user: {name: string, email: string, campusId?: string}, school: {name: string}, campuses: {id: string, name: string}[]}>} */
  me: () => json("GET", "/api/me"),
  /** Every tool of the registry, with examples. @returns {Promise<{format: number, tools: object[]}>} */
  tools: () => json("GET", "/api/tools"),
  /** Labels by tool name, and the -ing form by verb. @returns {Promise<{labels: object, verbs: object}>} */
  labels: () => json("GET", "/api/tools/labels"),
  /** @returns {Promise<{threads: {id: string, title: string, updatedAt: string}[]}>} */
  threads: () => json("GET", "/api/naalya-ai/threads"),
  /** The messages are AI SDK UI messages; an assistant's metadata has `turnId` and, once ended, `endReason`. */
  thread: (id) => json("GET", `/api/naalya-ai/threads/${encodeURIComponent(id)}`),
  /** Deletes a conversation with all that was said in it. */
  forget: (id) => send("DELETE", `/api/naalya-ai/threads/${encodeURIComponent(id)}`),
  /** @returns {Promise<{turn: {threadId, person, mode, sentence, startedAt}, events: object[]}>} events as in `agent_contract::TurnEvent` */
  turn: (id) => json("GET", `/api/turns/${encodeURIComponent(id)}`),
  stop: (id) => send("POST", `/api/naalya-ai/chat/${encodeURIComponent(id)}/stop`),
  /** Starts or continues a turn; the answer is a stream. */
  chat: (body) => send("POST", "/api/naalya-ai/chat", body),
  /** Keeps a file. @returns {Promise<{id: string, filename: string, mediaType: string, size: number, url: string}>} */
  attach: async (file) => {
    const name = encodeURIComponent(file.name);
    // Beside Excel, Windows says of a CSV table that it is a workbook, and of Markdown browsers say nothing.
    const type = TEXTS[file.name.split(".").at(-1).toLowerCase()] ?? file.type;
    const body = new Blob([file], { type });
    return (await send("POST", `/api/naalya-ai/attachments?filename=${name}`, body)).json();
  },
  /** The bytes of a file on a message. @returns {Promise<Blob>} */
  file: async (url) => (await send("GET", url)).blob(),
  /** The stream of a turn that is still running, replayed from its start, or `undefined` when there is none. */
  async resume(id) {
    const response = await send("GET", `/api/naalya-ai/chat/${encodeURIComponent(id)}/stream`);
    return response.status === 204 ? undefined : response;
  },
};

const TEXTS = { csv: "text/csv", md: "text/markdown", txt: "text/plain" };

async function json(method, path, body) {
  return (await send(method, path, body)).json();
}

async function send(method, path, body) {
  const headers = { accept: "application/json, text/event-stream" };
  if (session.token) headers.authorization = `Bearer ${session.token}`;
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["content-type"] = isFile ? body.type || "text/plain" : "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined || isFile ? body : JSON.stringify(body) });
  } catch {
    throw new RequestFailed(0, "Rover cannot be reached. Check the connection, then try again.");
  }
  if (!response.ok) throw new RequestFailed(response.status, await reason(response));
  return response;
}

/** The server's own sentence (problem+json), or one for the status when it sent none. */
async function reason(response) {
  const text = await response.text().catch(() => "");
  try {
    const problem = JSON.parse(text);
    const said = problem.detail ?? problem.error ?? problem.title;
    if (typeof said === "string" && said !== "") return sentence(said);
  } catch {
    // Not JSON: a proxy's page, perhaps. It is not shown.
  }
  if (response.status === 401) return "Your session has ended. Sign in again.";
  if (response.status === 403) return "You are not allowed to do that.";
  if (response.status === 404) return "That does not exist, or is not yours to see.";
  if (response.status === 429) return "Too many requests. Wait a moment, then try again.";
  return "Rover could not answer. Try again.";
}

/** The server words its reasons as fragments; a person reads a sentence. */
function sentence(said) {
  const whole = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
