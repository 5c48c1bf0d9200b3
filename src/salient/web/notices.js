/** Notices: the bell with what has been told, the next game that waits, and web push. */

import { Socket, get, post } from "./api.js";
import { failed, notice, openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { date, t } from "./i18n.js";

/** @import { Notice } from "./wire.d.ts" */

/** A bell that counts what has not been read, and opens the list. */
export function noticeBell() {
  return h("notice-bell");
}

export class NoticeBell extends HTMLElement {
  /** How many have not been read. */
  count = h("b", { class: "count", hidden: true });
  /** @type {HTMLButtonElement} */
  button = h("button", { class: "quiet", type: "button", "data-nav": "notices", onclick: () => this.open() }, h("span", {}, t("notices.title")), this.count);
  /** @type {Notice[]} */
  told = [];
  pushKey = "";
  /** @type {Socket | undefined} */
  socket;

  connectedCallback() {
    fill(this, this.button);
    this.socket = new Socket("notices/socket", () => ({}));
    this.socket.addEventListener("message", () => this.look());
    this.socket.addEventListener("connected", (event) => /** @type {CustomEvent} */ (event).detail && this.look());
  }

  disconnectedCallback() {
    this.socket?.close();
  }

  async look() {
    const found = await get("notices").catch(() => null);
    if (!found) return;
    this.told = found.notices;
    this.pushKey = found.push_key;
    const unread = this.told.filter(({ read }) => !read).length;
    this.count.hidden = !unread;
    fill(this.count, String(unread));
  }

  async open() {
    await this.look();
    const waiting = await get("notices/waiting").catch(() => []);
    const line = (/** @type {Notice} */ { text, game_id, at }) => h("li", {}, h("a", { href: game_id ? `#game/${game_id}` : "#room", onclick: () => dialog.close() }, text), " ", h("small", { class: "muted" }, date(at)));
    const next = waiting.length ? h("a", { class: "action primary", href: `#game/${waiting[0].id}`, onclick: () => dialog.close() }, t("notices.next", { n: waiting.length })) : h("p", { class: "muted" }, t("notices.none-waits"));
    const push = "PushManager" in window ? h("button", { class: "action", type: "button", onclick: () => this.subscribe() }, t("notices.push")) : null;
    const dialog = openDialog(t("notices.title"), [h("div", { class: "row" }, next, push), h("ul", { class: "notices" }, ...(this.told ?? []).map(line))], { name: "notices" });
    await post("notices/read", {}).catch(() => null);
    this.look();
  }

  /** Lets this browser be told even when the page is closed. */
  async subscribe() {
    try {
      const worker = await navigator.serviceWorker.register("/sw.js");
      const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.pushKey });
      const { endpoint, keys } = /** @type {any} */ (subscription.toJSON());
      await post("notices/push", { endpoint, p256dh: keys.p256dh, auth: keys.auth });
      notice([t("people.done")]);
    } catch (error) {
      failed(error);
    }
  }
}

customElements.define("notice-bell", NoticeBell);
