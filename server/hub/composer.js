// The message box: grows with its text, Enter sends, Shift+Enter breaks the line, Esc stops. While
// Rover waits for an answer the same box takes that answer.

import { byId } from "./dom.js";

/** @param {{send: (text: string) => Promise<boolean>, stop: () => void}} actions */
export function composer(actions) {
  const form = byId("composer");
  const text = byId("composer-text");
  const send = byId("send");
  const stop = byId("stop");
  const label = byId("composer-label");
  const fault = byId("fault");
  let running = false;

  const fit = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, 220)}px`;
    send.disabled = text.value.trim() === "";
  };

  const submit = async () => {
    const written = text.value.trim();
    if (written === "" || running) return;
    text.value = "";
    fit();
    // What could not be sent goes back into the box, unless something new is there already.
    if (!(await actions.send(written)) && text.value === "") {
      text.value = written;
      fit();
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  text.addEventListener("input", fit);
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && running) actions.stop();
  });
  stop.addEventListener("click", actions.stop);
  fit();

  return {
    focus() {
      fit();
      text.focus();
    },
    update({ status, question, fault: sentence = "" }) {
      running = status === "running";
      stop.hidden = !running;
      send.hidden = running;
      label.textContent = question ? "Your answer to Rover" : "Message to Rover";
      text.placeholder = question ? "Type your answer…" : "Ask Rover…";
      if (fault.textContent !== sentence) fault.textContent = sentence;
      fault.hidden = sentence === "";
    },
  };
}
