// One conversation with the server: its messages, and the turn that is running, if any. It knows
// nothing of the document; whoever draws it listens to `change`.

import { api } from "./api.js";
import { applyChunk, assistantMessage, openApproval, openQuestion, userMessage } from "./message.js";
import { readChunks } from "./sse.js";

/** How long to wait before each attempt to pick up a stream that broke, in milliseconds. */
const RETRIES = [300, 1000, 3000];

export class Conversation extends EventTarget {
  messages = [];
  /** `ready`, `loading` while what was said before is fetched, `running` while a turn streams. */
  status = "ready";
  /** A sentence about the last thing that failed, or undefined. */
  fault;
  #closed = false;

  /**
   * @param {string} id
   * @param {() => object} runMode read at every post, because the person may switch between two messages
   */
  constructor(id, runMode) {
    super();
    this.id = id;
    this.runMode = runMode;
  }

  get question() {
    return this.status === "ready" ? openQuestion(this.messages.at(-1)) : undefined;
  }

  get approval() {
    return this.status === "ready" ? openApproval(this.messages.at(-1)) : undefined;
  }

  /** Fetches what was said before, then picks up a turn that still runs. */
  async load() {
    this.status = "loading";
    let response;
    try {
      this.messages = (await api.thread(this.id)).messages;
      this.#changed();
      response = await api.resume(this.id);
    } finally {
      this.status = "ready";
      this.#changed();
    }
    if (!response) return;
    const answer = assistantMessage();
    this.messages.push(answer);
    await this.#run(() => response, answer);
  }

  /** @param {{filename: string, mediaType: string, url: string}[]} files that were kept before */
  async send(text, files = []) {
    if (this.status !== "ready") return false;
    const said = userMessage(text, files);
    const answer = assistantMessage();
    this.messages.push(said, answer);
    const accepted = await this.#run(() => this.#post([said]), answer);
    // A message that the server refused was never part of the conversation.
    if (!accepted) this.messages = this.messages.filter((message) => message !== said && message !== answer);
    this.#changed();
    return accepted;
  }

  /** Answers an open question: the posted assistant message carries the answer as the call's output. */
  answer(toolCallId, text) {
    return this.#goOn(toolCallId, { state: "output-available", output: { answer: text } });
  }

  /** Lets a call run, or not. */
  decide(toolCallId, approved) {
    return this.#goOn(toolCallId, {
      state: "approval-responded",
      approval: { id: this.approval?.approval.id, approved },
    });
  }

  async #goOn(toolCallId, change) {
    const message = this.messages.at(-1);
    const part = message?.parts.find((candidate) => candidate.toolCallId === toolCallId);
    if (!part || this.status !== "ready") return false;
    const before = { output: undefined, ...part };
    Object.assign(part, change);
    const accepted = await this.#run(() => this.#post([message], message.id), message);
    if (!accepted) Object.assign(part, before);
    this.#changed();
    return accepted;
  }

  /** Asks the server to stop; the stream then ends by itself, with its reason. */
  async stop() {
    if (this.status !== "running") return;
    try {
      await api.stop(this.id);
    } catch (error) {
      // The turn was faster and has ended by itself.
      if (error.status !== 409) this.#fail(error);
    }
  }

  /** Leaves an open question unanswered, which ends its turn. */
  async dismiss() {
    try {
      await api.stop(this.id);
      this.messages = (await api.thread(this.id)).messages;
    } catch (error) {
      this.#fail(error);
    }
    this.#changed();
  }

  /** Stops listening. The turn goes on at the server. */
  close() {
    this.#closed = true;
  }

  #post(messages, messageId) {
    return api.chat({ runMode: this.runMode(), id: this.id, messages, trigger: "submit-message", messageId });
  }

  /**
   * Reads one turn to its end into `message`.
   * @returns {Promise<boolean>} whether the server took the request
   */
  async #run(open, message) {
    this.status = "running";
    this.fault = undefined;
    this.#changed();
    let accepted = false;
    try {
      let response = await open();
      accepted = true;
      this.dispatchEvent(new Event("accepted"));
      while (response && !(await this.#read(response, message))) response = await this.#pickUp(message);
    } catch (error) {
      this.#fail(error);
    }
    this.status = "ready";
    this.#changed();
    if (accepted) this.dispatchEvent(new CustomEvent("ended", { detail: message }));
    return accepted;
  }

  /** @returns {Promise<boolean>} false when the connection broke before the turn had ended */
  async #read(response, message) {
    try {
      for await (const chunk of readChunks(response.body)) {
        if (this.#closed) return true;
        const told = applyChunk(message, chunk);
        this.#tell(message, chunk, told);
        if (told.finish || told.aborted || told.error) return true;
      }
    } catch {
      // The connection broke in the middle; picking the stream up again is the answer to that.
    }
    return this.#closed;
  }

  #tell(message, chunk, told) {
    if (told.error) this.fault = told.error;
    // A resumed stream replays its turn from the start: it takes the place of what was stored of it.
    if (chunk.type === "start")
      this.messages = this.messages.filter((other) => other === message || other.id !== message.id);
    if (chunk.type === "tool-input-available" || chunk.type === "tool-input-start") {
      this.dispatchEvent(
        new CustomEvent("activity", { detail: message.parts.find((part) => part.toolCallId === chunk.toolCallId) }),
      );
    }
    this.#changed();
  }

  async #pickUp(message) {
    for (const delay of RETRIES) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (this.#closed) return undefined;
      try {
        const response = await api.resume(this.id);
        if (response) {
          message.parts = [];
          return response;
        }
        // Nothing runs any more: the stored thread holds how the turn ended.
        this.messages = (await api.thread(this.id)).messages;
        return undefined;
      } catch (error) {
        if (error.status !== 0) throw error;
      }
    }
    this.fault = "The connection was lost. Reload the page to see how this turn went on.";
    return undefined;
  }

  #fail(error) {
    this.fault = error.message;
    this.dispatchEvent(new CustomEvent("failed", { detail: error }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
