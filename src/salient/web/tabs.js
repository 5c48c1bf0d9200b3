/** `<side-tabs>`: one page of the column at a time, under tabs that stay where they are, whatever comes between them. */

import { changed, fill, h } from "./dom.js";
import { lang, t } from "./i18n.js";
import { change, settings } from "./settings.js";

/** @typedef {{ id: string, content: HTMLElement[] }} Page */

export class SideTabs extends HTMLElement {
  bar = h("div", { class: "tab-bar", role: "tablist" });
  /** @type {Map<string, HTMLElement>} */
  pages = new Map();
  /** The page that is shown, and the one that was brought last. */
  current = "";
  brought = "";
  /** @type {string | null} the page where something can be chosen */
  lit = null;

  /** @param {Page[]} pages @param {HTMLElement} above what lies above every page while it is shown */
  build(pages, above) {
    this.pages = new Map(pages.map(({ id, content }) => [id, h("div", { class: "tab-page", role: "tabpanel", id: `page-${id}`, "aria-labelledby": `tab-${id}`, tabindex: "-1" }, ...content)]));
    fill(this, this.bar, above, ...this.pages.values());
    this.open(this.pages.has(settings.tab) ? settings.tab : pages[0].id);
  }

  /** The player chooses a page, and it is remembered. @param {string} id */
  choose(id) {
    change({ tab: id });
    this.open(id);
  }

  /** Opens a page and brings it into sight, where the column is long. @param {string} id */
  bring(id) {
    this.choose(id);
    this.bar.scrollIntoView({ block: "nearest" });
    this.pages.get(id)?.scrollIntoView({ block: "nearest" });
  }

  /** Shows a page. @param {string} id */
  open(id) {
    this.current = id;
    for (const [name, page] of this.pages) page.hidden = name !== id;
    this.label();
    this.dispatchEvent(new CustomEvent("opened", { detail: id }));
  }

  /** Brings a page to the player once, whatever was chosen. @param {string} id */
  once(id) {
    if (this.brought === id) return;
    this.brought = id;
    this.open(id);
  }

  /** Returns to the page that the player chose. */
  back() {
    if (this.current !== settings.tab && this.pages.has(settings.tab)) this.open(settings.tab);
  }

  /** Tells that something can be chosen on a page. @param {string | null} id */
  light(id) {
    if (this.lit === id) return;
    this.lit = id;
    this.label();
  }

  /** Names the tabs in the language of now. */
  label() {
    if (!changed(this.bar, [lang(), this.current, this.lit])) return;
    const focused = this.bar.contains(document.activeElement);
    fill(this.bar, ...[...this.pages.keys()].map((id) => this.tab(id)));
    if (focused) /** @type {HTMLElement | null} */ (this.bar.querySelector("[aria-selected=true]"))?.focus();
  }

  /** @param {string} id */
  tab(id) {
    const selected = id === this.current;
    const lit = id === this.lit;
    return h(
      "button",
      { class: `tab ${lit ? "lit" : ""}`, title: lit ? t("tab.lit") : null, type: "button", role: "tab", id: `tab-${id}`, "data-tab": id, "aria-selected": String(selected), "aria-controls": `page-${id}`, tabindex: selected ? "0" : "-1", onclick: () => this.choose(id), onkeydown: (/** @type {KeyboardEvent} */ event) => this.step(event) },
      t(`tab.${id}`),
      lit ? h("span", { class: "visually-hidden" }, t("tab.lit")) : null,
    );
  }

  /** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
  step(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    const ids = [...this.pages.keys()];
    this.choose(ids[(ids.indexOf(this.current) + by + ids.length) % ids.length]);
  }
}

customElements.define("side-tabs", SideTabs);
