// The page: who is signed in, where they work, which conversation, trace or tool is shown. The address's
// hash is the only route: `#/`, `#/t/<conversation>`, `#/turns/<turn>`,
// `#/tools` and `#/tools/<tool>`.

import { api, session } from "./api.js";
import { composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId, el } from "./dom.js";
import { labelOf, learnLabels } from "./labels.js";
import { markdown } from "./markdown.js";
import { messageView } from "./message-view.js";
import { newId, plainText, toolName } from "./message.js";
import { initials, signIn } from "./sign-in.js";
import { drawThreads } from "./threads.js";
import { drawTools } from "./tools.js";
import { drawTrace } from "./trace.js";

const RUN_MODE = "rover.runMode";
/** Sentences offered on an empty page; each only reads. */
const STARTERS = ["Which classes do I teach?", "List the departments", "What is today's date?", "Who am I?"];

const announcer = byId("announcer");
const scroller = byId("scroller");
const campus = byId("campus");

let me;
let threads = [];
let conversation;
let views = new Map();
let frame = 0;

const actions = {
  answer: (toolCallId, text) => conversation.answer(toolCallId, text),
  decide: (toolCallId, approved) => conversation.decide(toolCallId, approved),
  dismiss: () => conversation.dismiss(),
  download,
};
const box = composer({
  send: (text, files) => {
    const { question } = conversation;
    if (!question) return conversation.send(text, files);
    if (files.length === 0) return conversation.answer(question.toolCallId, text);
    // It would be lost silently.
    conversation.fault = "An answer takes no files. Leave them out, and send them with your next message.";
    scheduleDraw();
    return false;
  },
  attach,
  stop: () => conversation.stop(),
});

async function start(notice) {
  if (!session.token) await signIn(notice);
  try {
    [me] = await Promise.all([api.me(), api.labels().then(learnLabels)]);
  } catch (error) {
    session.end();
    return start(error.status === 401 ? "Your session has ended. Sign in again." : error.message);
  }
  drawPerson();
  byId("shell").hidden = false;
  await Promise.all([refreshThreads(), route()]);
}

function drawPerson() {
  byId("school").textContent = me.school.name;
  byId("person-name").textContent = me.user.name;
  byId("person-email").textContent = me.user.email;
  byId("person-initials").textContent = initials(me.user.name);
  campus.replaceChildren(
    el("option", { value: "", text: "Whole school" }),
    ...me.campuses.map(({ id, name }) => el("option", { value: id, text: name })),
  );
  const kept = sessionStorage.getItem(RUN_MODE) ?? me.user.campusId ?? "";
  campus.value = me.campuses.some(({ id }) => id === kept) ? kept : "";
}

function runMode() {
  return campus.value === "" ? { mode: "school" } : { mode: "campus", campusId: campus.value };
}

async function route() {
  closeSidebar();
  const { place, id } = address();
  byId("conversation").hidden = place !== "t";
  byId("trace").hidden = place !== "turns";
  byId("catalogue").hidden = place !== "tools";
  if (place === "tools") byId("to-tools").setAttribute("aria-current", "page");
  else byId("to-tools").removeAttribute("aria-current");
  if (place !== "t") {
    document.title = place === "tools" ? "Tools · Rover" : "Trace · Rover";
    const draw = place === "tools" ? drawTools(byId("catalogue"), id) : drawTrace(byId("trace"), id);
    const error = await draw;
    return error?.status === 401 ? expired() : undefined;
  }
  const wanted = id;
  // Coming back from the trace, or the address catching up with a conversation that has just begun.
  if (conversation && wanted === conversation.id) return markCurrent();
  await show(wanted);
}

/** What the address asks for: a conversation, unless it names a turn or the tools. */
function address() {
  const [, place, id] = /^#\/(tools|turns|t)(?:\/(.+))?$/.exec(location.hash) ?? [];
  const named = id === undefined ? undefined : decodeURIComponent(id);
  return place === "tools" || (place === "turns" && id) ? { place, id: named } : { place: "t", id: named };
}

async function show(id) {
  conversation?.close();
  const shown = new Conversation(id ?? newId(), runMode);
  conversation = shown;
  views = new Map();
  byId("messages").replaceChildren();
  shown.addEventListener("change", () => shown === conversation && scheduleDraw());
  shown.addEventListener("activity", ({ detail }) => announce(activitySentence(detail)));
  shown.addEventListener("accepted", () => accepted(shown));
  shown.addEventListener("ended", ({ detail }) => ended(shown, detail));
  shown.addEventListener("failed", ({ detail }) => detail.status === 401 && expired());
  scheduleDraw();
  markCurrent();
  box.focus();
  if (id === undefined) return;
  try {
    await shown.load();
  } catch (error) {
    if (error.status === 401) return expired();
    if (shown !== conversation) return;
    if (error.status === 404) {
      // Nothing can be said in a conversation that is not there: what is said next begins a new one.
      history.replaceState(null, "", "#/");
      await show();
    }
    conversation.fault = error.message;
    scheduleDraw();
  }
}

function accepted(shown) {
  if (shown !== conversation) return;
  const hash = `#/t/${encodeURIComponent(shown.id)}`;
  // replaceState, so that the address names the conversation without being read as a new route.
  if (location.hash !== hash && address().place === "t") history.replaceState(null, "", hash);
  refreshThreads();
}

function ended(shown, message) {
  if (shown !== conversation) return;
  announce(waitsFor(shown) ?? spoken(plainText(message)));
  refreshThreads();
}

