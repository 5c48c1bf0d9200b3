/** A small note beside the pointer: `.note`. */

import { fill, h } from "./dom.js";

export class Note {
  /** @param {"above" | "below"} side of the pointer */
  constructor(side) {
    this.side = side;
    this.element = h("div", { class: "note", role: "status", hidden: true });
    document.body.append(this.element);
  }

  /** @param {(Node | string)[]} content @param {{ x: number, y: number }} pointer */
  show(content, { x, y }) {
    fill(this.element, ...content);
    this.element.hidden = false;
    const box = this.element.getBoundingClientRect();
    const wanted = this.side === "below" ? y + 18 : y - box.height - 14;
    const left = Math.max(8, Math.min(x + 16, innerWidth - box.width - 8));
    const top = Math.max(8, Math.min(wanted, innerHeight - box.height - 8));
    this.element.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.element.hidden = true;
  }

  remove() {
    this.element.remove();
  }
}
