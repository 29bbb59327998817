// Builds elements. Text always becomes a text node: nothing that a model, a colleague or the network
// wrote is ever parsed as markup.

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `on…` keys are listeners, `text` is the text content,
 *   a value of `false`, `null` or `undefined` leaves the attribute out, `true` writes it empty.
 * @param {...(Node|string|null|false|undefined)} children
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, attributes);
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** An inline icon, named by the id of a symbol in `index.html`; decoration only. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** The element that `index.html` promises under this id. */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no #${id}`);
  return node;
}

function apply(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "text") node.textContent = String(value);
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
}
