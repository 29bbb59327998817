// The sign-in card. In `rover dev` it lists the demo staff; one click fills the form and signs in.

import { api, session } from "./api.js";
import { byId, el } from "./dom.js";

/** Shows the card until someone has signed in, then resolves. */
export async function signIn(notice) {
  const card = byId("sign-in");
  const form = byId("sign-in-form");
  const fault = byId("sign-in-fault");
  byId("shell").hidden = true;
  card.hidden = false;
  document.title = "Sign in · Rover";
  say(fault, notice);
  showDemoAccounts(form);
  form.elements.email.focus();

  await new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      const button = form.querySelector("button");
      button.disabled = true;
      try {
        const { token } = await api.signIn(form.elements.email.value.trim(), form.elements.password.value);
        session.begin(token);
        say(fault);
        resolve();
      } catch (error) {
        say(fault, error.message);
        form.elements.password.select();
      } finally {
        button.disabled = false;
      }
    };
  });
  form.reset();
  card.hidden = true;
}

async function showDemoAccounts(form) {
  let accounts;
  try {
    ({ accounts } = await api.demoAccounts());
  } catch {
    // Only `rover dev` lists accounts; anywhere else there is nothing to show.
    return;
  }
  byId("demo").hidden = accounts.length === 0;
  byId("demo-accounts").replaceChildren(...accounts.map((account) => el("li", {}, demoButton(account, form))));
}

function demoButton(account, form) {
  const fill = () => {
    form.elements.email.value = account.email;
    form.elements.password.value = account.password;
    form.requestSubmit();
  };
  return el(
    "button",
    { type: "button", onclick: fill, "data-email": account.email },
    el("span", { class: "avatar", "aria-hidden": "true", text: initials(account.name) }),
    el("span", { class: "person-text" }, el("b", { text: account.name }), el("small", { text: account.role })),
  );
}

export function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  return [words.at(0), words.length > 1 ? words.at(-1) : ""]
    .map((word) => (word ?? "").charAt(0))
    .join("")
    .toUpperCase();
}

function say(node, sentence = "") {
  node.textContent = sentence;
  node.hidden = sentence === "";
}
