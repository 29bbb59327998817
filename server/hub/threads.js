// The list of earlier conversations, newest first, under the day they were last used.

import { el } from "./dom.js";

/**
 * @param {HTMLElement} nav
 * @param {{id: string, title: string, updatedAt: string}[]} threads
 * @param {string} current id of the conversation on the page
 * @param {(thread: {id: string, title: string}) => void} forget deletes one, once the person has said so
 */
export function drawThreads(nav, threads, current, forget) {
  if (threads.length === 0) {
    nav.replaceChildren(el("p", { class: "no-threads", text: "Your conversations will be listed here." }));
    return;
  }
  const days = new Map();
  for (const thread of [...threads].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))) {
    const day = dayOf(new Date(thread.updatedAt));
    days.set(day, [...(days.get(day) ?? []), thread]);
  }
  nav.replaceChildren(
    ...[...days].map(([day, list]) =>
      el(
        "section",
        {},
        el("h2", { text: day }),
        el("ul", {}, ...list.map((thread) => el("li", {}, link(thread, current), remove(thread, forget)))),
      ),
    ),
  );
}

function link(thread, current) {
  return el("a", {
    href: `#/t/${encodeURIComponent(thread.id)}`,
    "aria-current": thread.id === current ? "page" : null,
    title: thread.title,
    text: thread.title || "New conversation",
  });
}

function remove(thread, forget) {
  const title = thread.title || "New conversation";
  return el("button", {
    type: "button",
    class: "forget",
    "aria-label": `Delete the conversation “${title}”`,
    title: "Delete",
    text: "×",
    onclick: () => forget({ ...thread, title }),
  });
}

function dayOf(date) {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - date) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days <= 7 ? "Last seven days" : "Earlier";
}
