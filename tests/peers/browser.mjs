// A person at the Hub: headless Chromium, driven step by step.
//
//   node browser.mjs <address> <folder for screenshots> <step>...
//
// Steps run in order; each prints one JSON line `{"step", ...what was seen}`:
//   size=360x740  theme=dark       window and system theme
//   sign-in=EMAIL                  clicks the demo account and waits for the page
//   password=EMAIL:PASSWORD        types both and submits, without waiting for success
//   alert                          the sentence of the visible alert
//   campus=Main Campus             "Whole school" for school mode
//   say=SENTENCE                   types into the message box and presses Enter
//   activity=LABEL                 waits for that line of the timeline
//   text=WORDS                     waits until the last answer holds these words
//   question                       waits for a question and its options
//   choose=OPTION                  clicks that option
//   reply=WORDS                    types the answer to the question instead
//   approval                       waits until Rover asks for consent
//   decide=Go ahead                or "Do not"
//   stop                           presses Esc
//   answer                         waits for the end of the turn: text, timeline, ending
//   reload  new  open=#/…          the page again, a new conversation, an address
//   attach=NAME|TYPE|WORDS[|TIMES] picks a file with these words (so many times over): what goes with the message, or the fault
//   leave-out=NAME                 takes it off the message again
//   files                          the files on the person's last message
//   download=NAME                  clicks one of them: the name and the text of what is saved
//   threads=TITLE                  waits until this one is listed: titles of all that are
//   forget=TITLE                   deletes one and says yes; `keep=TITLE` says no
//   trace                          follows the last trace link: calls with their gates
//   to-tools                       follows the sidebar's link to the list of tools
//   tools                          the list of tools, and how many are shown
//   search=WORDS                   types them into the search of that list
//   tool=NAME                      opens that tool: its facts, arguments and examples
//   accessible                     nothing that axe-core objects to (WCAG 2.1 A and AA, best practice)
//   post=URL                       posts there from outside the page, for a model that waits for it
//   shot=NAME                      NAME.png in the folder
//
// Exit status: 0; 1 when a step found something else than it waited for, when the page logged an error or
// broke its content security policy, or when it asked any other host for anything.

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import axe from "axe-core";

import { openChromium } from "./chromium.mjs";

const PATIENCE = 20_000;
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

const [address, folder, ...steps] = process.argv.slice(2);
if (!folder || steps.length === 0) {
  console.error("usage: browser.mjs <address> <folder for screenshots> <step>...");
  process.exit(64);
}

