/** Dialogs and short notices. */

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Opens a dialog; it is removed when it closes.
 * @param {string} title
 * @param {(Node | string | null | false)[]} content
 * @param {{ name?: string, modal?: boolean, onclose?: () => void }} [more]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { name = "", modal = true, onclose } = {}) {
  if (name) document.querySelector(`dialog[data-name="${name}"]`)?.remove();
  const heading = `dialog-${Math.random().toString(36).slice(2)}`;
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: `dialog ${name}`, "data-name": name, "aria-labelledby": heading }));
  const close = h("button", { class: "quiet close", type: "button", "aria-label": t("close"), onclick: () => dialog.close() }, icon("close"));
  dialog.append(h("header", {}, h("h2", { id: heading }, title), close), h("div", { class: "dialog-body" }, ...content));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  if (modal) dialog.showModal();
  else dialog.show();
  return dialog;
}

/** Asks before something that cannot be taken back. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(
      question,
      [
        h(
          "div",
          { class: "row end" },
          h("button", { class: "action", type: "button", onclick: () => dialog.close() }, t("cancel")),
          h(
            "button",
            {
              class: "action danger",
              type: "button",
              onclick: () => {
                answer = true;
                dialog.close();
              },
            },
            yes,
          ),
        ),
      ],
      { name: "confirm", onclose: () => resolve(answer) },
    );
  });
}

/** Shows a notice for a few seconds, and reads it to screen readers. @param {(Node | string)[]} content @param {"info" | "bad"} [mood] */
export function notice(content, mood = "info") {
  const area = document.getElementById("notices");
  if (!area) return;
  const item = h("div", { class: `notice ${mood}` }, ...content, h("button", { class: "quiet", type: "button", "aria-label": t("close"), onclick: () => item.remove() }, icon("close")));
  area.append(item);
  while (area.children.length > 3) area.firstElementChild?.remove();
  setTimeout(() => item.remove(), mood === "bad" ? 9000 : 5000);
}

/** Says what went wrong. @param {unknown} error */
export function failed(error) {
  notice([messageOf(error)], "bad");
}

/** What stands on a page that could not be shown. @param {unknown} error @param {() => void} again */
export function trouble(error, again) {
  return h("main", { class: "lobby" }, h("p", { class: "trouble", role: "alert" }, messageOf(error)), h("button", { class: "action primary", type: "button", onclick: again }, t("retry")));
}

/** What an error says. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Says something to screen readers only. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live && live.textContent !== text) fill(live, text);
}

/** Saves text or a picture as a file. @param {string} name @param {Blob} content */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  const link = /** @type {HTMLAnchorElement} */ (h("a", { href: url, download: name }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A file name without troublesome letters. @param {string} text */
export function fileName(text) {
  return text.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "game";
}
