// The page's own modules in a real browser, served from the folder: what markdown becomes, and that
// nothing a model writes ever becomes markup.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";

import { openChromium } from "../chromium.mjs";

const FOLDER = join(import.meta.dirname, "../../../server/hub");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const ORIGIN = "http://hub.test";

let page;
let close;

before(async () => {
  ({ page, close } = await openChromium());
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith("/api/")) return route.fulfill({ status: 503, body: "" });
    const name = pathname === "/" ? "index.html" : pathname.replace("/hub/", "");
    return route.fulfill({ body: await readFile(join(FOLDER, name)), contentType: TYPES[extname(name)] });
  });
  await page.goto(ORIGIN);
});
after(() => close());

const MARKDOWN = [
  ["plain words", "<p>plain words</p>"],
  ["one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"],
  [
    "**bold**, *italic*, _too_ and `code`",
    "<p><strong>bold</strong>, <em>italic</em>, <em>too</em> and <code>code</code></p>",
  ],
  ["**bold *and italic***", "<p><strong>bold <em>and italic</em></strong></p>"],
  ["a_b_c, 2*3*4, 5 * 6 * 7, **open", "<p>a_b_c, 2*3*4, 5 * 6 * 7, **open</p>"],
  ["\\*kept\\*", "<p>*kept*</p>"],
  ["## Departments", "<h4>Departments</h4>"],
  ["- a\n- b\n  - c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"],
  ["3. c\n4. d", '<ol start="3"><li>c</li><li>d</li></ol>'],
  ["> said", "<blockquote><p>said</p></blockquote>"],
  ["---", "<hr>"],
  ['```json\n{"a": **1**}\n```', '<pre tabindex="0"><code>{"a": **1**}</code></pre>'],
  ["```\nstill streaming", '<pre tabindex="0"><code>still streaming</code></pre>'],
  [
    "| Name | Staff |\n|---|--:|\n| Maths \\| Physics | 6 |",
    '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">Name</th><th class="end" scope="col">Staff</th></tr></thead>' +
      '<tbody><tr><td>Maths | Physics</td><td class="end">6</td></tr></tbody></table></div>',
  ],
  ["a | b", "<p>a | b</p>"],
  [
    "[Rover](https://rover.example/)",
    '<p><a href="https://rover.example/" rel="noopener noreferrer" target="_blank">Rover</a></p>',
  ],
  ["[trace](#/turns/t1)", '<p><a href="#/turns/t1">trace</a></p>'],
  ["[no](javascript:alert(1))", "<p>[no](javascript:alert(1))</p>"],
  ["[no](//elsewhere.example)", "<p>[no](//elsewhere.example)</p>"],
  ["[no](data:text/html,x)", "<p>[no](data:text/html,x)</p>"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
  ["| <b>x</b> |\n|---|\n| <script>1</script> |", /^((?!<b>|<script>).)*&lt;script&gt;1&lt;\/script&gt;/],
];

for (const [source, expected] of MARKDOWN) {
  test(`markdown: ${JSON.stringify(source)}`, async () => {
    const html = await page.evaluate(async (text) => {
      const { markdown } = await import("/hub/markdown.js");
      const host = document.createElement("div");
      host.append(markdown(text));
      return host.innerHTML;
    }, source);
    if (expected instanceof RegExp) assert.match(html, expected);
    else assert.equal(html, expected);
  });
}

test("markdown ends, and quickly, on text made to be slow", async () => {
  const sources = [
    "*".repeat(4000),
    "`".repeat(4000),
    "[".repeat(4000),
    "**a ".repeat(1500),
    "- ".repeat(2000),
    "|-".repeat(2000),
    "> ".repeat(1000),
  ];
  const slowest = await page.evaluate(async (texts) => {
    const { markdown } = await import("/hub/markdown.js");
    return Math.max(
      ...texts.map((text) => {
        const start = performance.now();
        markdown(text);
        return performance.now() - start;
      }),
    );
  }, sources);
  assert.ok(slowest < 2000, `${slowest} ms`);
});

const LABELS = [
  [["create_department", "Creating a department"], "Creating a department"],
  [["list_departments", undefined], "Listing departments"],
  [["upsert_mark", undefined], "Saving mark"],
  [["frobnicate_desk", undefined], "Working on frobnicate desk"],
];

for (const [[name, title], expected] of LABELS) {
  test(`label of ${name}, title ${title}`, async () => {
    const label = await page.evaluate(
      async (args) => {
        const { labelOf, learnLabels } = await import("/hub/labels.js");
        learnLabels({ labels: { list_departments: "Listing departments" }, verbs: { upsert: "Saving" } });
        return labelOf(...args);
      },
      [name, title],
    );
    assert.equal(label, expected);
  });
}

test("without a server the page says so in a sentence", async () => {
  await page.locator("#email").fill("grace.namutebi@naalya.example");
  await page.locator("#password").fill("rover-demo");
  await page.locator("#sign-in-form button").click();
  await page.locator("#sign-in-fault:visible").waitFor();
  assert.equal(await page.locator("#sign-in-fault").textContent(), "Rover could not answer. Try again.");
});