const LAST = ".message.from-rover:last-of-type";
const STEPS = {
  async size(page, value) {
    const [width, height] = value.split("x").map(Number);
    await page.setViewportSize({ width, height });
  },
  theme: (page, colorScheme) => page.emulateMedia({ colorScheme }),
  async "sign-in"(page, email) {
    await page.locator(`#demo-accounts button[data-email="${email}"]`).click();
    await page.locator("#shell").waitFor();
    return {
      person: await page.locator("#person-name").textContent(),
      school: await page.locator("#school").textContent(),
    };
  },
  async password(page, value) {
    const [email, password] = value.split(":");
    await page.locator("#email").fill(email);
    await page.locator("#password").fill(password);
    await page.locator("#sign-in-form button").click();
  },
  async alert(page) {
    const alert = page.locator("[role=alert]:visible");
    await alert.waitFor();
    return { text: await alert.textContent() };
  },
  async campus(page, label) {
    await page.locator("#campus").selectOption({ label });
  },
  async say(page, sentence) {
    await page.locator("#composer-text").fill(sentence);
    await page.keyboard.press("Enter");
    await page.locator(".message.from-person").last().getByText(sentence, { exact: true }).waitFor();
  },
  async activity(page, label) {
    const row = page.locator(".activity li", { hasText: label }).last();
    await row.waitFor();
    return { state: await row.getAttribute("data-state"), announced: await page.locator("#announcer").textContent() };
  },
  text: (page, words) => page.locator(`${LAST} .prose`, { hasText: words }).last().waitFor(),
  async question(page) {
    const question = page.locator(`${LAST} .question[data-state=open]`);
    await question.waitFor();
    await page.locator("#conversation[data-status=ready]").waitFor();
    return {
      text: await question.locator(".question-text").textContent(),
      options: await question.locator(".options button").allTextContents(),
    };
  },
  // The page draws at its next frame: until then it still shows the turn at rest, and `answer` would read too early.
  async choose(page, option) {
    const open = page.locator(`${LAST} .question[data-state=open]`);
    await open.getByRole("button", { name: option, exact: true }).click();
    await page.locator(`${LAST} .question[data-state=answered]`, { hasText: option }).waitFor();
  },
  async reply(page, words) {
    await page.locator("#composer-text").fill(words);
    await page.keyboard.press("Enter");
    await page.locator(`${LAST} .question[data-state=answered]`, { hasText: words }).waitFor();
  },
  async approval(page) {
    const asked = page.locator(`${LAST} .question`, { has: page.locator(".inputs") });
    await asked.getByRole("button", { name: "Go ahead", disabled: false }).waitFor();
    return {
      text: await asked.locator(".question-text").textContent(),
      inputs: await asked.locator(".inputs div").allInnerTexts(),
    };
  },
  async decide(page, decision) {
    const button = page.locator(LAST).getByRole("button", { name: decision, exact: true, disabled: false });
    await button.click();
    await button.waitFor({ state: "hidden" });
  },
  stop: (page) => page.keyboard.press("Escape"),
  async answer(page) {
    await page.locator("#conversation[data-status=ready]").waitFor();
    const answer = page.locator(LAST);
    await answer.waitFor();
    const ending = answer.locator(".ending:visible");
    return {
      text: (await answer.locator(".prose").allInnerTexts()).join("\n\n"),
      activity: await answer
        .locator(".activity li")
        .evaluateAll((rows) =>
          rows.map((row) => ({ label: row.querySelector(".label").textContent, state: row.dataset.state })),
        ),
      ending: (await ending.count()) > 0 ? await ending.textContent() : null,
      fault: (await page.locator("#fault:visible").count()) > 0 ? await page.locator("#fault").textContent() : null,
      address: new URL(page.url()).hash,
    };
  },
  async reload(page) {
    await page.reload();
  },
  new: (page) => page.locator("#new-thread").click(),
  async attach(page, value) {
    const [name, mimeType, words, times = "1"] = value.split("|");
    const buffer = Buffer.from(words.repeat(Number(times)));
    const before = await page.locator("#attached li").count();
    await page.locator("#attach-file").setInputFiles({ name, mimeType, buffer });
    const kept = page.locator("#attached li").nth(before);
    const fault = page.locator("#fault:visible", { hasText: `${name}: ` });
    await kept.or(fault).first().waitFor();
    return {
      attached: await page.locator("#attached li").allInnerTexts(),
      fault: (await fault.count()) > 0 ? await fault.textContent() : null,
    };
  },
  async "leave-out"(page, name) {
    await page.getByRole("button", { name: `Leave out ${name}`, exact: true }).click();
    await page.locator("#attached li", { hasText: name }).waitFor({ state: "detached" });
  },
  async files(page) {
    const message = page.locator(".message.from-person").last();
    await message.waitFor();
    return { names: await message.locator(".files li").allInnerTexts() };
  },
  async download(page, name) {
    const coming = page.waitForEvent("download");
    await page.locator(".files").getByRole("button", { name, exact: true }).last().click();
    const download = await coming;
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  },
  async threads(page, title) {
    const menu = page.locator("#open-sidebar");
    if (await menu.isVisible()) await menu.click();
    await page.locator("#threads li", { hasText: title }).first().waitFor();
    return { titles: await page.locator("#threads li a").allTextContents() };
  },
  forget: (page, title) => remove(page, title, true),
  keep: (page, title) => remove(page, title, false),
  async open(page, hash) {
    await page.goto(new URL(hash, address).href);
  },
  async "to-tools"(page) {
    const menu = page.locator("#open-sidebar");
    if (await menu.isVisible()) await menu.click();
    await page.locator("#to-tools").click();
    await page.locator("#to-tools[aria-current=page]").waitFor({ state: "attached" });
  },
  async tools(page) {
    await page.locator("#catalogue .count").waitFor();
    return {
      count: await page.locator("#catalogue .count").textContent(),
      names: await page.locator("#catalogue li:visible .tool-name").allTextContents(),
      focused: await page.evaluate(() => document.activeElement.textContent),
      wide: await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    };
  },
  search: (page, words) => page.locator("#tool-search").fill(words),
  async tool(page, name) {
    const tool = page.locator("#catalogue details.tool", { has: page.locator(`.tool-name:text-is("${name}")`) });
    if ((await tool.getAttribute("open")) === null) {
      await tool.locator("summary").first().focus();
      await page.keyboard.press("Enter");
    }
    return {
      facts: Object.fromEntries(
        await tool.locator(".facts > div").evaluateAll((rows) => rows.map((row) => [...row.children].map((c) => c.textContent))),
      ),
      arguments: await tool.locator("td:first-child code").allTextContents(),
      shown: await tool.locator(".tool-body > pre").allTextContents(),
    };
  },
  async accessible(page) {
    await settle(page);
    await page.evaluate(axe.source);
    const { violations, passes } = await page.evaluate(
      (tags) => globalThis.axe.run(document, { runOnly: tags }),
      RULES,
    );
    if (violations.length > 0) throw new Error(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0].html])));
    return { rules: passes.length };
  },
  async post(_page, url) {
    const { status } = await fetch(url, { method: "POST" });
    return { status };
  },
  async trace(page) {
    await page.locator(`${LAST} .trace-link`).click();
    await page.locator("#trace .lanes").waitFor();
    const calls = await page.locator("#trace tbody.call").evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.querySelector(".call-title code").textContent,
        failed: row.classList.contains("failed"),
        gates: Object.fromEntries(
          [...row.querySelectorAll(".gates li")].map((gate) => [
            gate.querySelector(".gate-name").textContent,
            gate.dataset.state,
          ]),
        ),
      })),
    );
    return { title: await page.locator("#trace h1").textContent(), calls };
  },
  async shot(page, name) {
    const path = join(folder, `${name}.png`);
    await settle(page);
    await page.screenshot({ path });
    return { path };
  },
};

