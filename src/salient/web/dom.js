/** Small helpers that build HTML and SVG elements. */
/// <reference path="./elements.d.ts" />

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child what an element may be given; nothing is left out */

/**
 * An HTML element: `h("button", { class: "quiet", onclick: f }, "Text")`; listeners begin with "on", `dataset` is an
 * object, false and null leave an attribute out.
 * @type {import("./elements.d.ts").Build}
 */
export const h = (/** @type {string} */ tag, /** @type {Record<string, any>} */ props = {}, /** @type {(Child | Child[])[]} */ ...children) => {
  const element = document.createElement(tag);
  setProps(element, props);
  append(element, children);
  return /** @type {any} */ (element);
};

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProps(element, props);
  append(element, children);
  return element;
}

/** An icon of the sprite in index.html. @param {string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("use", { href: `#icon-${name}` }));
}

/** @type {WeakMap<Element, string>} what an element was last drawn from */
const drawnFrom = new WeakMap();

/** Whether an element must be drawn, because what it shows has changed; parts that stay as they are cost a click nothing. @param {Element} element @param {unknown} content everything that it depends on */
export function changed(element, content) {
  const key = JSON.stringify(content);
  if (drawnFrom.get(element) === key && element.hasChildNodes()) return false;
  drawnFrom.set(element, key);
  return true;
}

/** Whether an element stands on a page that is shown; asking for its place would make the browser lay out everything. @param {Element} element */
export function inSight(element) {
  return element.isConnected && !element.closest("[hidden]");
}

/** Replaces all children. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** Text safe inside markup. @param {unknown} text */
export function escapeText(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, any>} props */
function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}
