// The message box: grows with its text, Enter sends, Shift+Enter breaks the line, Esc stops. While
// Rover waits for an answer the same box takes that answer.

import { byId, el } from "./dom.js";

/**
 * @param {{send: (text: string, files: object[]) => Promise<boolean>, stop: () => void,
 *   attach: (file: File) => Promise<object|undefined>}} actions
 */
export function composer(actions) {
  const form = byId("composer");
  const text = byId("composer-text");
  const send = byId("send");
  const stop = byId("stop");
  const label = byId("composer-label");
  const fault = byId("fault");
  const list = byId("attached");
  const pick = byId("attach-file");
  let running = false;
  /** Files that go with the next message. */
  let files = [];

  const drawFiles = () => {
    list.hidden = files.length === 0;
    send.disabled = text.value.trim() === "" && files.length === 0;
    list.replaceChildren(
      ...files.map((file) => {
        const drop = () => {
          files = files.filter((other) => other !== file);
          drawFiles();
          text.focus();
        };
        return el(
          "li",
          {},
          file.filename,
          el("button", { type: "button", "aria-label": `Leave out ${file.filename}`, text: "×", onclick: drop }),
        );
      }),
    );
  };

  const fit = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight, 220)}px`;
    send.disabled = text.value.trim() === "" && files.length === 0;
  };

  const submit = async () => {
    // Files may come without a word; what is said of them then is what the server would say.
    const written = text.value.trim() || (files.length > 0 ? "See the attached file." : "");
    if (written === "" || running) return;
    const going = files;
    text.value = "";
    files = [];
    fit();
    drawFiles();
    // What could not be sent goes back into the box, unless something new is there already.
    if (!(await actions.send(written, going)) && text.value === "") {
      text.value = written;
      files = [...going, ...files];
      fit();
      drawFiles();
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  byId("attach").addEventListener("click", () => pick.click());
  pick.addEventListener("change", async () => {
    const picked = [...pick.files];
    pick.value = "";
    for (const file of picked) {
      const kept = await actions.attach(file);
      if (kept) files.push(kept);
      drawFiles();
    }
    text.focus();
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