const { page, close } = await openChromium();
const faults = [];
page.setDefaultTimeout(PATIENCE);
page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
page.on("console", (line) => {
  // A refused request is also logged by the browser; whether it was meant is for the steps to say.
  if (line.type() === "error" && !line.text().startsWith("Failed to load resource"))
    faults.push(`console: ${line.text()}`);
});
page.on("request", (request) => {
  const { origin, protocol } = new URL(request.url());
  if (protocol !== "data:" && origin !== new URL(address).origin) faults.push(`asked another host: ${request.url()}`);
});

try {
  await mkdir(folder, { recursive: true });
  await page.goto(address);
  for (const step of steps) await run(step);
} finally {
  await close();
}
for (const fault of faults) print({ step: "fault", text: fault });
process.exitCode = faults.length > 0 || process.exitCode ? 1 : 0;

/** Lets the short appearing transitions end, so that what is looked at is a settled page. */
function settle(page) {
  return page.evaluate(() => {
    const passing = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations === 1);
    return Promise.all(passing.map((animation) => animation.finished));
  });
}

/** Clicks a conversation's delete button, and answers what the page asks then. */
async function remove(page, title, meant) {
  let asked;
  page.once("dialog", (dialog) => {
    asked = dialog.message();
    return meant ? dialog.accept() : dialog.dismiss();
  });
  const row = page.locator("#threads li", { hasText: title });
  await row.getByRole("button").click();
  if (meant) await row.waitFor({ state: "detached" });
  const announced = meant ? await page.locator("#announcer").textContent() : null;
  return { asked, announced, address: new URL(page.url()).hash };
}

async function run(step) {
  if (process.exitCode) return;
  const [verb, ...rest] = step.split("=");
  try {
    if (!STEPS[verb]) throw new Error(`there is no step "${verb}"`);
    print({ step: verb, ...(await STEPS[verb](page, rest.join("="))) });
  } catch (error) {
    await page.screenshot({ path: join(folder, "failed.png") }).catch(() => {});
    print({
      step: verb,
      failed: error.message.split("\n")[0],
      page: await page
        .locator("body")
        .innerText()
        .catch(() => ""),
    });
    process.exitCode = 1;
  }
}

function print(line) {
  console.log(JSON.stringify(line));
}
