// A small markdown reader that makes elements, never markup text: headings, paragraphs, lists, tables,
// quotes, rules, fenced code, and inside a line bold, italic, code and links. Links go only to http,
// https, mailto and this page. Anything else stays the text it was.

import { el } from "./dom.js";

/** @returns {DocumentFragment} */
export function markdown(source) {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks(source.replace(/\r\n?/g, "\n").split("\n")));
  return fragment;
}

const FENCE = /^\s{0,3}```\s*([\w+-]*)\s*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function* blocks(lines) {
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const [node, next] =
      fence(lines, at) ??
      heading(line, at) ??
      table(lines, at) ??
      rule(line, at) ??
      quote(lines, at) ??
      list(lines, at) ??
      paragraph(lines, at);
    yield node;
    at = next;
  }
}

function fence(lines, at) {
  if (!FENCE.test(lines[at])) return undefined;
  let end = at + 1;
  // A fence that is still streaming runs to the end of what has arrived.
  while (end < lines.length && !/^\s{0,3}```\s*$/.test(lines[end])) end += 1;
  const code = el("code", { text: lines.slice(at + 1, end).join("\n") });
  return [el("pre", { tabindex: "0" }, code), end + 1];
}

function heading(line, at) {
  const found = HEADING.exec(line);
  if (!found) return undefined;
  // The page owns h1 and h2, so an answer's headings begin at h3.
  const level = Math.min(found[1].length + 2, 6);
  return [el(`h${level}`, {}, ...inline(found[2])), at + 1];
}

function rule(line, at) {
  return RULE.test(line) ? [el("hr"), at + 1] : undefined;
}

function quote(lines, at) {
  let end = at;
  const inner = [];
  for (let found; end < lines.length && (found = QUOTE.exec(lines[end])); end += 1) inner.push(found[1]);
  return inner.length > 0 ? [el("blockquote", {}, ...blocks(inner)), end] : undefined;
}

function list(lines, at) {
  const first = ITEM.exec(lines[at]);
  if (!first) return undefined;
  const indent = first[1].length;
  const ordered = first[3] !== undefined;
  const items = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const found = ITEM.exec(lines[end]);
    const depth = lines[end].search(/\S/);
    if (found && found[1].length <= indent + 1) {
      if ((found[3] !== undefined) !== ordered || found[1].length < indent) break;
      items.push([found[4]]);
    } else if (depth > indent) {
      items.at(-1).push(lines[end].slice(Math.min(depth, indent + 2)));
    } else if (depth === -1 && ITEM.test(lines[end + 1] ?? "")) {
      continue;
    } else {
      break;
    }
  }
  const start = ordered && first[3] !== "1" ? first[3] : null;
  return [el(ordered ? "ol" : "ul", { start }, ...items.map(listItem)), end];
}

function listItem([head, ...rest]) {
  return el("li", {}, ...inline(head), ...(rest.length > 0 ? blocks(rest) : []));
}

function table(lines, at) {
  if (!lines[at].includes("|") || !TABLE_LINE.test(lines[at + 1] ?? "") || !lines[at + 1].includes("-"))
    return undefined;
  const header = cells(lines[at]);
  const sides = cells(lines[at + 1]).map((mark) =>
    /-:$/.test(mark) ? (mark.startsWith(":") ? "middle" : "end") : null,
  );
  if (sides.length !== header.length) return undefined;
  let end = at + 2;
  const rows = [];
  for (; end < lines.length && lines[end].includes("|"); end += 1) rows.push(cells(lines[end]));
  const row = (tag, values) =>
    el(
      "tr",
      {},
      ...header.map((_, i) =>
        el(tag, { class: sides[i], scope: tag === "th" ? "col" : null }, ...inline(values[i] ?? "")),
      ),
    );
  const body = el(
    "table",
    {},
    el("thead", {}, row("th", header)),
    el("tbody", {}, ...rows.map((values) => row("td", values))),
  );
  return [el("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": "Table" }, body), end];
}

function cells(line) {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at) {
  let end = at + 1;
  const startsBlock = (i) =>
    lines[i].trim() === "" ||
    FENCE.test(lines[i]) ||
    HEADING.test(lines[i]) ||
    RULE.test(lines[i]) ||
    QUOTE.test(lines[i]) ||
    ITEM.test(lines[i]);
  while (end < lines.length && !startsBlock(end)) end += 1;
  const nodes = lines
    .slice(at, end)
    .flatMap((line, i) => (i === 0 ? inline(line.trim()) : [el("br"), ...inline(line.trim())]));
  return [el("p", {}, ...nodes), end];
}

const INLINE =
  /`([^`]+)`|\*\*(?=\S)(.+?)\*\*(?!\*)|(?<![\w*])[*_](?=[^\s*_])([^*_]*[^\s*_])[*_](?![\w*])|\[([^\]]+)\]\(([^()\s]+)\)|\\([\\`*_[\]|#>-])/;

function inline(text) {
  const nodes = [];
  let rest = text;
  for (let found; (found = INLINE.exec(rest)); rest = rest.slice(found.index + found[0].length)) {
    if (found.index > 0) nodes.push(rest.slice(0, found.index));
    const [whole, code, bold, italic, label, target, escaped] = found;
    if (code !== undefined) nodes.push(el("code", { text: code }));
    else if (bold !== undefined) nodes.push(el("strong", {}, ...inline(bold)));
    else if (italic !== undefined) nodes.push(el("em", {}, ...inline(italic)));
    else if (escaped !== undefined) nodes.push(escaped);
    else nodes.push(link(label, target) ?? whole);
  }
  if (rest !== "") nodes.push(rest);
  return nodes;
}

function link(label, target) {
  if (!/^(?:https?:\/\/|mailto:|#\/|\/(?!\/))/i.test(target)) return undefined;
  const outside = /^https?:/i.test(target);
  return el(
    "a",
    { href: target, rel: outside ? "noopener noreferrer" : null, target: outside ? "_blank" : null },
    ...inline(label),
  );
}