function waitsFor({ question, approval }) {
  if (question) return `Rover asks: ${question.input?.question ?? ""}`;
  return approval && `Rover asks for your consent: ${labelOf(toolName(approval), approval.title)}`;
}

/** The words of an answer without their markdown signs. */
function spoken(text) {
  return [...markdown(text).children].map((block) => block.textContent).join("\n");
}

function activitySentence(part) {
  return part.providerExecuted ? labelOf(toolName(part), part.title) : "";
}

function scheduleDraw() {
  if (frame === 0) frame = requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  if (!conversation) return;
  const list = byId("messages");
  const pinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
  const { messages, status } = conversation;
  byId("conversation").dataset.status = status;
  for (const [message, view] of views) {
    if (messages.includes(message)) continue;
    view.node.remove();
    views.delete(message);
  }
  if (messages.length > 0) list.querySelector(".greeting")?.remove();
  for (const message of messages) {
    if (views.has(message)) continue;
    views.set(message, messageView(message, actions));
    list.append(views.get(message).node);
  }
  for (const message of messages) {
    const phase = message !== messages.at(-1) ? "past" : status === "running" ? "running" : "last";
    views.get(message).update(phase);
  }
  if (messages.length === 0 && !location.hash.startsWith("#/t/") && !list.firstChild) list.append(greeting());
  box.update(conversation);
  if (pinned) scroller.scrollTop = scroller.scrollHeight;
}

function greeting() {
  const hour = new Date().getHours();
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return el(
    "section",
    { class: "greeting" },
    el("h2", { text: `Good ${part}, ${me.user.name.split(" ")[0]}.` }),
    el("p", { text: "What would you like to know or get done?" }),
    el(
      "ul",
      {},
      ...STARTERS.map((text) =>
        el("li", {}, el("button", { type: "button", text, onclick: () => conversation.send(text) })),
      ),
    ),
  );
}

async function refreshThreads() {
  try {
    ({ threads } = await api.threads());
  } catch (error) {
    if (error.status === 401) expired();
    // The list stays as it was; the conversation itself says what is wrong.
    return;
  }
  markCurrent();
}

/** Keeps a file for the next message; what is wrong with it is said in its place. */
async function attach(file) {
  conversation.fault = undefined;
  scheduleDraw();
  try {
    return await api.attach(file);
  } catch (error) {
    if (error.status === 401) expired();
    conversation.fault = `${file.name}: ${error.message}`;
    scheduleDraw();
    return undefined;
  }
}

async function download({ url, filename }) {
  try {
    const address = URL.createObjectURL(await api.file(url));
    el("a", { href: address, download: filename ?? "file" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    if (error.status === 401) return expired();
    announce(error.message);
  }
}

/** Deletes a conversation, once the person has said that they mean it. */
async function forget({ id, title }) {
  const question = `Delete “${title}” and all that was said in it? What Rover changed in the school stays as it is.`;
  if (!window.confirm(question)) return;
  try {
    await api.forget(id);
  } catch (error) {
    if (error.status === 401) return expired();
    // Somebody deleted it in another window.
    if (error.status !== 404) return announce(error.message);
  }
  announce(`The conversation “${title}” is deleted.`);
  if (conversation?.id === id) location.hash = "#/";
  await refreshThreads();
}

function markCurrent() {
  drawThreads(byId("threads"), threads, conversation?.id, forget);
  const title = threads.find(({ id }) => id === conversation?.id)?.title;
  byId("conversation-title").textContent = title ?? "New conversation";
  if (!byId("conversation").hidden) document.title = title ? `${title} · Rover` : "Rover";
}

function announce(sentence) {
  if (sentence) announcer.textContent = sentence;
}

function expired() {
  // Several requests may learn of it at once.
  if (session.token) leave("Your session has ended. Sign in again.");
}

function leave(notice) {
  conversation?.close();
  conversation = undefined;
  threads = [];
  // Nothing of this person stays on the page for the next one.
  views = new Map();
  for (const id of ["messages", "threads", "trace", "catalogue", "campus"]) byId(id).replaceChildren();
  for (const id of ["school", "person-name", "person-email", "person-initials", "announcer"]) byId(id).textContent = "";
  byId("composer-text").value = "";
  session.end();
  start(notice);
}

function openSidebar(open) {
  document.body.dataset.sidebar = open ? "open" : "closed";
  byId("open-sidebar").setAttribute("aria-expanded", String(open));
  byId("stage").inert = open;
  if (open) byId("new-thread").focus();
}

function closeSidebar() {
  if (document.body.dataset.sidebar !== "open") return;
  openSidebar(false);
  byId("open-sidebar").focus();
}

campus.addEventListener("change", () => {
  sessionStorage.setItem(RUN_MODE, campus.value);
  announce(`Working in ${campus.selectedOptions[0].textContent}`);
});
byId("open-sidebar").addEventListener("click", () => openSidebar(true));
byId("scrim").addEventListener("click", closeSidebar);
byId("sign-out").addEventListener("click", () => {
  history.replaceState(null, "", "#/");
  sessionStorage.removeItem(RUN_MODE);
  leave();
});
byId("new-thread").addEventListener("click", () => {
  history.replaceState(null, "", "#/");
  conversation?.close();
  conversation = undefined;
  route();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && closeSidebar());
addEventListener("hashchange", () => me && session.token && route());

start();
